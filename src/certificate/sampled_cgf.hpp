// E_rho of the exact Gaussian CGF, by sampling with a rigorous correction. The pointwise majorant
//   T(alpha) = r h(q_0) + h'(q_0) (lambda^2 ||Sigma_y||_F^2 - r q_0) + 2 lambda^2 mu_y' Sigma_y
//   mu_y,
// h(q) = f(sqrt q), q_0 = lambda^2 C_rho / r, is never below Lambda_alpha(lambda), and its mean is
// the rank-aware psi. So D = T - Lambda >= 0, and a lower confidence bound on E D, from draws
// clipped at a level fixed beforehand, is a saving on that psi (docs/theory/sampled-cgf.md).
#pragma once

#include "certificate/gaussian.hpp"
#include "response/response.hpp"
#include "response/space.hpp"

namespace loopcert {

struct SampledCgf {
  double closed_form = 0;  // E_rho T: the rank-aware psi
  double saving = 0;       // lower confidence bound on E_rho D, at least 0
  double upper() const { return closed_form - saving; }
};

// C_rho = q(U, U) and mean_term = 2 q(U, B) must be given: they are exact. With probability 1 -
// delta over the draws, E_rho Lambda_alpha(lambda) <= upper(), for y ~ N(M mean + m, M covariance
// M').
SampledCgf sampled_cgf(const System& system, const ResponseSpace& space, const Posterior& posterior,
                       const VectorView& mean, const MatrixView& covariance, double lambda,
                       double C_rho, double mean_term, double delta, Index draws,
                       const Stream& stream);

// m - sqrt(2 v log(2/delta)/N) - 7 b log(2/delta)/(3 (N-1)) for values in [0, b]: the empirical
// Bernstein lower bound on a mean (Maurer and Pontil 2009).
double empirical_bernstein_lower(const VectorView& values, double b, double delta);

}  // namespace loopcert
