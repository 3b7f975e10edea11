// SHA-256 (FIPS 180-4), 64 hexadecimal digits.
#pragma once

#include <string>

namespace verify {

std::string sha256(std::string bytes);

}  // namespace verify
