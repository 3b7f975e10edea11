// The sampled cumulant recomputed from its definition, with the cumulant as a determinant.
#include "certificate/sampled_cgf.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "chance.hpp"
#include "dense_bound.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

// eq:exact-gaussian-cgf as written.
double direct_cgf(const Matrix& Sigma, const Vector& mu, double lambda) {
  const Matrix W = Matrix::Identity(Sigma.rows(), Sigma.cols()) + 2 * lambda * Sigma;
  return lambda * (Sigma.trace() + mu.squaredNorm()) - 0.5 * std::log(W.determinant()) -
         lambda * mu.dot(W.inverse() * mu);
}

struct Sampled {
  double closed_form = 0, saving = 0;
  int clipped = 0;
};

// docs/theory/sampled-cgf.md, draw by draw.
Sampled recompute(const System& system, const ResponseSpace& space, const Posterior& posterior,
                  const Vector& mean, const Matrix& covariance, double lambda, double C,
                  double mean_term, double delta, Index draws, const Stream& stream) {
  const auto r = static_cast<double>(mean.size());
  const double q_0 = lambda * lambda * C / r;
  const auto h = [](double q) { return std::sqrt(q) - 0.5 * std::log(1 + 2 * std::sqrt(q)); };
  Sampled result;
  result.closed_form = r * h(q_0) + lambda * lambda * mean_term;
  Vector D(draws);
  for (Index k = 0; k < draws; ++k) {
    const Matrix Z = sample_posterior(posterior, stream, static_cast<std::uint64_t>(k));
    const auto y =
        weighted_response(system.cost, system.sizes(), response_at(system, space.coordinates, Z));
    const Matrix Sigma = y.M * covariance * y.M.transpose();
    const Vector mu = y.M * mean + y.m;
    const double tangent =
        r * h(q_0) + (lambda * lambda * Sigma.squaredNorm() - r * q_0) / (1 + 2 * std::sqrt(q_0));
    D(k) = tangent + 2 * lambda * lambda * mu.dot(Sigma * mu) - direct_cgf(Sigma, mu, lambda);
    EXPECT_GE(D(k), -1e-9 * (1 + std::abs(tangent)));  // a majorant
    if (D(k) > result.closed_form) {
      D(k) = result.closed_form;
      ++result.clipped;
    }
  }
  const auto N = static_cast<double>(draws);
  double variance = 0;  // over pairs: (1 / (N (N - 1))) sum_{k<l} (D_k - D_l)^2
  for (Index k = 0; k < draws; ++k)
    for (Index l = 0; l < k; ++l) variance += (D(k) - D(l)) * (D(k) - D(l)) / (N * (N - 1));
  const double log_term = std::log(2 / delta);
  result.saving = std::max(0.0, D.sum() / N - std::sqrt(2 * variance * log_term / N) -
                                    7 * result.closed_form * log_term / (3 * (N - 1)));
  return result;
}

TEST(SampledCgf, IsItsDefinition) {
  int clipped = 0, saved = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed)
    for (const double width : {0.05, 3.0}) {
      Shape shape = random_shape(seed);
      shape.T = std::min<Index>(shape.T, 2);
      shape.n_u = std::min<Index>(shape.n_u, 2);
      SCOPED_TRACE(shape_text(shape));
      const System system = random_system(shape, seed);
      const ResponseSpace space = make_response_space(system, {.affine = seed % 2 == 0});
      const Index d = system.sizes().d_w();
      const Posterior posterior{
          0.3 * random_coordinates(space.coordinates.pattern, seed + 1),
          width * random_coordinates(space.coordinates.pattern, seed + 2).cwiseAbs2()};
      const Matrix root = random_matrix(d, d, seed + 3);
      const Matrix covariance = root * root.transpose() / static_cast<double>(d);
      const Vector mean = 0.3 * random_matrix(d, 1, seed + 4);

      const DenseForm form = dense_form(system, space);
      Matrix U = Matrix::Zero(space.coordinates.pattern.cols(), space.coordinates.pattern.cols());
      U.bottomRightCorner(d, d) = covariance;
      Vector mu = Vector::Ones(space.coordinates.pattern.cols());
      mu.tail(d) = mean;
      const Vector center = pack(space.coordinates.pattern, posterior.mean);
      const Vector variance = pack(space.coordinates.pattern, posterior.variance);
      const double C = dense_quartic(form, center, variance, U, U);
      const double mean_term = 2 * dense_quartic(form, center, variance, U, mu * mu.transpose());
      const double lambda = 1 / std::sqrt(C);

      const SampledCgf ours = sampled_cgf(system, space, posterior, mean, covariance, lambda, C,
                                          mean_term, 0.05, 400, test_stream(seed, 7));
      const Sampled again = recompute(system, space, posterior, mean, covariance, lambda, C,
                                      mean_term, 0.05, 400, test_stream(seed, 7));
      EXPECT_NEAR(ours.closed_form, again.closed_form, 1e-9 * again.closed_form);
      EXPECT_NEAR(ours.saving, again.saving, 1e-9 * again.closed_form);
      EXPECT_LE(ours.upper(), ours.closed_form);
      if (again.saving > 0) {
        ++saved;
        clipped += again.clipped;
      }
    }
  EXPECT_GT(saved, 0);    // else the comparison says little
  EXPECT_GT(clipped, 0);  // likewise
}

TEST(EmpiricalBernstein, IsTheFormula) {
  const Vector values{{0.0, 1.0, 2.0, 2.0, 5.0}};
  const double log_term = std::log(2 / 0.1);
  EXPECT_NEAR(empirical_bernstein_lower(values, 6.0, 0.1),
              2.0 - std::sqrt(2 * 3.5 * log_term / 5) - 7 * 6.0 * log_term / (3 * 4), 1e-12);
}

// 1 with probability 0.98, else 0: 36 % of the samples of 50 see no 0 and have no variance. At
// delta = 0.1 the bound may lie above the mean in at most 10 % of 2,000 repetitions.
TEST(EmpiricalBernstein, CoversValuesThatAreRarelySmall) {
  int failures = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    Vector u(50);
    fill_uniform(test_stream(i, 4), 0, {u.data(), 50});
    const Vector values = (u.array() < 0.98).cast<double>();
    failures += empirical_bernstein_lower(values, 1.0, 0.1) > 0.98;
  }
  EXPECT_LE(failures, most_of(2000, 0.1));
}

}  // namespace
}  // namespace loopcert::testing
