// The paper's example: its plant, white disturbances of variance 0.1, the same scale bound.
#pragma once

#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "seed.hpp"

namespace loopcert::testing {

struct PaperProblem {
  System system = double_integrator();
  ResponseSpace space = make_response_space(system, {});
  Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  Assumptions assumptions;
  Prior prior{Matrix::Zero(10, 22), 1.0};
  Deltas delta{{"pac_bayes", 0.025}, {"covariance", 0.025}};

  PaperProblem() {
    assumptions.scale_bound = 0.1;
    assumptions.law = law;
  }
  Evidence evidence(std::uint64_t seed, Index n) const {
    return evidence_of(sample_disturbances(law, test_stream(seed, 0), n));
  }
  BoundSetup setup(const std::string& kind, const Evidence& e) const {
    return posterior_kind(kind).setup({system, space, assumptions, e, delta});
  }
};

}  // namespace loopcert::testing
