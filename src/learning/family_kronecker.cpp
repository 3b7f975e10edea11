// E = C xi L: the Kronecker product of one covariance for rows and one for columns, kept causal.
#include "families_list.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

// At a minimum Sigma_rho^-1 is about I/s^2 + P (x) Gamma, up to what the quartic moment adds
// between rows: Gamma = 2 (T + psi' (2 U K~ U + 2 pbar dbar U)) / per_kl.
Matrix columns_precision(const QuadraticForm& form, const BoundInputs& in,
                         const PacBayesResult& at) {
  const Posterior& rho = at.posterior;
  const Complexity& c = at.bound.complexity;
  const double per_kl = c.d_rate / weight_of(in);
  const double per_C = in.scale * (in.psi == Psi::cross ? c.d_mean : c.d_phi);
  Matrix K = gram(form, rho.mean);
  K.diagonal() += rho.variance.transpose() * form.P.diagonal();
  const double p_bar = form.P.diagonal().mean(), d_bar = (rho.variance * in.U.diagonal()).mean();
  Matrix Gamma = in.spread_matrix + per_C * (2 * in.U * K * in.U + 2 * p_bar * d_bar * in.U);
  return 2 / per_kl * Gamma;
}

PacBayesResult minimize_kronecker(const QuadraticForm& form, const BoundInputs& inputs,
                                  const Prior& prior, const PacBayesOptions& options,
                                  PacBayesResult diagonal) {
  Matrix Gamma;
  double kappa = 0;
  if (inputs.spread_matrix.size() > 0 && !form.pattern.constant) {
    Gamma = columns_precision(form, inputs, diagonal);
    kappa = 1 / (prior.scale * prior.scale * Gamma.diagonal().mean());
  } else {
    kappa = form.P.diagonal().mean();
  }
  return minimize_in_frame(form, inputs, prior, options, kronecker_frame(form, kappa, Gamma),
                           diagonal);
}

}  // namespace

PosteriorFamily kronecker_family() {
  return {"one covariance for rows, one for columns, variances free", minimize_kronecker};
}

}  // namespace loopcert
