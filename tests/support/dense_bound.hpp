// The paper's dense form as the independent route: every M_k as a full matrix, expectations over
// the posterior by explicit sums over coordinates. Nothing here uses P, N_0, K_0 or the closed
// forms of the library.
#pragma once

#include <vector>

#include "certificate/gaussian.hpp"
#include "response/response.hpp"
#include "response/space.hpp"

namespace loopcert::testing {

// M(alpha) = M_0 + sum_k alpha_k M_k, with m in front when the pattern has a constant column.
struct DenseForm {
  Matrix M_0;
  std::vector<Matrix> M;
};

DenseForm dense_form(const System& system, const ResponseSpace& space);
Matrix dense_M(const DenseForm& form, const Vector& alpha);

// E_rho tr(M'M A M'M B) by expanding M = Mbar + sum_k sigma_k e_k M_k and Wick's theorem over all
// pairs (k, l): O(p^2) dense products.
double dense_quartic(const DenseForm& form, const Vector& mean, const Vector& variance,
                     const Matrix& A, const Matrix& B);

}  // namespace loopcert::testing
