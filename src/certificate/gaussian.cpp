#include "certificate/gaussian.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "certificate/prior_kl.hpp"
#include "core/check.hpp"
#include "core/dense_solvers.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

void check_zero_off_pattern(const std::string& name, const Matrix& value,
                            const CausalPattern& pattern) {
  for (Index j = 0; j < pattern.cols(); ++j)
    for (Index i = 0; i < pattern.first_row(j); ++i)
      if (value(i, j) != 0)
        throw_input_error(fmt::format("{}[{}][{}]", name, i, j), number_text(value(i, j)),
                          "0: this entry is not causal");
}

void check_small(Index p) {
  if (p > largest_full_p)
    throw_input_error("covariance", fmt::format("p = {}", p),
                      fmt::format("at most {}: it is a p x p matrix", largest_full_p));
}

void check_lower_triangular(const std::string& name, const Matrix& A, Index size) {
  check_size(name, A, size, size);
  check_finite(name, A);
  if (!Matrix(A.triangularView<Eigen::StrictlyUpper>()).isZero(0.0))
    throw_input_error(name, "an entry above the diagonal", "a lower triangular matrix");
  if (!(A.diagonal().minCoeff() > 0))
    throw_input_error(name, "a diagonal entry that is not positive", "positive ones");
}

void check_deviation(const Matrix& deviation, const CausalPattern& pattern) {
  check_size("prior.deviation", deviation, pattern.rows(), pattern.cols());
  check_finite("prior.deviation", deviation);
  check_zero_off_pattern("prior.deviation", deviation, pattern);
  if (!(pack(pattern, deviation).minCoeff() > 0))
    throw_input_error("prior.deviation", "an entry that is not positive", "positive ones");
}

void check_shape(const PriorShape& shape, const CausalPattern& pattern) {
  if (shape.covariance == "diagonal") return check_deviation(shape.deviation, pattern);
  if (shape.covariance == "full") {
    const Index p = pattern.count();
    if (p > largest_full_p)
      throw_input_error("prior.full", fmt::format("p = {}", p),
                        fmt::format("at most {}: it needs p x p matrices", largest_full_p));
    check_size("prior.full", shape.full, p, p);
    check_finite("prior.full", shape.full);
    if (!is_invertible(shape.full))
      throw_input_error("prior.full", "a singular matrix", "an invertible one");
    return;
  }
  if (shape.covariance != "kronecker" && shape.covariance != "cost")
    throw_input_error("prior.covariance", "'" + shape.covariance + "'",
                      "cost | diagonal | kronecker | full");
  check_lower_triangular("prior.rows", shape.rows, pattern.rows());
  if (shape.columns.size() > 0)
    check_lower_triangular("prior.columns", shape.columns, pattern.cols());
}

}  // namespace

void check_prior(const Prior& prior, const CausalPattern& pattern) {
  check_size("prior.center", prior.center, pattern.rows(), pattern.cols());
  check_finite("prior.center", prior.center);
  check_zero_off_pattern("prior.center", prior.center, pattern);
  check_positive("prior.scale", prior.scale);
  if (prior.shape) check_shape(*prior.shape, pattern);
}

void check_posterior(const Posterior& posterior, const CausalPattern& pattern) {
  check_size("posterior.mean", posterior.mean, pattern.rows(), pattern.cols());
  check_size("posterior.variance", posterior.variance, pattern.rows(), pattern.cols());
  check_finite("posterior.mean", posterior.mean);
  check_finite("posterior.variance", posterior.variance);
  check_zero_off_pattern("posterior.mean", posterior.mean, pattern);
  check_zero_off_pattern("posterior.variance", posterior.variance, pattern);
  for (Index j = 0; j < pattern.cols(); ++j)
    for (Index i = pattern.first_row(j); i < pattern.rows(); ++i)
      if (const double v = posterior.variance(i, j); !(v > 0))
        check_positive(fmt::format("posterior.variance[{}][{}]", i, j), v);
  if (!posterior.frame) return;
  const CausalPattern& own = posterior.frame->pattern;
  bool same = own.rows() == pattern.rows() && own.cols() == pattern.cols() &&
              own.constant == pattern.constant;
  for (Index j = 0; same && j < pattern.cols(); ++j)
    same = std::min(own.first_row(j), own.rows()) == std::min(pattern.first_row(j), own.rows());
  if (!same) throw InputError("posterior: its frame is not for the problem's free entries");
  check_frame(*posterior.frame);
}

