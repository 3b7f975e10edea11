// A bound keeps its digits, or there is none: the same responses around two starts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"
#include "loopcert/core/error.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"

namespace loopcert::testing {
namespace {

std::optional<double> value_around(const ResponseSpace& space, const BoundInputs& inputs,
                                   const Prior& prior, const Posterior& posterior) {
  try {
    return evaluate_bound(space.cost, inputs, prior, posterior).value;
  } catch (const NumericsError&) {
    return std::nullopt;
  }
}

// States that hardly cost anything: the start of smallest norm moves inputs that LQR leaves alone,
// and costs up to 1 / cheap times as much.
class CheapStates : public ::testing::TestWithParam<int> {};

TEST_P(CheapStates, BoundsDoNotDependOnTheStartOrThereAreNone) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  Shape shape = random_shape(seed);
  shape.offset = seed % 2 == 0;
  const bool grows = shape.growth > 1;  // what cancels is far larger than the cost of the start
  if (grows) shape.T *= 2;
  SCOPED_TRACE(shape_text(shape));
  for (const double cheap : {1.0, 1e-2, 1e-4, 1e-6, 1e-8}) {
    System system = random_system(shape, seed);
    for (Matrix& Q : system.cost.Q) Q *= cheap;
    system.cost.P *= cheap;
    const bool affine = shape.offset;
    const ResponseSpace near = make_response_space(system, {affine, Start::lqr});
    const ResponseSpace far = make_response_space(system, {affine, Start::min_norm});
    const Matrix shift = far.coordinates.T_u.triangularView<Eigen::Lower>().solve(
        near.coordinates.Phi_u0 - far.coordinates.Phi_u0);
    // Inputs no larger than those of LQR.
    Posterior posterior{
        std::sqrt(cheap) * 0.1 * random_coordinates(near.coordinates.pattern, seed + 1),
        cheap * 0.01 * random_coordinates(near.coordinates.pattern, seed + 2).cwiseAbs2()};
    const Posterior moved{posterior.mean + shift, posterior.variance};
    const Prior prior{Matrix::Zero(shift.rows(), shift.cols()), 1.0}, prior_moved{shift, 1.0};

    const Evidence evidence = evidence_of(random_disturbances(system.sizes(), 60, seed));
    Assumptions assumptions;
    assumptions.scale_bound = 3;
    const auto ratio = [&](const Matrix& S) {  // of the start's cost to that of the response
      const Matrix none = Matrix::Zero(shift.rows(), shift.cols());
      return risk(far.cost, S, none) / risk(near.cost, S, posterior.mean);
    };
    for (const char* name : {"data-driven", "data-driven-rank-aware"}) {
      const PosteriorKind& kind = posterior_kind(name);
      BoundInputs inputs =
          kind.setup({system, near, assumptions, evidence, split_delta(kind.events, 0.05, {})})
              .inputs;
      const double farther = std::max(ratio(inputs.Sigma_hat), ratio(inputs.U));
      // With a large lambda the quartic moments are all there is of the bound.
      for (const std::optional<double> lambda : {std::optional<double>(), {1e3}, {1e9}}) {
        inputs.lambda = lambda;
        const std::optional<double> reference = value_around(near, inputs, prior, posterior);
        const std::optional<double> value = value_around(far, inputs, prior_moved, moved);
        ASSERT_TRUE(reference);
        if (value) {
          EXPECT_NEAR(*value, *reference, 1e-9 * *reference) << cheap << " " << name;
        }
        EXPECT_TRUE(value || grows || farther > 3000) << cheap << " " << name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, CheapStates, ::testing::Range(1, 33));

}  // namespace
}  // namespace loopcert::testing
