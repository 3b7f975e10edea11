// Keys that other tools have and this one has not, or calls otherwise: what to do instead.
#pragma once

#include <string>
#include <string_view>

namespace loopcert {

// "not supported: …" or "is called … here", or "" for a key that no tool known to us has there.
// `section` is "system", "cost", … or "" for the top level of a problem file.
std::string foreign_key_advice(std::string_view section, std::string_view key);

// The same for a key that may belong to any section.
std::string foreign_key_advice(std::string_view key);

}  // namespace loopcert
