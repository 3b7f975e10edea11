// Trajectories from the law that a problem states.
#pragma once

#include <cstdint>
#include <string>

#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

// What the sampled numbers are for. Different purposes draw different numbers from one seed.
enum SamplePurpose : std::uint64_t { sample_to_learn = 0, sample_to_simulate = 1 };

// Throws InputError when the problem states none, or memory is too small. `place`: of the problem,
// as messages call it; may be empty.
Disturbances sample_from_law(const Problem& problem, const std::string& place, std::uint64_t seed,
                             SamplePurpose purpose, Index n);

}  // namespace loopcert
