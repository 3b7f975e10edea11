// Posteriors in frames and priors that are not isotropic, against tensors M_k of a rotated basis
// and dense covariances.
#include "certificate/frame.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "certificate/prior_kl.hpp"
#include "random_bound.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

enum class Kind { turned, mixed, kronecker, full };
enum class Shaped { isotropic, diagonal, kronecker, full };

class FramedBound : public RandomBound {
 protected:
  FramedBound() : RandomBound(9) {
    // mixes and full covariances are for responses without a constant
    space = make_response_space(system, {});
    if (space.coordinates.pattern.constant) return;
    const CausalPattern& pattern = space.coordinates.pattern;
    prior = {0.1 * random_coordinates(pattern, seed + 1), 0.7};
    posterior.mean = 0.5 * random_coordinates(pattern, seed + 2);
    posterior.variance = 0.2 * random_coordinates(pattern, seed + 3).cwiseAbs2();
    form = dense_form(system, space);
    mean = pack(pattern, posterior.mean);
    variance = pack(pattern, posterior.variance);
  }

  // Far enough from singular to differentiate.
  static Matrix lower(Index size, std::uint64_t stream) {
    Matrix L = Matrix::Identity(size, size) + 0.2 * random_matrix(size, size, stream);
    L.triangularView<Eigen::StrictlyUpper>().setZero();
    L.diagonal() = L.diagonal().cwiseAbs().array() + 0.5;
    return L;
  }

  SharedFrame frame_of(Kind kind) const {
    const CausalPattern& pattern = space.coordinates.pattern;
    const Index rows = pattern.rows(), cols = pattern.cols(), p = pattern.count();
    Frame frame{pattern, {}, {}, {}, {}};
    if (kind == Kind::full) {
      frame.full = Matrix::Identity(p, p) + 0.3 * random_matrix(p, p, seed + 60);
    } else if (kind == Kind::kronecker) {
      frame.turns = {lower(rows, seed + 61)};
      frame.turn_of.assign(static_cast<size_t>(cols), 0);
      frame.mix = lower(cols, seed + 62);
    } else {
      for (Index j = 0; j < cols; ++j) {
        frame.turns.push_back(
            Matrix::Identity(rows, rows) +
            0.3 * random_matrix(rows, rows, seed + 63 + static_cast<std::uint64_t>(j)));
        frame.turn_of.push_back(j);
      }
      if (kind == Kind::mixed) frame.mix = lower(cols, seed + 62);
    }
    return std::make_shared<const Frame>(std::move(frame));
  }

  std::shared_ptr<const PriorShape> shape_of(Shaped shaped) const {
    const CausalPattern& pattern = space.coordinates.pattern;
    if (shaped == Shaped::isotropic) return nullptr;
    PriorShape made;
    if (shaped == Shaped::diagonal)
      made = {
          "diagonal",
          unpack(pattern,
                 Vector(pack(pattern, random_coordinates(pattern, seed + 70)).cwiseAbs().array() +
                        0.3)),
          {},
          {},
          {}};
    if (shaped == Shaped::kronecker)
      made = {
          "kronecker", {}, lower(pattern.rows(), seed + 71), lower(pattern.cols(), seed + 72), {}};
    if (shaped == Shaped::full) {
      const Index p = pattern.count();
      made = {"full", {}, {}, {}, Matrix::Identity(p, p) + 0.3 * random_matrix(p, p, seed + 73)};
    }
    return std::make_shared<const PriorShape>(std::move(made));
  }

  // The prior's factor as a p x p matrix, column by column.
  Matrix prior_matrix() const {
    const CausalPattern& pattern = space.coordinates.pattern;
    const Index p = pattern.count();
    Matrix D = Matrix::Identity(p, p);
    for (Index k = 0; k < p && prior.shape; ++k) {
      const Matrix unit = unpack(pattern, Vector::Unit(p, k));
      const PriorShape& s = *prior.shape;
      if (s.full.size() > 0)
        D.col(k) = s.full.col(k);
      else if (s.deviation.size() > 0)
        D.col(k) = pack(pattern, s.deviation.cwiseProduct(unit));
      else
        D.col(k) = pack(pattern, s.rows * unit * s.columns);
    }
    return prior.scale * D;
  }

