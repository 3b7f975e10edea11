#include "workflow/sampling.hpp"

#include "core/memory.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

Disturbances sample_from_law(const Problem& problem, const std::string& place, std::uint64_t seed,
                             SamplePurpose purpose, Index n) {
  at_place(place.empty() ? "problem" : place,
           [&] { require_stated_plant(problem, "a simulation of the law"); });
  if (!problem.disturbance.law)
    throw_input_error((place.empty() ? "" : place + ": ") + "disturbance.covariance", "nothing",
                      "the law to sample from");
  const double bytes = 8.0 * static_cast<double>(n) * static_cast<double>(problem.sizes().d_w());
  check_memory(std::to_string(n) + " trajectories", 3 * bytes, memory_limit());  // with work space
  return sample_disturbances(*problem.disturbance.law, Stream{seed, purpose}, n);
}

}  // namespace loopcert
