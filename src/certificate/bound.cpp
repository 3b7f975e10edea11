#include "loopcert/certificate/bound.hpp"

#include <cmath>

#include "loopcert/core/error.hpp"
#include "loopcert/core/product.hpp"
#include "loopcert/response/causal_product.hpp"

namespace loopcert {
namespace {

// (rate + scale lambda^2 phi) / lambda at the given lambda.
Complexity fixed_lambda_complexity(double rate, const BoundInputs& inputs, double phi) {
  const double lambda = *inputs.lambda;
  Complexity c;
  c.lambda = c.d_phi = c.d_mean = lambda;
  c.d_rate = 1 / lambda;
  c.value = rate / lambda + lambda * inputs.scale * phi;
  return c;
}

Complexity complexity_of(const BoundInputs& inputs, double rate, double C, double mean_term) {
  const bool cross = inputs.psi == Psi::cross;
  if (!inputs.lambda && inputs.psi == Psi::rank_aware)
    return rank_aware_complexity(rate, inputs.scale * C, inputs.scale * mean_term, inputs.rank);
  const double phi = cross ? mean_term : C + mean_term;
  Complexity c = inputs.lambda ? fixed_lambda_complexity(rate, inputs, phi)
                               : quadratic_complexity(rate, inputs.scale * phi);
  if (cross) c.d_phi = 0;  // psi does not depend on C
  return c;
}

// alpha and beta with U = alpha Sigma + beta I up to rounding, if there are any. Off the diagonal
// only alpha counts, on it both.
std::optional<std::pair<double, double>> affine_in(const Matrix& U, const Matrix& Sigma) {
  const Vector u = U.diagonal(), s = Sigma.diagonal();
  const double off = Sigma.squaredNorm() - s.squaredNorm();
  if (!(off > 1e-6 * Sigma.squaredNorm())) return std::nullopt;
  const double alpha = (U.cwiseProduct(Sigma).sum() - u.dot(s)) / off;
  const double beta = (u - alpha * s).mean();
  const double error = (U - alpha * Sigma - beta * Matrix::Identity(U.rows(), U.cols())).norm();
  if (!(error <= 1e-14 * U.norm())) return std::nullopt;
  return std::pair{alpha, beta};
}

}  // namespace

BoundEvaluator::BoundEvaluator(const ResponseSpace& space, const BoundInputs& inputs,
                               const Prior& prior, int threads)
    : space_(space), inputs_(inputs), prior_(prior), threads_(threads) {
  constant_ = space.K_0.cwiseProduct(inputs.Sigma_hat).sum();
  multiply(space.N_0, inputs.Sigma_hat, N_Sigma_, threads_);
  multiply(space.N_0, inputs.U, N_U_, threads_);
  multiply(space.K_0, inputs.U, K_U_, threads_);
  if (const auto affine = affine_in(inputs.U, inputs.Sigma_hat))
    U_of_Sigma_ = Affine{affine->first, affine->second};
  UU_ = inputs.U.cwiseAbs2();
  PP_ = space.P.cwiseAbs2();
}

// C = q(U, U) (quartic.hpp with A = B = U), leaving in slope_ the d/dV of C and in KU_, HU_,
// VU_, a_, d_ what the d/dZ needs.
double BoundEvaluator::sensitivity_and_slopes(const Posterior& posterior) {
  const Matrix& Z = posterior.mean;
  const Matrix& V = posterior.variance;
  const Matrix& U = inputs_.U;
  const Vector diag_P = space_.P.diagonal();
  const Vector diag_U = U.diagonal();

  // K U = K_0 U + N'(Z U) + Z'(N U) with N = N_0 + P Z / 2: no product of two d_z x d_z matrices
  if (U_of_Sigma_)
    HU_ = U_of_Sigma_->alpha * H_Sigma_ + U_of_Sigma_->beta * H_;
  else
    multiply(H_, U, HU_, threads_);
  N_ = space_.N_0 + 0.5 * PZ_;
  multiply_causal_by(space_.pattern, Z, U, ZU_, threads_);
  multiply_transposed(N_, ZU_, KU_, threads_);
  N_ = 0.5 * (N_U_ + HU_);
  add_causal_transposed_by(space_.pattern, Z, N_, KU_, threads_);
  KU_ += K_U_;

  a_.noalias() = V.transpose() * diag_P;
  d_.noalias() = V * diag_U;
  const Vector diag_UKU = U.cwiseProduct(KU_).colwise().sum();
  const Vector diag_HUH = HU_.cwiseProduct(H_).rowwise().sum();
  const Vector UU_a = UU_ * a_;
  const Vector PP_d = PP_ * d_;
  multiply_causal_by(space_.pattern, V, UU_, work_, threads_);
  multiply_to_causal(space_.pattern, PP_, work_, VU_, threads_);  // (P.^2) V (U.^2)

  slope_ = 2 * (diag_P * diag_UKU.transpose() + HU_.cwiseAbs2() + diag_HUH * diag_U.transpose());
  const double C = KU_.cwiseProduct(KU_.transpose()).sum() + V.cwiseProduct(slope_).sum() +
                   a_.dot(UU_a) + V.cwiseProduct(VU_).sum() + d_.dot(PP_d);
  slope_ += 2 * (diag_P * UU_a.transpose() + VU_ + PP_d * diag_U.transpose());
  return C;
}

BoundValue BoundEvaluator::evaluate(const Posterior& posterior, MomentGradient* gradient) {
  const Matrix& Z = posterior.mean;
  const Matrix& V = posterior.variance;
  const Vector diag_P = space_.P.diagonal();

  multiply_by_causal(space_.pattern, space_.P, Z, PZ_, threads_);
  H_ = space_.N_0 + PZ_;
  if (U_of_Sigma_)  // H U needs all of it
    multiply(H_, inputs_.Sigma_hat, H_Sigma_, threads_);
  else
    multiply_to_causal(space_.pattern, H_, inputs_.Sigma_hat, H_Sigma_, threads_);

  BoundValue bound;
  bound.empirical = constant_ + (N_Sigma_ + H_Sigma_).cwiseProduct(Z).sum();
  bound.C = sensitivity_and_slopes(posterior);
  MomentGradient mean_gradient;
  if (inputs_.B.size() > 0)
    bound.mean_term = 2 * quartic_moment(space_, posterior, inputs_.U, inputs_.B,
                                         gradient ? &mean_gradient : nullptr);
  bound.kl = kl_divergence(posterior, prior_, space_.pattern);
  const double rate = pac_bayes_rate(bound.kl, inputs_.n, inputs_.delta);
  bound.complexity = complexity_of(inputs_, rate, bound.C, bound.mean_term);
  bound.spread = inputs_.spread.dot(a_);
  double norm = 0;  // ||(a_j z_j)||
  if (inputs_.mean_radius > 0) norm = a_.cwiseProduct(inputs_.mean_hat).norm();
  bound.mean_event = 2 * inputs_.mean_radius * norm;
  bound.value = bound.empirical + bound.spread + bound.mean_event + bound.complexity.value;
  if (!std::isfinite(bound.value)) throw NumericsError("the bound is not a finite number");
  if (!gradient) return bound;

  // Envelope theorem: d bound = dLhat + d_phi dC + d_mean dmean + d_rate drate + …
  const double per_C = bound.complexity.d_phi * inputs_.scale;
  const double per_mean = bound.complexity.d_mean * inputs_.scale;
  const double per_kl = bound.complexity.d_rate / static_cast<double>(inputs_.n - 1);

  Vector per_a = inputs_.spread;
  if (norm > 0)
    per_a += (2 * inputs_.mean_radius / norm) * a_.cwiseProduct(inputs_.mean_hat.cwiseAbs2());
  gradient->d_variance = per_C * slope_ + diag_P * per_a.transpose();

  // dC/dZ = 4 HU (KU + diag(a) U) + P (4 (V.*HU) U + 4 diag(d) HU)
  KU_ += a_.asDiagonal() * inputs_.U;
  multiply_to_causal(space_.pattern, HU_, KU_, cross_, threads_);
  work_ = V.cwiseProduct(HU_);
  multiply_causal_by(space_.pattern, work_, inputs_.U, N_, threads_);
  N_ += d_.asDiagonal() * HU_;
  multiply_to_causal(space_.pattern, space_.P, N_, work_, threads_);
  gradient->d_mean = 2 * H_Sigma_ + (4 * per_C) * (cross_ + work_);

  if (inputs_.B.size() > 0) {
    gradient->d_mean += (2 * per_mean) * mean_gradient.d_mean;
    gradient->d_variance += (2 * per_mean) * mean_gradient.d_variance;
  }
  kl_divergence(posterior, prior_, space_.pattern, per_kl, gradient->d_mean, gradient->d_variance);
  project_causal(space_.pattern, gradient->d_mean);
  project_causal(space_.pattern, gradient->d_variance);
  return bound;
}

BoundValue evaluate_bound(const ResponseSpace& space, const BoundInputs& inputs, const Prior& prior,
                          const Posterior& posterior, MomentGradient* gradient) {
  return BoundEvaluator(space, inputs, prior).evaluate(posterior, gradient);
}

}  // namespace loopcert