  double dense_kl() const {
    const Matrix B = frame_matrix(*posterior.frame), D = prior_matrix();
    const Matrix S0 = D * D.transpose(), S1 = B * variance.asDiagonal() * B.transpose();
    const Vector step = mean - pack(space.coordinates.pattern, prior.center);
    const auto log_det = [](const Matrix& A) { return std::log(std::abs(A.determinant())); };
    return 0.5 * ((S0.inverse() * S1).trace() + step.dot(S0.inverse() * step) -
                  static_cast<double>(step.size()) + log_det(S0) - log_det(S1));
  }

  // The tensors M_k in the frame's own basis: there the covariance is diagonal.
  DenseForm turned_form() const {
    const Matrix B = frame_matrix(*posterior.frame);
    DenseForm turned = form;
    for (size_t k = 0; k < form.M.size(); ++k) {
      turned.M[k].setZero();
      for (size_t a = 0; a < form.M.size(); ++a)
        turned.M[k] += B(static_cast<Index>(a), static_cast<Index>(k)) * form.M[a];
    }
    for (size_t a = 0; a < form.M.size(); ++a)
      turned.M_0 += mean(static_cast<Index>(a)) * form.M[a];
    return turned;
  }
};

TEST_P(FramedBound, EqualsTheDenseTensors) {
  if (space.coordinates.pattern.constant || space.coordinates.p() > 30) return;
  Assumptions stated = assumptions;
  const Matrix Sigma_hat = data.w.transpose() * data.w / n;
  for (const Kind kind : {Kind::turned, Kind::mixed, Kind::kronecker, Kind::full})
    for (const Shaped shaped :
         {Shaped::isotropic, Shaped::diagonal, Shaped::kronecker, Shaped::full}) {
      SCOPED_TRACE(static_cast<int>(kind) * 10 + static_cast<int>(shaped));
      posterior.frame = frame_of(kind);
      prior.shape = shape_of(shaped);
      check_posterior(posterior, space.coordinates.pattern);
      check_prior(prior, space.coordinates.pattern);
      const double kl = dense_kl();
      EXPECT_NEAR(kl_divergence(posterior, prior, space.coordinates.pattern), kl,
                  1e-9 * std::max(1.0, kl));
      const DenseForm turned = turned_form();
      const Vector zero = Vector::Zero(mean.size());
      for (const char* name : {"data-driven", "data-driven-randomized", "scale"}) {
        const PosteriorKind& posterior_of = posterior_kind(name);
        const Setting setting{system, space, stated, evidence,
                              split_delta(posterior_of.events, 0.1, {})};
        const BoundInputs in = posterior_of.setup(setting).inputs;
        const BoundValue bound = evaluate_bound(space.cost, in, prior, posterior);
        EXPECT_NEAR(bound.kl, kl, 1e-9 * std::max(1.0, kl));
        const double C = dense_quartic(turned, zero, variance, in.U, in.U);
        EXPECT_NEAR(bound.C, C, 1e-9 * C);
        double empirical = 0, spread = 0;
        for (Index i = 0; i < data.n(); ++i)
          empirical += (turned.M_0 * data.w.row(i).transpose()).squaredNorm() / n;
        const Matrix T = kind == Kind::turned ? Matrix(in.spread.asDiagonal()) : in.spread_matrix;
        for (size_t k = 0; k < turned.M.size(); ++k)
          spread +=
              variance(static_cast<Index>(k)) * (turned.M[k] * T * turned.M[k].transpose()).trace();
        EXPECT_NEAR(bound.empirical, empirical, 1e-9 * empirical);
        EXPECT_NEAR(bound.spread, spread, 1e-9 * std::abs(spread));
      }
    }
}

