#include "loopcert/certificate/bound.hpp"

#include <cmath>

#include "loopcert/core/error.hpp"
#include "loopcert/core/product.hpp"

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

}  // namespace

BoundEvaluator::BoundEvaluator(const ResponseSpace& space, const BoundInputs& inputs,
                               const Prior& prior, int threads)
    : space_(space), inputs_(inputs), prior_(prior), threads_(threads) {
  constant_ = space.K_0.cwiseProduct(inputs.Sigma_hat).sum();
  multiply(space.N_0, inputs.Sigma_hat, N_Sigma_, threads_);
  UU_ = inputs.U.cwiseAbs2();
  PP_ = space.P.cwiseAbs2();
}

// C = q(U, U) (quartic.hpp with A = B = U), leaving in slope_ the d/dV of C and in K_, KU_, HU_,
// VU_, a_, d_ what the d/dZ needs.
double BoundEvaluator::sensitivity_and_slopes(const Posterior& posterior) {
  const Matrix& Z = posterior.mean;
  const Matrix& V = posterior.variance;
  const Matrix& U = inputs_.U;
  const Vector diag_P = space_.P.diagonal();
  const Vector diag_U = U.diagonal();

  // K = K_0 + N'Z + Z'N with N = N_0 + P Z / 2
  N_ = space_.N_0 + 0.5 * PZ_;
  multiply_transposed(N_, Z, cross_, threads_);
  K_ = space_.K_0 + cross_ + cross_.transpose();
  multiply(K_, U, KU_, threads_);
  multiply(H_, U, HU_, threads_);

  a_.noalias() = V.transpose() * diag_P;
  d_.noalias() = V * diag_U;
  const Vector diag_UKU = U.cwiseProduct(KU_).colwise().sum();
  const Vector diag_HUH = HU_.cwiseProduct(H_).rowwise().sum();
  const Vector UU_a = UU_ * a_;
  const Vector PP_d = PP_ * d_;
  multiply(V, UU_, work_, threads_);
  multiply(PP_, work_, VU_, threads_);  // (P.^2) V (U.^2)

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

  multiply(space_.P, Z, PZ_, threads_);
  H_ = space_.N_0 + PZ_;
  multiply(H_, inputs_.Sigma_hat, H_Sigma_, threads_);

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
  multiply(HU_, KU_, cross_, threads_);
  work_ = V.cwiseProduct(HU_);
  multiply(work_, inputs_.U, N_, threads_);
  N_ += d_.asDiagonal() * HU_;
  multiply(space_.P, N_, work_, threads_);
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
