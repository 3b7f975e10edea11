#include "certificate/autoregressive.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>

#include "certificate/autoregressive_fit.hpp"
#include "certificate/bound.hpp"
#include "certificate/filled_spectrum.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/tails.hpp"
#include "certificate/wishart.hpp"
#include "chance.hpp"
#include "core/linalg.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

const Deltas thirds = {{"model", 0.02}, {"noise", 0.02}, {"start", 0.02}, {"chernoff", 0.02}};

// w_t = Phi (w_{t-1}, ..., w_{t-p}) + v_t as a law of the whole trajectory, from the definition.
Law coloured_law(const Sizes& s, const Matrix& Phi, const Matrix& start, const Matrix& noise) {
  const Index n = s.n_w, p = Phi.cols() / n, d_s = (p + 1) * n;
  Matrix Z = Matrix::Zero(s.d_w(), s.d_w()), D = Z;
  for (Index t = p; t < s.T; ++t)
    for (Index j = 0; j < p; ++j)
      Z.block((t + 1) * n, (t - j) * n, n, n) = Phi.middleCols(j * n, n);
  D.topLeftCorner(d_s, d_s) = start;
  for (Index t = p; t < s.T; ++t) D.block((t + 1) * n, (t + 1) * n, n, n) = noise;
  const Matrix L = (Matrix::Identity(s.d_w(), s.d_w()) - Z).inverse();
  return {Vector::Zero(s.d_w()), L * D * L.transpose()};
}

struct Case {
  System system;
  Matrix Phi, start, noise, M;
  Law law;
};

Case make_case(Index n_x, Index T, Index p, std::uint64_t seed) {
  Case c;
  c.system.plant = {T,
                    {random_matrix(n_x, n_x, seed) / static_cast<double>(n_x)},
                    {random_matrix(n_x, 1, seed + 1)},
                    {}};
  c.system.cost = {
      {Matrix::Identity(n_x, n_x)}, {Matrix::Identity(1, 1)}, Matrix::Identity(n_x, n_x)};
  c.Phi = 0.5 * random_matrix(n_x, p * n_x, seed + 2) / static_cast<double>(p * n_x);
  c.Phi.leftCols(n_x).diagonal().array() += 0.5;
  const auto covariance = [](const Matrix& root) {
    return Matrix(root * root.transpose() + Matrix::Identity(root.rows(), root.rows()));
  };
  c.start = covariance(random_matrix((p + 1) * n_x, (p + 1) * n_x, seed + 3));
  c.noise = covariance(random_matrix(n_x, n_x, seed + 4));
  c.law = coloured_law(c.system.sizes(), c.Phi, c.start, c.noise);
  c.M = weighted_response(c.system.cost, c.system.sizes(), lqr_response(c.system)).M;
  return c;
}

class Autoregressive : public ::testing::TestWithParam<int> {
 protected:
  Autoregressive()
      : seed(test_seed(static_cast<std::uint64_t>(GetParam()))),
        p(1 + GetParam() % 2),
        c(make_case(1 + GetParam() % 3, 5, p, seed)),
        data(sample_disturbances(c.law, test_stream(seed, 1), 150)),
        model(autoregressive_model(evidence_of(data), c.system.sizes(), p, thirds)) {}
  std::uint64_t seed;
  Index p;
  Case c;
  Disturbances data;
  AutoregressiveModel model;

  // E |M w|^2 for another Phi, under the covariances of the model's events.
  double cost_at(const Matrix& Phi) const {
    const Law law = coloured_law(c.system.sizes(), Phi, model.U_0, model.set.U_v);
    return (c.M * law.covariance * c.M.transpose()).trace();
  }
  Matrix error_of(const Matrix& F) const { return model.set.root * F * model.set.G; }
};