TEST_P(FramedBound, GradientsMatchDifferences) {
  if (space.coordinates.pattern.constant || space.coordinates.p() > 60) return;
  const PosteriorKind& kind_of = posterior_kind("data-driven-rank-aware");
  const Setting setting{system, space, assumptions, evidence, split_delta(kind_of.events, 0.1, {})};
  const BoundInputs in = kind_of.setup(setting).inputs;
  const CausalPattern& pattern = space.coordinates.pattern;
  for (const Kind kind : {Kind::turned, Kind::mixed, Kind::kronecker, Kind::full})
    for (const Shaped shaped : {Shaped::isotropic, Shaped::kronecker, Shaped::full}) {
      SCOPED_TRACE(static_cast<int>(kind) * 10 + static_cast<int>(shaped));
      posterior.frame = frame_of(kind);
      prior.shape = shape_of(shaped);
      MomentGradient gradient;
      const BoundValue at = evaluate_bound(space.cost, in, prior, posterior, &gradient);
      const Matrix dZ = random_coordinates(pattern, seed + 80);
      const Matrix dV = random_coordinates(pattern, seed + 81).cwiseProduct(posterior.variance);
      const auto slope = [&](double h) {
        const Posterior up{posterior.mean + h * dZ, posterior.variance + h * dV, posterior.frame};
        const Posterior down{posterior.mean - h * dZ, posterior.variance - h * dV, posterior.frame};
        return (evaluate_bound(space.cost, in, prior, up).value -
                evaluate_bound(space.cost, in, prior, down).value) /
               (2 * h);
      };
      const double h = 1e-3, expected = (4 * slope(h / 2) - slope(h)) / 3;
      const double found =
          gradient.d_mean.cwiseProduct(dZ).sum() + gradient.d_variance.cwiseProduct(dV).sum();
      EXPECT_NEAR(found, expected, 1e-6 * (std::abs(expected) + at.value));
    }
}

// F'(precision)F has the diagonal 1/V + 2 dbound/dV / per_kl: both say what a stationary V is.
TEST_P(FramedBound, StationaryPrecisionAgreesWithTheSlopes) {
  if (space.coordinates.pattern.constant || space.coordinates.p() > 60) return;
  const PosteriorKind& kind_of = posterior_kind("data-driven");
  const Setting setting{system, space, assumptions, evidence, split_delta(kind_of.events, 0.1, {})};
  const BoundInputs in = kind_of.setup(setting).inputs;
  const CausalPattern& pattern = space.coordinates.pattern;
  Team team(1);
  for (const Kind kind : {Kind::turned, Kind::full})
    for (const Shaped shaped : {Shaped::isotropic, Shaped::diagonal}) {
      posterior.frame = frame_of(kind);
      prior.shape = shape_of(shaped);
      const auto evaluation = make_evaluation(space.cost, in, prior, team, posterior.frame);
      MomentGradient gradient;
      const BoundValue bound = evaluation->evaluate(posterior, &gradient);
      const std::vector<Matrix> precision = evaluation->stationary_precision(posterior);
      const double per_kl = bound.complexity.d_rate / (n - 1);
      Matrix whole = Matrix::Zero(pattern.count(), pattern.count());
      Index at = 0;
      for (const Matrix& one : precision) {
        whole.block(at, at, one.rows(), one.rows()) = one;
        at += one.rows();
      }
      const Matrix B = frame_matrix(*posterior.frame);
      const Vector found = (B.transpose() * whole * B).diagonal();
      const Vector expected =
          variance.cwiseInverse() + 2 / per_kl * pack(pattern, gradient.d_variance);
      EXPECT_LT((found - expected).norm(), 1e-8 * found.norm());
    }
}

TEST_P(FramedBound, DrawsHaveItsCovariance) {
  if (space.coordinates.pattern.constant || GetParam() > 2) return;
  const CausalPattern& pattern = space.coordinates.pattern;
  posterior.frame = frame_of(Kind::mixed);
  const Matrix B = frame_matrix(*posterior.frame);
  const Matrix Cov = B * variance.asDiagonal() * B.transpose();
  const Index draws = 20000;
  Matrix sum = Matrix::Zero(Cov.rows(), Cov.cols());
  for (Index i = 0; i < draws; ++i) {
    const Vector step = pack(pattern, sample_posterior(posterior, test_stream(seed, 90),
                                                       static_cast<std::uint64_t>(i))) -
                        mean;
    sum += step * step.transpose();
  }
  sum /= static_cast<double>(draws);
  // an entry's deviation is at most sqrt(2 C_kk C_ll / N): eight of them
  const Vector size = Cov.diagonal().cwiseSqrt();
  const Matrix off = (sum - Cov).cwiseAbs();
  for (Index k = 0; k < off.rows(); ++k)
    for (Index l = 0; l < off.cols(); ++l)
      EXPECT_LT(off(k, l), 8 * size(k) * size(l) * std::sqrt(2.0 / static_cast<double>(draws)));
}

INSTANTIATE_TEST_SUITE_P(Seeds, FramedBound, ::testing::Range(0, 12));

}  // namespace
}  // namespace loopcert::testing
