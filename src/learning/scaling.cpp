#include "scaling.hpp"

#include <cmath>

#include "loopcert/core/linalg.hpp"
#include "loopcert/core/product.hpp"
#include "loopcert/response/causal_product.hpp"
#include "loopcert/risk/risk.hpp"

namespace loopcert {
namespace {

// d2Lhat = 2 P (x) Sigma_hat;  d2C ~ 4 P (x) (U K U + U diag(a) U + pbar dbar U);
// d2KL = I / s^2 ~ P (x) I / (pbar s^2).
Matrix curvature_factor(const ResponseSpace& space, const BoundInputs& in, const Prior& prior,
                        const Posterior& at, const BoundValue& bound, int threads) {
  const double p_bar = space.P.diagonal().mean();
  const double per_C = bound.complexity.d_phi * in.scale;
  const double per_kl = bound.complexity.d_rate / static_cast<double>(in.n - 1);
  const Vector a = at.variance.transpose() * space.P.diagonal();
  const double d_bar = (at.variance * in.U.diagonal()).mean();
  Matrix K = gram(space, at.mean);
  K.diagonal() += a;
  Matrix KU, UKU;
  multiply(K, in.U, KU, threads);
  multiply(in.U, KU, UKU, threads);
  Matrix Gamma = 2 * in.Sigma_hat + 4 * per_C * (UKU + p_bar * d_bar * in.U);
  Gamma.diagonal().array() += per_kl / (prior.scale * prior.scale * p_bar);
  return Gamma;
}

Matrix triangular_inverse(const Matrix& L, bool upper) {
  Matrix inverse = Matrix::Identity(L.rows(), L.cols());
  if (upper)
    L.triangularView<Eigen::Upper>().solveInPlace(inverse);
  else
    L.triangularView<Eigen::Lower>().solveInPlace(inverse);
  return inverse;
}

}  // namespace

Scaling::Scaling(const ResponseSpace& space, const BoundInputs& inputs, const Prior& prior,
                 const Posterior& at, const BoundValue& bound, double unit, int threads)
    : pattern_(space.pattern), prior_(prior), threads_(threads), center_(at.mean) {
  R_ = upper_cholesky(space.P);
  R_inverse_ = triangular_inverse(R_, true);
  Matrix Gamma = curvature_factor(space, inputs, prior, at, bound, threads) / unit;
  // A constant column that is not free must not enter: it gets a factor of its own.
  if (const Index fixed = pattern_.first_free_column(); fixed > 0) {
    Gamma.topRows(fixed).setZero();
    Gamma.leftCols(fixed).setZero();
    Gamma.topLeftCorner(fixed, fixed).setIdentity();
  }
  L_ = lower_cholesky_or_empty(Gamma, 0.0);
  if (L_.size() == 0) L_ = Gamma.diagonal().cwiseAbs().cwiseSqrt().asDiagonal();
  L_inverse_ = triangular_inverse(L_, false);
  c_ = std::sqrt(2 * bound.complexity.d_rate / (unit * static_cast<double>(inputs.n - 1)));
}

Vector Scaling::coordinates(const Posterior& posterior) const {
  const Index p = pattern_.count();
  Vector x(2 * p);
  const Matrix Y = R_.transpose() * (posterior.mean - center_) * L_;
  x.head(p) = pack(pattern_, Y);
  const Matrix ratio = posterior.variance / (prior_.scale * prior_.scale);
  x.tail(p) = 0.5 * c_ * pack(pattern_, ratio).array().log();
  return x;
}

void Scaling::posterior(const Vector& x, Posterior& posterior) const {
  const Index p = pattern_.count();
  Matrix half;
  multiply_to_causal(pattern_, unpack(pattern_, x.head(p)), L_inverse_, half, threads_);
  project_causal(pattern_, half);
  multiply_transposed_by_causal(pattern_, R_inverse_, half, posterior.mean, threads_);
  project_causal(pattern_, posterior.mean);
  posterior.mean += center_;
  const Vector variance = prior_.scale * prior_.scale * (x.tail(p).array() * (2 / c_)).exp();
  posterior.variance = unpack(pattern_, variance);
}

void Scaling::gradient(const Posterior& posterior, const MomentGradient& slopes,
                       Vector& gradient) const {
  const Index p = pattern_.count();
  gradient.resize(2 * p);
  Matrix half, full;
  multiply_causal_by(pattern_, slopes.d_mean, L_inverse_.transpose(), half, threads_);
  multiply_to_causal(pattern_, R_inverse_, half, full, threads_);
  gradient.head(p) = pack(pattern_, full);
  const Matrix d_eta = (2 / c_) * slopes.d_variance.cwiseProduct(posterior.variance);
  gradient.tail(p) = pack(pattern_, d_eta);
}

}  // namespace loopcert
