// The quadratic risk L(Z) = tr(M Sigma M') under any second moment Sigma: population risk with the
// law's moment, empirical risk with the sample's. No p x p matrix exists.
#pragma once

#include "data/moments.hpp"
#include "loopcert/core/types.hpp"
#include "response/quadratic_form.hpp"
#include "response/response.hpp"

namespace loopcert {

// L(Z) = <K_0, Sigma> + <2 N_0 + P Z, Z Sigma>
double risk(const QuadraticForm& form, const MatrixView& Sigma, const MatrixView& Z);

// dL/dZ = 2 (N_0 + P Z) Sigma on the causal entries.
Matrix risk_gradient(const QuadraticForm& form, const MatrixView& Sigma, const MatrixView& Z);

// l(w_i) = ||M z_i||^2 of every row z_i of `rows` (n x d_z).
Vector trajectory_costs(const QuadraticForm& form, const MatrixView& rows, const MatrixView& Z);

// L(alpha) = alpha' G alpha + 2 g' alpha + c  (paper, app:quadraticity_alpha), as operators on Z.
// G alpha = [P Z Sigma], g = [N_0 Sigma], c = <K_0, Sigma>.
Matrix apply_G(const QuadraticForm& form, const MatrixView& Sigma, const MatrixView& Z);
Matrix linear_term(const QuadraticForm& form, const MatrixView& Sigma);
double constant_term(const QuadraticForm& form, const MatrixView& Sigma);

// diag(G) on the pattern: P_ii Sigma_jj.
Matrix curvature_diagonal(const QuadraticForm& form, const MatrixView& Sigma);

// C(Z) = ||M Sigma M'||_F^2 = tr((K Sigma)^2): the sensitivity of one response, Sigma the
// covariance.
double sensitivity(const QuadraticForm& form, const MatrixView& Sigma, const MatrixView& Z);

// The same two numbers for any response, in a space or not (LQR, a controller read from a file):
// E||M w + m||^2, and ||M Sigma_w M'||_F^2.
double response_risk(const System& system, const Response& response, const Moments& moments);
Vector response_costs(const System& system, const Response& response, const MatrixView& w);  // n
double response_sensitivity(const System& system, const Response& response,
                            const MatrixView& covariance);

}  // namespace loopcert
