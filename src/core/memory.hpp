// Memory is predicted before it is taken.
#pragma once

#include <cstdint>
#include <string>

namespace loopcert {

// Physical memory of this machine in bytes, or of this process' limit (ulimit -v) if smaller.
std::uint64_t memory_limit();

// Throws InputError "what: needs about 12.3 GiB, expected at most 8.0 GiB".
void check_memory(const std::string& what, double needed_bytes, std::uint64_t limit_bytes);

}  // namespace loopcert