double kl_divergence(const Posterior& posterior, const Prior& prior, const CausalPattern& pattern,
                     Index first, Index count) {
  const double inverse = 1 / (prior.scale * prior.scale);
  // Logarithms of many at once: columns may be shorter than a vector register.
  constexpr Index size = 256;
  Eigen::Array<double, size, 1> v;
  Index filled = 0;
  double sum = 0;
  const auto add_variances = [&] {
    const auto part = v.head(filled);
    sum += (part - 1 - part.log()).sum();
    filled = 0;
  };
  for (Index j = first; j < first + count; ++j) {
    const Index begin = std::min(pattern.first_row(j), pattern.rows());
    const Index free = pattern.rows() - begin;
    sum += inverse * (posterior.mean.col(j) - prior.center.col(j)).tail(free).squaredNorm();
    for (Index i = begin; i < pattern.rows();) {
      const Index some = std::min(size - filled, pattern.rows() - i);
      v.segment(filled, some) = posterior.variance.col(j).segment(i, some).array() * inverse;
      filled += some;
      i += some;
      if (filled == size) add_variances();
    }
  }
  add_variances();
  return 0.5 * sum;
}

double kl_divergence(const Posterior& posterior, const Prior& prior, const CausalPattern& pattern) {
  if (prior.shape || posterior.frame)
    return PriorKl(prior, pattern, posterior.frame).value(posterior);
  return kl_divergence(posterior, prior, pattern, 0, pattern.cols());
}

Matrix marginal_variance(const Posterior& posterior) {
  if (!posterior.frame) return posterior.variance;
  const Frame& frame = *posterior.frame;
  const CausalPattern& pattern = frame.pattern;
  if (frame.is_full())  // (W.^2) v
    return unpack(pattern, frame.full.cwiseAbs2() * pack(pattern, posterior.variance));
  Matrix apart = posterior.variance;  // (F.^2) v of each column
  for (Index j = 0; j < pattern.cols(); ++j)
    if (const Matrix F = turn_of_column(frame, j); F.rows() > 0)
      apart.col(j).tail(F.rows()) =
          F.cwiseAbs2() * Vector(posterior.variance.col(j).tail(F.rows()));
  return frame.mix.size() > 0 ? Matrix(apart * frame.mix.cwiseAbs2()) : apart;
}

Matrix posterior_covariance(const Posterior& posterior, const CausalPattern& pattern) {
  check_small(pattern.count());
  const Vector V = pack(pattern, posterior.variance);
  if (!posterior.frame) return V.asDiagonal();
  const Matrix B = frame_matrix(*posterior.frame);
  return B * V.asDiagonal() * B.transpose();
}

Posterior posterior_with_covariance(const CausalPattern& pattern, const MatrixView& mean,
                                    const MatrixView& Sigma) {
  const Index p = pattern.count();
  check_small(p);
  check_size("covariance", Sigma, p, p);
  check_finite("covariance", Sigma);
  const Eigen::LLT<Matrix> factor(Sigma);
  if (factor.info() != Eigen::Success ||
      (Sigma - Sigma.transpose()).cwiseAbs().maxCoeff() > 1e-9 * Sigma.cwiseAbs().maxCoeff())
    throw_input_error("covariance", "a matrix that is not", "a symmetric positive definite one");
  Posterior made{mean, unpack(pattern, Vector::Ones(p)),
                 std::make_shared<const Frame>(Frame{pattern, {}, {}, {}, factor.matrixL()})};
  check_posterior(made, pattern);
  return made;
}

Matrix sample_posterior(const Posterior& posterior, const Stream& stream, std::uint64_t index) {
  Matrix xi(posterior.mean.rows(), posterior.mean.cols());
  fill_standard_normal(stream, index, {xi.data(), static_cast<size_t>(xi.size())});
  xi = posterior.variance.cwiseSqrt().cwiseProduct(xi).eval();
  return posterior.mean + (posterior.frame ? apply_frame(*posterior.frame, xi) : xi);
}

}  // namespace loopcert
