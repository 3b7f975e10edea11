// The rank-aware and posterior-localized certificates recomputed on dense tensors M_k,
// with infima by trisection.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
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
    const Vector least =
        (data.w.colwise().squaredNorm().transpose() / n).cwiseMin(eps());  // of both mismatches
    for (size_t k = 0; k < form.M.size(); ++k)
      sum += variance(static_cast<Index>(k)) *
             form.M[k].rightCols(d).colwise().squaredNorm().dot(least.transpose());
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

// The posterior-localized numbers by definition: G_kl = tr(M_k S M_l') and the gradient from dense
// tensors.
struct DenseMoment {
  Matrix S, M, G;  // G: D^1/2 G D^1/2
  Vector mu, g;
  double L = 0, spread = 0;

  // log E_rho exp(lambda L)
  double log_moment(double lambda) const {
    const Eigen::LLT<Matrix> W(Matrix::Identity(G.rows(), G.rows()) - 2 * lambda * G);
    if (W.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
    return lambda * L - Matrix(W.matrixL()).diagonal().array().log().sum() +
           2 * lambda * lambda * g.dot(W.solve(g));
  }
};

class Localization : public Refined {
 protected:
  DenseMoment dense() const {
    DenseMoment at;
    at.mu = Vector::Ones(space.coordinates.pattern.cols());
    at.mu.tail(d) = law.mean;
    at.S = at.mu * at.mu.transpose() + covariance();
    at.M = dense_M(form, mean);
    const auto p = static_cast<Index>(form.M.size());
    at.G.resize(p, p);
    at.g.resize(p);
    for (Index k = 0; k < p; ++k) {
      const Matrix& M_k = form.M[static_cast<size_t>(k)];
      for (Index l = 0; l < p; ++l)
        at.G(k, l) = std::sqrt(variance(k) * variance(l)) *
                     (M_k * at.S * form.M[static_cast<size_t>(l)].transpose()).trace();
      at.g(k) = std::sqrt(variance(k)) * (M_k * at.S * at.M.transpose()).trace();
      at.spread += variance(k) * empirical(M_k);
    }
    at.L = (at.M * at.S * at.M.transpose()).trace();
    return at;
  }
  Matrix covariance() const {
    Matrix full = Matrix::Zero(space.coordinates.pattern.cols(), space.coordinates.pattern.cols());
    full.bottomRightCorner(d, d) = law.covariance;
    return full;
  }

