// The fourth-order moments of a Gaussian response, in closed form:
//   q(A, B) = E_rho tr(K A K B),  K = M'M,  M = M_0 + S Z,  Z ~ N(mean, diag(variance)).
// C_rho (paper, eq:sensitivity-coefficient-app) is q(Sigma, Sigma); E_rho mu_y' Sigma_y mu_y is
// q(Sigma, mu mu'). A handful of matrix products, whatever p is.
#pragma once

#include "certificate/gaussian.hpp"
#include "loopcert/core/types.hpp"
#include "response/quadratic_form.hpp"

namespace loopcert {

struct MomentGradient {
  Matrix d_mean;      // d/dZ on the causal entries
  Matrix d_variance;  // d/dV on the causal entries
};

// q(A, B) for symmetric A, B (d_z x d_z). With `gradient`, its derivatives are written there.
double quartic_moment(const QuadraticForm& form, const Posterior& posterior, const MatrixView& A,
                      const MatrixView& B, MomentGradient* gradient = nullptr);

}  // namespace loopcert
