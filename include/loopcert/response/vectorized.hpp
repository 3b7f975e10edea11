// The paper's vectorized form, written out for its readers (app:sls_vectorized_constraints): the
// response as one vector theta = (vec Phi_x, vec Phi_u, phi_x, phi_u) of causal entries, the
// constraint H theta = h, and all its solutions theta_0 + N alpha. The library computes with Z and
// needs none of these matrices.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/response/options.hpp"
#include "loopcert/response/response_maps.hpp"
#include "loopcert/system/cost.hpp"

namespace loopcert {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct Vectorized {
  Sizes sizes;
  // phi_x and phi_u are unknowns; otherwise they keep the values that they have in `start`.
  bool affine = false;
  bool constant = false;           // column 0 of Z belongs to the constant 1
  std::vector<Index> row, column;  // alpha_k is the entry (row, column) of Z

  SparseMatrix selection;  // all entries (vec Phi_x, vec Phi_u, phi_x, phi_u) = selection theta
  SparseMatrix H;          // [(I (x) F) selection, 0; 0, F], F = [I - Z_A, -Z_B]
  Vector h;                // (vec I, d)
  Response start;          // alpha = 0
  Vector theta_0;          // its theta
  SparseMatrix N;          // basis of ker H, a column for each alpha_k; orthonormal by default

  Matrix S;          // d_xu x d_u: M_k = S e_row e_column'  (eq:weighted-nullspace-directions)
  Matrix M_0;        // d_xu x d_w
  Vector m_0;        // d_xu
  SparseMatrix M_G;  // tr(M_i'M_j) + m_i'm_j  (prop:data_driven_mean_certificate)

  Index p() const { return static_cast<Index>(row.size()); }
};

// Throws InputError above p = 4000, or when H has more than ten million entries.
Vectorized vectorized(const System& system, const ResponseOptions& options);

// M_k and m_k: what the k-th direction changes in y = M w + m. Throws InputError unless 0 <= k < p.
struct Direction {
  Matrix M;  // d_xu x d_w
  Vector m;  // d_xu
};
Direction direction(const Vectorized& form, Index k);

// alpha <-> Z, alpha <-> theta <-> response. Every theta_0 + N alpha is a closed loop; of a theta
// that is none, alpha_of_theta is the nearest in least squares.
Vector alpha_of_Z(const Vectorized& form, const MatrixView& Z);
Matrix Z_of(const Vectorized& form, const VectorView& alpha);
Vector theta_of(const Vectorized& form, const VectorView& alpha);
Vector theta_of(const Vectorized& form, const Response& response);
Vector alpha_of_theta(const Vectorized& form, const VectorView& theta);
Response response_of(const Vectorized& form, const VectorView& theta);

// E l(alpha, w) = alpha'G alpha + 2 g'alpha + c for a law or a data set with these moments of w
// (app:quadraticity_alpha).
struct LossInAlpha {
  Matrix G;  // p x p
  Vector g;  // p
  double c = 0;
};
LossInAlpha loss_in_alpha(const Vectorized& form, const VectorView& mean, const MatrixView& second);

}  // namespace loopcert