  // The tilted posterior as M = middle + sum_k eta_k B[k], eta standard normal.
  struct Tilted {
    Matrix middle;
    std::vector<Matrix> B;
  };
  Tilted tilted(const DenseMoment& at, double lambda) const {
    const Index p = at.G.rows();
    const Matrix precision = Matrix::Identity(p, p) - 2 * lambda * at.G;
    const Matrix factor = Matrix(precision.inverse()).llt().matrixL();
    const Vector sigma = variance.cwiseSqrt();
    const Vector shift = sigma.cwiseProduct(2 * lambda * precision.inverse() * at.g);
    Tilted t{at.M, {}};
    for (Index l = 0; l < p; ++l) t.middle += shift(l) * form.M[static_cast<size_t>(l)];
    for (Index k = 0; k < p; ++k) {
      t.B.push_back(Matrix::Zero(at.M.rows(), at.M.cols()));
      for (Index l = k; l < p; ++l)
        t.B.back() += sigma(l) * factor(l, k) * form.M[static_cast<size_t>(l)];
    }
    return t;
  }
  // E_z Var ||M z||^2 over pairs of directions: z'Kz is 2 z'middle'B_k z times eta_k, and z'B_k'B_l
  // z times eta_k eta_l.
  static double mean_variance(const Tilted& t, const Vector& m, const Matrix& C) {
    const auto square = [&](const Matrix& any) {  // E (z'Az)^2
      const Matrix A = 0.5 * (any + any.transpose());
      const double mean = (A * C).trace() + m.dot(A * m);
      return mean * mean + 2 * (A * C * A * C).trace() + 4 * m.dot(A * C * A * m);
    };
    double sum = 0;
    for (const Matrix& B_k : t.B) {
      sum += square(2 * t.middle.transpose() * B_k);
      for (const Matrix& B_l : t.B) sum += 2 * square(B_k.transpose() * B_l);
    }
    return sum;
  }
  double joint(const DenseMoment& at, double lambda) const {
    const Tilted t = tilted(at, lambda);
    Matrix K = t.middle.transpose() * t.middle;
    for (const Matrix& B : t.B) K += B.transpose() * B;
    const Matrix C = covariance();
    const Matrix A = Matrix::Identity(K.rows(), K.cols()) + 2 * lambda * C * K;
    const double phi =
        std::exp(-lambda * at.mu.dot(K * A.inverse() * at.mu)) / std::sqrt(A.determinant());
    const double near = mean_variance(t, A.inverse() * at.mu, A.inverse() * C);
    const double rest =
        phi * (1 + lambda * lambda * near / 2) + lambda * lambda * mean_variance(t, at.mu, C) / 100;
    return at.log_moment(lambda) + std::log(std::min(rest, 1.0));
  }
};

// Of a law whose moments alone are known.
TEST_P(Localization, AnyLaw) {
  SCOPED_TRACE(shape_text(shape));
  assumptions.model = "any";
  const DenseMoment at = dense();
  const auto psi = [&](double lambda) { return at.log_moment(lambda); };
  const double value = empirical(at.M) + at.spread + infimum(rate(), psi).value;
  const Certificate c = certificate("posterior-localized");
  EXPECT_NEAR(c.value, value, 1e-7 * value);
  EXPECT_EQ(c.assumptions[0].id, "any-law");
}

TEST_P(Localization, Gaussian) {
  SCOPED_TRACE(shape_text(shape));
  const DenseMoment at = dense();
  const Certificate c = certificate("posterior-localized");
  EXPECT_EQ(c.assumptions[0].id, "gaussian");
  const double lambda = *c.lambda, outside = empirical(at.M) + at.spread;
  const auto value = [&](double l) { return outside + (rate() + joint(at, l)) / l; };
  EXPECT_NEAR(c.value, value(lambda), 1e-8 * c.value);
  EXPECT_LE(c.value, value(0.9 * lambda));
  EXPECT_LE(c.value, value(1.1 * lambda));
  const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(at.G).eigenvalues();
  const double end = 1 / (2 * eigenvalues.maxCoeff());
  EXPECT_NEAR(c.events[0].statement.parameters.at("lambda_end"), end, 1e-9 * end);
  EXPECT_LT(lambda, end);
}

// Draws of the tilted posterior estimate the joint cumulant itself: the bound is not below, and
// near where the certificate looks.
TEST_P(Localization, IsAboveTheJointCumulant) {
  SCOPED_TRACE(shape_text(shape));
  const DenseMoment at = dense();
  const Certificate c = certificate("posterior-localized");
  const double lambda = *c.lambda;
  const double psi = lambda * c.terms.back().value - rate();
  const Tilted t = tilted(at, lambda);
  const Matrix C = covariance();
  const Index N = 4000;
  Vector value(N);
  for (Index i = 0; i < N; ++i) {
    Vector eta(static_cast<Index>(t.B.size()));
    fill_standard_normal(test_stream(seed, 77), static_cast<std::uint64_t>(i),
                         {eta.data(), static_cast<size_t>(eta.size())});
    Matrix M = t.middle;
    for (Index k = 0; k < eta.size(); ++k) M += eta(k) * t.B[static_cast<size_t>(k)];
    const Matrix W = Matrix::Identity(M.rows(), M.rows()) + 2 * lambda * M * C * M.transpose();
    const Vector mu = M * at.mu;
    value(i) = std::exp(-lambda * mu.dot(W.inverse() * mu)) / std::sqrt(W.determinant());
  }
  const double error = std::sqrt((value.array() - value.mean()).square().mean() / N) / value.mean();
  const double truth = at.log_moment(lambda) + std::log(value.mean());
  EXPECT_GE(psi, truth - sigmas * error);
  EXPECT_LE(psi, truth + 0.35 * (psi + rate()));
}

INSTANTIATE_TEST_SUITE_P(Random, Localization, ::testing::Range(1, 9));

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
