// A learned run of the double integrator, and what its certificate must satisfy.
#pragma once

#include "certificate/record_arrays.hpp"
#include "certificate/record_json.hpp"
#include "loopcert/verification/recheck.hpp"
#include "random_system.hpp"
#include "seed.hpp"
#include "temp_folder.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert::testing {

// The paper's plant; `ar1` = 0 is white noise.
inline Problem plant(double ar1, const std::string& method, const std::string& kind) {
  Problem problem;
  problem.name = "double integrator";
  problem.system = double_integrator();
  const Sizes sizes = problem.sizes();
  problem.disturbance.law = Law{Vector::Zero(sizes.d_w()), ar1_covariance(sizes, ar1, 0.1)};
  problem.learning.method = method;
  problem.certificate.kind = kind;
  return problem;
}

inline Disturbances draw(const Problem& problem, Index n, std::uint64_t seed) {
  return sample_disturbances(*problem.disturbance.law, test_stream(seed, 0), n);
}

inline Reevaluation through_files(const LearnRun& run, const Certificate& certificate,
                                  const Disturbances& data) {
  const TempFolder folder;
  if (run.deployment) folder.write("responses.npz", format_responses(*run.deployment));
  if (run.posterior)
    folder.write("posterior.npz", format_posterior(*run.posterior, run.prior_center));
  return reevaluate_certificate(
      folder.write("certificate.json", certificate_to_json(certificate, run.inputs).dump(2)), data);
}

inline double ledger(const Certificate& c) {
  double sum = 0;
  for (const Event& event : c.events) sum += event.delta;
  return sum;
}

// A certificate may be below the cost with probability delta; not by as much as this.
inline double surely_below(double cost) { return 0.7 * cost; }

}  // namespace loopcert::testing
