// Reading and writing binary files, lowest byte first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace loopcert {

// Takes `count` bytes off the front. Throws InputError "what: found …" when there are fewer.
std::string_view take_bytes(std::string_view& bytes, std::uint64_t count, const std::string& what);

// The same, as an unsigned number of `count` <= 8 bytes.
std::uint64_t take_number(std::string_view& bytes, int count, const std::string& what);

void append_number(std::string& bytes, int count, std::uint64_t value);

}  // namespace loopcert
