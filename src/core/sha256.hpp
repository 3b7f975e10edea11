// SHA-256 (FIPS 180-4): the name of an input by its bytes.
#pragma once

#include <string>
#include <string_view>

namespace loopcert {

// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace loopcert