// Least squares row by row, without sums, and the radius from determinants.
TEST_P(Autoregressive, SetIsWhatItsFormulasSay) {
  const Sizes s = c.system.sizes();
  const Index n = s.n_w, N = data.n() * (s.T - p);
  Matrix R(N, p * n), Y(N, n), first(data.n(), p * n);
  Index row = 0;
  for (Index i = 0; i < data.n(); ++i)
    for (Index t = p; t < s.T; ++t, ++row) {
      for (Index j = 0; j < p; ++j) R.block(row, j * n, 1, n) = data.w.block(i, (t - j) * n, 1, n);
      Y.row(row) = data.w.block(i, (t + 1) * n, 1, n);
      if (t == p) first.row(i) = R.row(row);
    }
  const Matrix Phi = R.colPivHouseholderQr().solve(Y).transpose();
  EXPECT_LT((Phi - model.set.Theta_hat).norm(), 1e-9 * Phi.norm());
  const Matrix V = R.transpose() * R;
  const Matrix V0 = 0.35 * static_cast<double>(s.T - p) * first.transpose() * first;
  const double beta_sq =
      2 * std::log(1 / 0.02) +
      static_cast<double>(n) *
          std::log((Matrix::Identity(p * n, p * n) + V0.inverse() * V).determinant());
  EXPECT_NEAR(model.set.beta * model.set.beta, beta_sq, 1e-8 * beta_sq);
  const Matrix Vt = V * (V + V0).inverse() * V;
  EXPECT_LT((model.set.G.transpose() * model.set.G - Vt.inverse()).norm(),
            1e-8 * Vt.inverse().norm());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> eta(V0, V);
  EXPECT_NEAR(model.set.b_sq, (1 + eta.eigenvalues().maxCoeff()) * beta_sq, 1e-8 * beta_sq);
  EXPECT_EQ(model.set.q, wishart_floor(n, N, 0.02));
  EXPECT_EQ(model.q_0, wishart_floor((p + 1) * n, data.n(), 0.02));
  EXPECT_LT(
      (model.U_0 * model.q_0 - data.w.leftCols((p + 1) * n).transpose() *
                                   data.w.leftCols((p + 1) * n) / static_cast<double>(data.n()))
          .norm(),
      1e-9 * model.U_0.norm());
  const Matrix left = Y - R * Phi.transpose();
  const Matrix U =
      left.transpose() * left / (static_cast<double>(N) * model.set.q - model.set.b_sq);
  EXPECT_LT((U - model.set.U_v).norm(), 1e-8 * U.norm());
  EXPECT_EQ(model.set.transitions, N);
}

TEST_P(Autoregressive, NominalCostAndFirstTwoOrders) {
  const ColouredLoop loop = coloured_loop(model, c.M, c.system.sizes());
  EXPECT_NEAR(loop.loop.cost, cost_at(model.set.Theta_hat), 1e-9 * loop.loop.cost);
  EXPECT_NEAR((c.M * loop.root).squaredNorm(), loop.loop.cost, 1e-9 * loop.loop.cost);
  // The expansion at a radius so small that the first two orders are all there is: the bound over
  // random directions is reached within the third order.
  ConfidenceSet small = model.set;
  small.beta = 1e-3;
  const Expansion expansion = expand(loop.loop, small);
  double largest = 0;
  Matrix best;
  for (int k = 0; k < 200; ++k) {
    Matrix F = random_matrix(model.set.Theta_hat.rows(), model.set.Theta_hat.cols(),
                             seed + 100 + static_cast<std::uint64_t>(k));
    F *= small.beta / F.norm();
    const double change = cost_at(model.set.Theta_hat + error_of(F)) - loop.loop.cost;
    if (change > largest) largest = change, best = F;
  }
  // Ascent from the best one, by differences.
  for (int k = 0; k < 60 && best.size() > 0; ++k) {
    Matrix slope(best.rows(), best.cols());
    for (Index i = 0; i < best.size(); ++i) {
      Matrix up = best, down = best;
      up.data()[i] += 1e-5;
      down.data()[i] -= 1e-5;
      slope.data()[i] = cost_at(model.set.Theta_hat + error_of(up)) -
                        cost_at(model.set.Theta_hat + error_of(down));
    }
    best = slope * (small.beta / slope.norm());
  }
  if (best.size() > 0)
    largest = std::max(largest, cost_at(model.set.Theta_hat + error_of(best)) - loop.loop.cost);
  EXPECT_LE(largest, expansion.sup + expansion.rest);
  EXPECT_GE(largest, 0.98 * expansion.sup);
}

