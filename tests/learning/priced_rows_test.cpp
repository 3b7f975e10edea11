// Prices of rows: published optima under limits, and duality gaps.
#include "learning/priced_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "learning/identified_design.hpp"
#include "response/limit_rows.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

EstimatedLoop double_integrator(Index T, bool constant) {
  const Index f = constant ? 1 : 0, n = 2 + f;
  LinearModel m;
  m.n_y = 2;
  m.n_u = 1;
  m.constant = constant;
  m.A0 = Matrix::Zero(n, n);
  m.B0 = Matrix::Zero(n, 1);
  m.E = Matrix::Identity(n, n).rightCols(2);
  m.Cr = Matrix::Identity(n + 1, n + 1);
  EstimatedLoop loop{m, Matrix::Zero(n, n), Matrix::Zero(n, 1), {}, {}, Matrix::Zero(n, n), T};
  loop.A.bottomRightCorner(2, 2) << 1, 1, 0, 1;
  loop.B.bottomRows(2) << 0.5, 1;
  if (constant) {
    loop.A(0, 0) = 1;
    loop.A.col(0).tail(2) << 0.1, -0.3;
  }
  Matrix Q = Matrix::Zero(n, n);
  Q.bottomRightCorner(2, 2).diagonal() << 1, 0.1;
  loop.Q = {Q};
  loop.R = {Matrix::Constant(1, 1, 0.5)};
  loop.P = 2 * Q;
  return loop;
}

Matrix start_of(const EstimatedLoop& loop) {
  Matrix U_0 = 0.1 * Matrix::Identity(loop.model.n(), loop.model.n());
  if (loop.model.constant) U_0(0, 0) = 1;
  return U_0;
}

// The paper's example with |u_t| <= h but for a probability of 5 % at each step.
TEST(PricedRows, KnownOptimaUnderLimits) {
  const EstimatedLoop loop = double_integrator(10, false);
  const PricedLoop priced(loop, 0.1 * Matrix::Identity(2, 2), start_of(loop));
  for (const auto& [h, optimum] : {std::pair(0.9, 3.1176388), {0.8, 3.1270825}, {0.7, 3.2674585}}) {
    std::vector<PricedRow> rows;
    const double radius = largest_deviation(-h, h, 0, 0.05);
    for (Index t = 0; t < 10; ++t) rows.push_back({t, Vector::Unit(3, 2), 0, radius});
    const PricedDesign found = priced.solve(rows, {});
    EXPECT_TRUE(found.feasible);
    EXPECT_NEAR(found.cost, optimum, 1e-6);
    EXPECT_NEAR(found.lower, optimum, 1e-6);
    if (h > 0.85) {
      EXPECT_TRUE(found.price.isZero(0.0));
    }
  }
}

// Rows of states and inputs at any steps, with and without a constant, over a horizon and for ever:
// the cost is no larger than what no gains can beat.
TEST(PricedRows, NoGapIsLeft) {
  for (const bool constant : {false, true})
    for (const Index T : {Index{0}, Index{8}}) {
      int kept = 0;
      for (std::uint64_t k = 0; k < 12; ++k) {
        const EstimatedLoop loop = double_integrator(T, constant);
        const Index n = loop.model.n();
        const PricedLoop priced(loop, 0.1 * Matrix::Identity(2, 2), start_of(loop));
        const Gains free = certainty_equivalence(loop);
        std::vector<PricedRow> rows;
        for (std::uint64_t c = 0; c < (T == 0 ? 2U : 6U); ++c) {
          const Matrix z = standard_normal_rows(test_stream(70 + k, c), 0, 1, n + 3);
          PricedRow row{T == 0 ? 0 : static_cast<Index>(1 + c), z.row(0).head(n + 1).transpose()};
          if (constant) {
            row.h(0) = 0;
            row.centre = 0.3 * z(0, n + 1);
          }
          rows.push_back(row);
        }
        // Radii below what costs nothing: some must bind, and not all can be impossible.
        const PricedDesign without = priced.under(rows, free);
        for (size_t c = 0; c < rows.size(); ++c) {
          const auto at = static_cast<Index>(c);
          const double off = without.mean(at) - rows[c].centre;
          rows[c].radius = 0.96 * std::hypot(off, without.deviation(at));
        }
        const PricedDesign found = priced.solve(rows, {});
        EXPECT_TRUE((found.price.array() >= 0).all());
        if (!found.feasible) {  // the dual has no bound, and says so
          EXPECT_GT(found.lower, 10 * found.cost);
          continue;
        }
        ++kept;
        EXPECT_LE(found.lower, found.cost * (1 + 1e-6));
        EXPECT_LE(found.cost - found.lower, 1e-6 * found.cost);
        EXPECT_GT(found.cost, without.cost);
        // From prices of another problem it ends at the same.
        const PricedDesign warm = priced.solve(rows, 3 * found.price);
        EXPECT_NEAR(warm.cost, found.cost, 1e-6 * found.cost);
      }
      EXPECT_GT(kept, 0) << constant << " " << T;
    }
}

TEST(PricedRows, TellsWhatCannotBe) {
  const EstimatedLoop loop = double_integrator(6, false);
  const PricedLoop priced(loop, 0.1 * Matrix::Identity(2, 2), start_of(loop));
  // x_t has at least the noise of one step.
  std::vector<PricedRow> rows = {{2, Vector::Unit(3, 0), 0, 5}, {3, Vector::Unit(3, 1), 0, 0.2}};
  const PricedDesign found = priced.solve(rows, {});
  EXPECT_FALSE(found.feasible);
  EXPECT_EQ(found.worst, 1);
  EXPECT_GT(found.excess, std::sqrt(0.1) / 0.2 - 1 - 1e-6);
  rows[1].radius = 0.9;
  EXPECT_TRUE(priced.solve(rows, {}).feasible);
}

}  // namespace
}  // namespace loopcert::testing
