#include "scaling.hpp"

#include <cmath>

#include "certificate/prior_kl.hpp"
#include "core/linalg.hpp"
#include "core/parts.hpp"
#include "response/causal_product.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

// d2Lhat = 2 P (x) Sigma_hat;  d2C ~ 4 P (x) (U K U + U diag(a) U + pbar dbar U);
// d2KL = I / s^2 ~ P (x) I / (pbar s^2).
Matrix curvature_factor(const QuadraticForm& form, const BoundInputs& in, const Prior& prior,
                        const Posterior& at, const BoundValue& bound, Team& team) {
  const double p_bar = form.P.diagonal().mean();
  const double per_C = bound.complexity.d_phi * in.scale;
  const double per_kl = bound.complexity.d_rate / weight_of(in);
  const Vector a = at.variance.transpose() * form.P.diagonal();
  const double d_bar = (at.variance * in.U.diagonal()).mean();
  Matrix K = gram(form, at.mean);
  K.diagonal() += a;
  Matrix KU, UKU;
  multiply(K, in.U, KU, team);
  multiply(in.U, KU, UKU, team);
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

// Calls job(column, first free row, free rows, place among the free entries) for every column.
template <class Job>
void for_free_columns(Team& team, const CausalPattern& pattern, const std::vector<Index>& offset,
                      const Job& job) {
  for_parts(team, by_columns(pattern.rows() * pattern.cols(), pattern.cols()),
            [&](const Part& columns) {
              for (Index j = columns.first; j < columns.first + columns.count; ++j) {
                const Index place = offset[static_cast<size_t>(j)];
                const Index free = offset[static_cast<size_t>(j) + 1] - place;
                job(j, pattern.rows() - free, free, place);
              }
            });
}

}  // namespace

Scaling::Scaling(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
                 const Posterior& at, const BoundValue& bound, double unit, Team& team)
    : pattern_(form.pattern), prior_(prior), team_(team), center_(at.mean) {
  offset_.push_back(0);
  for (Index j = 0; j < pattern_.cols(); ++j)
    offset_.push_back(offset_.back() + pattern_.rows() -
                      std::min(pattern_.first_row(j), pattern_.rows()));
  R_inverse_ = triangular_inverse(upper_cholesky(form.P), true);
  Matrix Gamma = curvature_factor(form, inputs, prior, at, bound, team_) / unit;
  // A constant column that is not free must not enter: it gets a factor of its own.
  if (const Index fixed = pattern_.first_free_column(); fixed > 0) {
    Gamma.topRows(fixed).setZero();
    Gamma.leftCols(fixed).setZero();
    Gamma.topLeftCorner(fixed, fixed).setIdentity();
  }
  Matrix L = lower_cholesky_or_empty(Gamma, 0.0);
  if (L.size() == 0) L = Gamma.diagonal().cwiseAbs().cwiseSqrt().asDiagonal();
  L_inverse_ = triangular_inverse(L, false);
  s2_ = pack(pattern_, prior_variance(prior, pattern_, at.frame));
  c_ = std::sqrt(2 * bound.complexity.d_rate / (unit * weight_of(inputs)));
  work_ = Matrix::Zero(pattern_.rows(), pattern_.cols());
}

Vector Scaling::start(const Posterior& at) const {
  const Index p = pattern_.count();
  Vector x = Vector::Zero(2 * p);
  x.tail(p) = 0.5 * c_ * pack(pattern_, at.variance).cwiseQuotient(s2_).array().log();
  return x;
}

// Z = Z_0 + R^-T [Y L^-1]_causal: both factors are triangular, so the result is causal too.
void Scaling::posterior(const Vector& x, Posterior& posterior) {
  const Index p = pattern_.count();
  posterior.variance.resize(work_.rows(), work_.cols());
  for_free_columns(team_, pattern_, offset_, [&](Index j, Index first, Index free, Index place) {
    work_.col(j).head(first).setZero();
    work_.col(j).tail(free) = x.segment(place, free);
    posterior.variance.col(j).head(first).setZero();
    posterior.variance.col(j).tail(free) =
        s2_.segment(place, free).array() * (x.segment(p + place, free).array() * (2 / c_)).exp();
  });
  multiply_to_causal(pattern_, causal(work_), lower(L_inverse_), half_, team_);
  project(half_);
  multiply_to_causal(pattern_, transposed(upper(R_inverse_)), causal(half_), posterior.mean, team_);
  for_free_columns(team_, pattern_, offset_, [&](Index j, Index first, Index free, Index) {
    posterior.mean.col(j).head(first).setZero();
    posterior.mean.col(j).tail(free) += center_.col(j).tail(free);
  });
}

// dY = [R^-1 dZ L^-T]_causal
void Scaling::gradient(const Posterior& posterior, const MomentGradient& slopes, Vector& gradient) {
  const Index p = pattern_.count();
  gradient.resize(2 * p);
  multiply_to_causal(pattern_, causal(slopes.d_mean), transposed(lower(L_inverse_)), half_, team_);
  project(half_);
  multiply_to_causal(pattern_, upper(R_inverse_), causal(half_), work_, team_);
  for_free_columns(team_, pattern_, offset_, [&](Index j, Index, Index free, Index place) {
    gradient.segment(place, free) = work_.col(j).tail(free);
    gradient.segment(p + place, free) = (2 / c_) * slopes.d_variance.col(j).tail(free).cwiseProduct(
                                                       posterior.variance.col(j).tail(free));
  });
}

// [.]_causal
void Scaling::project(Matrix& A) {
  for_free_columns(team_, pattern_, offset_,
                   [&](Index j, Index first, Index, Index) { A.col(j).head(first).setZero(); });
}

}  // namespace loopcert
