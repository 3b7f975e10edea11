// The random numbers of a cell: a function of the seed and of its name.
#pragma once

#include <string>

#include "loopcert/core/random.hpp"

namespace loopcert {

Stream coverage_stream(std::uint64_t seed, const std::string& name);

}  // namespace loopcert