// The orders of the response written out: N = M Lambda D^1/2 with Lambda = (I - Z)^-1.
TEST_P(Autoregressive, OrdersAreNoLargerThanTheirBounds) {
  const Sizes s = c.system.sizes();
  const Index n = s.n_w;
  const ColouredLoop loop = coloured_loop(model, c.M, s);
  const Expansion e = expand(loop.loop, model.set);
  const auto shift = [&](const Matrix& Phi) {
    Matrix Z = Matrix::Zero(s.d_w(), s.d_w());
    for (Index t = p; t < s.T; ++t)
      for (Index j = 0; j < p; ++j)
        Z.block((t + 1) * n, (t - j) * n, n, n) = Phi.middleCols(j * n, n);
    return Z;
  };
  const Matrix I = Matrix::Identity(s.d_w(), s.d_w());
  const Matrix Lambda = (I - shift(model.set.Theta_hat)).inverse();
  for (int k = 0; k < 50; ++k) {
    Matrix F = random_matrix(n, p * n, seed + 700 + static_cast<std::uint64_t>(k));
    F *= model.set.beta / F.norm();
    const Matrix Z = shift(error_of(F));
    const Matrix one = c.M * Lambda * Z * loop.root,
                 two = c.M * Lambda * Z * Lambda * Z * loop.root;
    const Matrix all = c.M * (I - Lambda * Z).inverse() * loop.root;
    const Matrix later = all - c.M * loop.root - one - two;
    EXPECT_LE(one.norm(), e.n1 * (1 + 1e-9));
    EXPECT_LE(two.norm(), e.n2 * (1 + 1e-9));
    EXPECT_LE(later.norm(), e.n3 * (1 + 1e-9) + 1e-9 * e.n1);
  }
  const double n0 = std::sqrt(e.nominal);
  EXPECT_NEAR(e.rest, 2 * e.n1 * e.n2 + e.n2 * e.n2 + 2 * (n0 + e.n1 + e.n2) * e.n3 + e.n3 * e.n3,
              1e-12 * e.value());
}

