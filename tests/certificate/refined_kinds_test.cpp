// The rank-aware, sampled and posterior-localized certificates recomputed on dense tensors M_k,
// with infima by trisection.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "certificate/kinds.hpp"
#include "chance.hpp"
#include "loopcert/core/error.hpp"
#include "random_bound.hpp"
#include "response/space.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

class Refined : public RandomBound {
 protected:
  Refined() : RandomBound(14) {
    law =
        Law{0.3 * random_matrix(d, 1, seed + 5), root * root.transpose() / static_cast<double>(d)};
  }

  Certificate certificate(const std::string& name) {
    assumptions.law = posterior_kind(name).oracle ? std::optional(law) : std::nullopt;
    Deltas delta;
    for (const std::string& event : posterior_kind(name).events) delta[event] = 0.02;
    return evaluate(name, delta);
  }
  double rate() const { return RandomBound::rate(0.02); }
  double eps() const {
    const double a = std::sqrt(static_cast<double>(d) / n) + std::sqrt(2 * std::log(2 / 0.02) / n);
    return 1.3 * (2 * a + a * a);
  }
  Matrix U() const {
    Matrix full = Matrix::Zero(space.coordinates.pattern.cols(), space.coordinates.pattern.cols());
    full.bottomRightCorner(d, d) = data.w.transpose() * data.w / n + eps() * Matrix::Identity(d, d);
    return full;
  }
  double offset_moment() const {  // 2 q(U, e_0 e_0')
    if (!space.coordinates.pattern.constant) return 0;
    Matrix B = Matrix::Zero(space.coordinates.pattern.cols(), space.coordinates.pattern.cols());
    B(0, 0) = 1;
    return 2 * dense_quartic(form, mean, variance, U(), B);
  }
  // Everything but the complexity.
  double outside() const {
    double sum = empirical(dense_M(form, mean));
    for (size_t k = 0; k < form.M.size(); ++k)
      sum += eps() * variance(static_cast<Index>(k)) * form.M[k].rightCols(d).squaredNorm();
    return sum;
  }
  Infimum rank_aware() const {
    const double C = dense_quartic(form, mean, variance, U(), U()), offset = offset_moment();
    const auto r = static_cast<double>(d);
    return infimum(rate(), [&](double lambda) {
      return r * f(lambda * std::sqrt(C / r)) + lambda * lambda * offset;
    });
  }

  Law law;  // given to oracle kinds only
};

TEST_P(Refined, RankAware) {
  SCOPED_TRACE(shape_text(shape));
  const double value = outside() + rank_aware().value;
  const Certificate c = certificate("data-driven-rank-aware");
  EXPECT_NEAR(c.value, value, 1e-8 * value);
  EXPECT_NEAR(*c.lambda, rank_aware().lambda, 1e-4 * rank_aware().lambda);
}

// Never above the rank-aware bound, and at its lambda not below E_rho of the exact cumulant, which
// 1,000 other draws estimate.
TEST_P(Refined, Exact) {
  SCOPED_TRACE(shape_text(shape));
  const Infimum start = rank_aware();
  const double complexity = certificate("data-driven-exact").terms.back().value;
  EXPECT_LE(complexity, start.value * (1 + 1e-9));
  const Index N = 1000;
  Vector cgf(N);
  for (Index i = 0; i < N; ++i) {
    const Matrix Z =
        sample_posterior(posterior, test_stream(seed, 55), static_cast<std::uint64_t>(i));
    const Matrix M = dense_M(form, pack(space.coordinates.pattern, Z));
    const Vector mu =
        space.coordinates.pattern.constant ? Vector(M.col(0)) : Vector(Vector::Zero(M.rows()));
    const Matrix Sigma = M * U() * M.transpose();
    const Matrix W = Matrix::Identity(M.rows(), M.rows()) + 2 * start.lambda * Sigma;
    cgf(i) = start.lambda * (Sigma.trace() + mu.squaredNorm()) - 0.5 * std::log(W.determinant()) -
             start.lambda * mu.dot(W.inverse() * mu);
  }
  const double error = std::sqrt((cgf.array() - cgf.mean()).square().mean() / 1000.0);
  EXPECT_GE(complexity, (rate() + cgf.mean() - sigmas * error) / start.lambda);
}

// log E_rho exp(lambda L) with G_kl = tr(M_k S M_l') and the gradient from dense tensors.
TEST_P(Refined, PosteriorLocalized) {
  SCOPED_TRACE(shape_text(shape));
  Vector mu = Vector::Ones(space.coordinates.pattern.cols());
  mu.tail(d) = law.mean;
  Matrix S = mu * mu.transpose();
  S.bottomRightCorner(d, d) += law.covariance;
  const Matrix M = dense_M(form, mean);
  const auto p = static_cast<Index>(form.M.size());
  Matrix G(p, p);
  Vector g(p);
  double spread = 0;
  for (Index k = 0; k < p; ++k) {
    const Matrix& M_k = form.M[static_cast<size_t>(k)];
    for (Index l = 0; l < p; ++l)
      G(k, l) = std::sqrt(variance(k) * variance(l)) *
                (M_k * S * form.M[static_cast<size_t>(l)].transpose()).trace();
    g(k) = std::sqrt(variance(k)) * (M_k * S * M.transpose()).trace();
    spread += variance(k) * empirical(M_k);
  }
  const double L = (M * S * M.transpose()).trace();
  const auto psi = [&](double lambda) {
    const Eigen::LLT<Matrix> W(Matrix::Identity(p, p) - 2 * lambda * G);
    if (W.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
    return lambda * L - Matrix(W.matrixL()).diagonal().array().log().sum() +
           2 * lambda * lambda * g.dot(W.solve(g));
  };
  const double value = empirical(M) + spread + infimum(rate(), psi).value;
  EXPECT_NEAR(certificate("posterior-localized").value, value, 1e-7 * value);
}

INSTANTIATE_TEST_SUITE_P(Random, Refined, ::testing::Range(1, 9));

TEST(Posterior, HasNoVarianceOffThePattern) {
  const ResponseSpace space = make_response_space(double_integrator(), {});
  Posterior posterior{Matrix::Zero(10, 22), unpack(space.coordinates.pattern, Vector::Ones(110))};
  EXPECT_NO_THROW(check_posterior(posterior, space.coordinates.pattern));
  posterior.variance(0, 2) = 1e-3;  // u_0 does not see w_0
  EXPECT_THROW(check_posterior(posterior, space.coordinates.pattern), InputError);
  Prior prior{Matrix::Zero(10, 22), 1.0};
  EXPECT_NO_THROW(check_prior(prior, space.coordinates.pattern));
  prior.center(0, 2) = 1e-3;
  EXPECT_THROW(check_prior(prior, space.coordinates.pattern), InputError);
}

}  // namespace
}  // namespace loopcert::testing
