#include "loopcert/data/law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "core/linalg.hpp"
#include "core/text.hpp"
#include "data/moments.hpp"
#include "loopcert/core/error.hpp"
#include "same_bits.hpp"

namespace loopcert {
namespace {

bool is_diagonal(const Matrix& value) {
  for (Index j = 0; j < value.cols(); ++j)
    for (Index i = 0; i < value.rows(); ++i)
      if (i != j && value(i, j) != 0) return false;
  return true;
}

// n x d independent numbers with mean zero and variance one, row i from trajectory first + i.
Matrix unit_rows(LawShape shape, const Stream& stream, std::uint64_t first, Index n, Index d) {
  if (shape == LawShape::gaussian) return standard_normal_rows(stream, first, n, d);
  static const double half_width = std::sqrt(3.0);
  Matrix columns(d, n);
  for (Index i = 0; i < n; ++i)
    fill_uniform(stream, first + static_cast<std::uint64_t>(i),
                 {columns.col(i).data(), static_cast<size_t>(d)});
  return columns.transpose().unaryExpr([](double x) { return half_width * (2 * x - 1); });
}

// w_i = mean_i + sigma_i z_i. std::fma, so that the bits do not depend on what the compiler fuses.
Matrix sample_diagonal(const Law& law, const Stream& stream, std::uint64_t first, Index n) {
  const Vector sigma = law.covariance.diagonal().cwiseMax(0.0).cwiseSqrt();
  Matrix w = unit_rows(law.shape, stream, first, n, sigma.size());
  for (Index j = 0; j < w.cols(); ++j)
    for (Index i = 0; i < n; ++i) w(i, j) = std::fma(sigma(j), w(i, j), law.mean(j));
  return w;
}

// w = mean + factor z for n trajectories from `first` on, one per column.
Matrix sample_tile(const Law& law, const Matrix& factor, const Stream& stream, std::uint64_t first,
                   Index n) {
  Matrix w =
      plain_product(factor, unit_rows(law.shape, stream, first, n, law.mean.size()).transpose());
  for (Index j = 0; j < w.cols(); ++j)
    for (Index i = 0; i < w.rows(); ++i) w(i, j) += law.mean(i);
  return w;
}

Matrix sample_dense(const Law& law, const Stream& stream, std::uint64_t first, Index n) {
  constexpr Index tile = 64;  // work space for so many
  const Matrix factor = law_factor(law);
  Matrix w(n, law.mean.size());
  for (Index done = 0; done < n; done += tile) {
    const Index count = std::min(tile, n - done);
    const std::uint64_t start = first + static_cast<std::uint64_t>(done);
    w.middleRows(done, count) = sample_tile(law, factor, stream, start, count).transpose();
  }
  return w;
}

}  // namespace

std::string law_shape_name(LawShape shape) {
  return shape == LawShape::gaussian ? "gaussian" : "uniform";
}

Matrix law_factor(const Law& law) {
  if (is_diagonal(law.covariance)) return symmetric_sqrt(law.covariance);
  Matrix factor = plain_cholesky(law.covariance, 1e-10);
  return factor.size() > 0 ? factor : plain_pivoted_cholesky(law.covariance, 1e-14);
}

double law_reach(const Law& law) {
  if (law.shape == LawShape::gaussian)
    return law.covariance.isZero(0.0) ? law.mean.norm() : std::numeric_limits<double>::infinity();
  // A corner u of the cube, one sign at a time: each adds at least 3 |r_i|^2 to |mean + R u|^2.
  const Matrix R = law_factor(law);
  Vector w = law.mean;
  for (Index i = 0; i < R.cols(); ++i)
    w += (w.dot(R.col(i)) < 0 ? -1 : 1) * std::sqrt(3.0) * R.col(i);
  return w.norm();
}

void check_law(const Law& law, const Sizes& sizes) {
  check_size("disturbance.mean", law.mean, sizes.d_w(), 1);
  check_finite("disturbance.mean", law.mean);
  check_size("disturbance.covariance", law.covariance, sizes.d_w(), sizes.d_w());
  check_finite("disturbance.covariance", law.covariance);
  if (is_diagonal(law.covariance)) {
    Index at = 0;
    if (const double least = law.covariance.diagonal().minCoeff(&at); least < 0)
      throw_input_error("disturbance.covariance",
                        "variance " + number_text(least) + " at " + std::to_string(at),
                        "no negative variance");
    return;
  }
  check_symmetric("disturbance.covariance", law.covariance);
  // A Cholesky factorization is a proof and much cheaper than the eigenvalues of the rare rest.
  if (lower_cholesky_or_empty(law.covariance).size() == 0)
    check_positive_semidefinite("disturbance.covariance", law.covariance);
}

Moments law_moments(const Law& law) {
  return {law.mean, law.covariance + law.mean * law.mean.transpose()};
}

Disturbances sample_disturbances(const Law& law, const Stream& stream, Index n,
                                 std::uint64_t first) {
  check_at_least("trajectories to sample", n, 1);
  return {is_diagonal(law.covariance) ? sample_diagonal(law, stream, first, n)
                                      : sample_dense(law, stream, first, n)};
}

Matrix ar1_covariance(const Sizes& sizes, double coefficient, double variance) {
  if (!(std::abs(coefficient) < 1))
    throw_input_error("ar1", number_text(coefficient), "a number between -1 and 1");
  check_finite("variance", variance);
  if (variance < 0) throw_input_error("variance", number_text(variance), "no negative variance");

  // Cov(w_s, w_t) = variance coefficient^|s-t| I, and x_0 apart.
  Matrix covariance = Matrix::Zero(sizes.d_w(), sizes.d_w());
  covariance.diagonal().setConstant(variance);
  auto noise = covariance.bottomRightCorner(sizes.T * sizes.n_w, sizes.T * sizes.n_w);
  double lagged = variance;
  for (Index lag = 1; lag < sizes.T; ++lag) {
    lagged *= coefficient;
    noise.diagonal(lag * sizes.n_w).setConstant(lagged);
    noise.diagonal(-lag * sizes.n_w).setConstant(lagged);
  }
  return covariance;
}

}  // namespace loopcert