TEST_P(Autoregressive, BoundHoldsForEveryModelOfTheSet) {
  const ColouredLoop loop = coloured_loop(model, c.M, c.system.sizes());
  const Expansion expansion = expand(loop.loop, model.set);
  const Vector caps = spectrum_caps(loop, c.M, expansion);
  for (int k = 0; k < 100; ++k) {
    Matrix F = random_matrix(model.set.Theta_hat.rows(), model.set.Theta_hat.cols(),
                             seed + 300 + static_cast<std::uint64_t>(k));
    F *= model.set.beta / F.norm();
    const Matrix Phi = model.set.Theta_hat + error_of(F);
    EXPECT_LE(cost_at(Phi), expansion.value());
    const Law law = coloured_law(c.system.sizes(), Phi, model.U_0, model.set.U_v);
    const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(
                                   c.M * law.covariance * c.M.transpose(), Eigen::EigenvaluesOnly)
                                   .eigenvalues()
                                   .reverse();
    double sum = 0;
    for (Index i = 0; i < std::min(caps.size(), eigenvalues.size()); ++i)
      EXPECT_LE(sum += eigenvalues(i), caps(i) * (1 + 1e-9)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Autoregressive, ::testing::Range(0, 6));

// Every event by itself, and the certificates they carry, at delta = 0.5: thousands of sets.
TEST(AutoregressiveCoverage, EventsAndCertificates) {
  const Case c = make_case(1, 4, 1, 77);
  const Index sets = test_count(3000, 300), n = 30;
  const Deltas half = {{"model", 0.5}, {"noise", 0.5}, {"start", 0.5}, {"chernoff", 0.5}};
  const Deltas parts = {{"model", 0.15}, {"noise", 0.15}, {"start", 0.15}, {"chernoff", 0.15}};
  Assumptions assumptions;
  assumptions.autoregressive = 1;
  const Response lqr = lqr_response(c.system);
  const double cost = response_risk(c.system, lqr, law_moments(c.law));
  Index model = 0, noise = 0, start = 0, uniform = 0, hold_out = 0, refused = 0;
  for (Index i = 0; i < sets; ++i) {
    const Evidence e = evidence_of(
        sample_disturbances(c.law, test_stream(4711, static_cast<std::uint64_t>(i)), n));
    try {
      const AutoregressiveModel m = autoregressive_model(e, c.system.sizes(), 1, half);
      // With the true covariance: Theta_hat - Theta = Sigma_v^1/2 F G.
      const Matrix F =
          symmetric_sqrt(c.noise).inverse() * (m.set.Theta_hat - c.Phi) * m.set.G.inverse();
      model += F.norm() > m.set.beta;
      noise += (m.set.U_v - c.noise)(0, 0) < 0 && F.norm() <= m.set.beta;
      start += largest_eigenvalue(c.start - m.U_0) > 0;
      const FixedSetting setting{c.system, lqr, assumptions, e, parts};
      uniform += fixed_response_kind("identified").evaluate(setting).value < cost;
      hold_out += fixed_response_kind("hold-out-identified").evaluate(setting).value < cost;
    } catch (const NotProved&) {
      ++refused;
    }
  }
  EXPECT_LE(model, most_of(sets, 0.5));
  EXPECT_LE(noise, most_of(sets, 0.5));
  EXPECT_LE(start, most_of(sets, 0.5));
  EXPECT_GT(start, sets / 4);  // this one is exact
  EXPECT_LE(uniform, most_of(sets, 0.45));
  EXPECT_LE(hold_out, most_of(sets, 0.6));
  EXPECT_EQ(refused, 0);
}

// The hold-out kind from its formula.
TEST(AutoregressiveHoldOut, IsItsFormula) {
  const Case c = make_case(2, 5, 1, 31);
  const Sizes s = c.system.sizes();
  const Disturbances data = sample_disturbances(c.law, test_stream(31, 0), 80);
  const Evidence all = evidence_of(data);
  const Evidence fresh = evidence_of({data.w.topRows(30), {}});
  Assumptions assumptions;
  assumptions.autoregressive = 1;
  const Response lqr = lqr_response(c.system);
  FixedSetting setting{c.system, lqr, assumptions, fresh, thirds};
  setting.all = &all;
  const Certificate found = fixed_response_kind("hold-out-identified").evaluate(setting);
  const AutoregressiveModel model = autoregressive_model(all, s, 1, thirds);
  const ColouredLoop loop = coloured_loop(model, c.M, s);
  const Expansion e = expand(loop.loop, model.set);
  // Item 6 of docs/theory/identified-cost.md from the eigenvalues of the other Gram matrix.
  const Matrix N0 = c.M * loop.root;
  const Vector eigenvalues =
      Eigen::SelfAdjointEigenSolver<Matrix>(N0.transpose() * N0).eigenvalues().reverse();
  Vector caps(std::min(N0.rows(), N0.cols()));
  for (Index k = 0; k < caps.size(); ++k)
    caps(k) =
        std::pow(std::sqrt(eigenvalues.head(k + 1).cwiseMax(0.0).sum()) + e.n1 + e.n2 + e.n3, 2);
  const double mean = (data.w.topRows(30) * c.M.transpose()).rowwise().squaredNorm().mean();
  const FilledBound bound = filled_bound(caps, mean, 30, 0.02);
  EXPECT_NEAR(found.value, bound.value, 1e-8 * found.value);
  EXPECT_NEAR(*found.lambda, bound.lambda, 1e-6 * bound.lambda);
  EXPECT_LT(found.value, 0.99 * mean / centred_factor(30, 0.02));  // the model says something
  EXPECT_EQ(found.n, 30);
}

// Disturbances of lower rank than the state: the same answer as in the directions that they have.
// A wave of order two that was there before the first step: w_1 follows from w_0 by least squares
// of that step alone, row by row, and not by the first lag of the model.
TEST(AutoregressiveFirstSteps, HaveCoefficientsOfTheirOwn) {
  const Sizes sizes = state_feedback(2, 1, 8);
  const Index n = 300, before = 40;
  const Matrix v = standard_normal_rows(test_stream(61, 0), 0, n, 2 * (before + 9));
  Disturbances data{Matrix::Zero(n, sizes.d_w())};
  for (Index i = 0; i < n; ++i) {
    Vector last = Vector::Zero(2), older = last;
    for (Index t = 0; t < before + 8; ++t) {
      const Vector now = 1.5 * last - 0.8 * older + v.row(i).segment(2 * t, 2).transpose();
      if (t >= before) data.w.row(i).segment(2 * (t - before + 1), 2) = now.transpose();
      older = last;
      last = now;
    }
    data.w.row(i).head(2) = v.row(i).tail(2);
  }
  const AutoregressiveFit fit = fit_autoregressive(evidence_of(data), sizes, 2);
  ASSERT_EQ(fit.lags(), 2);
  ASSERT_EQ(fit.first.size(), 1u);
  const Matrix own = data.w.middleCols(2, 2)
                         .colPivHouseholderQr()
                         .solve(Matrix(data.w.middleCols(4, 2)))
                         .transpose();
  EXPECT_LT((fit.first[0] - own).norm(), 1e-9);
  // The correlation of a step with the next, 1.5 / 1.8, not the coefficient 1.5.
  EXPECT_LT((own - 1.5 / 1.8 * Matrix::Identity(2, 2)).norm(), 0.2);
  EXPECT_LT((fit.Phi.leftCols(2) - 1.5 * Matrix::Identity(2, 2)).norm(), 0.2);
}

TEST(AutoregressiveSupport, FewerDirectionsThanStates) {
  const Case one = make_case(1, 5, 1, 5);
  const Disturbances data = sample_disturbances(one.law, test_stream(9, 0), 60);
  const Index T = 5;
  Matrix wide(data.n(), (T + 1) * 3);
  const Eigen::RowVector3d shape(1.0, -200.0, 0.003);
  for (Index t = 0; t <= T; ++t) wide.middleCols(3 * t, 3) = data.w.col(t) * shape;
  const Sizes sizes = state_feedback(3, 1, T);
  const Evidence e = evidence_of({wide, {}});
  const AutoregressiveModel found = autoregressive_model(e, sizes, 1, thirds);
  const AutoregressiveModel expected =
      autoregressive_model(evidence_of(data), state_feedback(1, 1, T), 1, thirds);
  ASSERT_EQ(found.support.size(), 1);
  EXPECT_NEAR(found.set.Theta_hat(0, 0), expected.set.Theta_hat(0, 0), 1e-9);
  EXPECT_NEAR(found.set.beta, expected.set.beta, 1e-8);
  EXPECT_LT((found.support.basis * found.support.inverse * wide.row(7).tail(3).transpose() -
             wide.row(7).tail(3).transpose())
                .norm(),
            1e-9 * wide.row(7).tail(3).norm());
}

TEST(AutoregressiveSupport, UnitsDoNotMatter) {
  const Case c = make_case(2, 5, 1, 21);
  const Disturbances data = sample_disturbances(c.law, test_stream(10, 0), 50);
  const Eigen::Vector2d unit(1e-4, 3e5);
  Disturbances scaled = data;
  for (Index t = 0; t <= 5; ++t)
    for (Index k = 0; k < 2; ++k) scaled.w.col(2 * t + k) *= unit(k);
  System system = c.system;
  system.plant.A[0] = unit.asDiagonal() * c.system.plant.A[0] * unit.cwiseInverse().asDiagonal();
  system.plant.B[0] = unit.asDiagonal() * c.system.plant.B[0];
  const Vector weight = unit.cwiseInverse().cwiseAbs2();
  system.cost.Q[0] = weight.asDiagonal();
  system.cost.P = weight.asDiagonal();
  Assumptions assumptions;
  assumptions.autoregressive = 1;
  for (const char* kind : {"identified", "hold-out-identified"}) {
    const Evidence a = evidence_of(data), b = evidence_of(scaled);
    const Response here = lqr_response(c.system), there = lqr_response(system);
    const double value =
        fixed_response_kind(kind).evaluate({c.system, here, assumptions, a, thirds}).value;
    const double other =
        fixed_response_kind(kind).evaluate({system, there, assumptions, b, thirds}).value;
    EXPECT_NEAR(other, value, 1e-7 * value) << kind;
  }
}

}  // namespace
}  // namespace loopcert::testing
