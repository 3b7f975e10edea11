// The moments of E = Z - mean for a posterior in a frame, as the quartic moment needs them:
//
//   q(A, B) = tr(K~A K~B) + 2 <H A, Psi(H B)> + <D_A, H B H'> + <D_B, H A H'> + tr(P D_A P D_B)
//           + cross(A, B),                                                   K~ = K + A_rho,
//   A_rho = E[E'P E],  D_A = E[E A E'],  Psi(X)_kj = sum_il Cov[(i,j),(k,l)] X_il,
//   cross(A, B) = sum P_ab P_ef A_cd B_gh Cov[(b,c),(f,g)] Cov[(e,d),(a,h)]
//
// (Wick's formula, docs/theory/posterior-families.md). Two kinds of frame know shorter ways to
// them: columns apart, and any covariance for small p.
#pragma once

#include <memory>
#include <vector>

#include "certificate/frame.hpp"
#include "core/team.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

class Spread {
 public:
  virtual ~Spread() = default;

  virtual void set(const Matrix& V) = 0;          // everything below is at these variances
  virtual Matrix A_rho() const = 0;               // d_z x d_z
  virtual Matrix D(const Matrix& A) const = 0;    // d_u x d_u
  virtual Matrix Psi(const Matrix& X) const = 0;  // d_u x d_z

  // cross(A, B); its slope is kept for add_cross.
  virtual double cross(const Matrix& A, const Matrix& B) = 0;

  // Slopes in V, added with a factor: of <Y (x) X, Cov> = sum Y_ik X_jl Cov[(i,j),(k,l)], of
  // 2 <X, Psi(Y)>, and of the last cross.
  virtual void add_product(double factor, const Matrix& Y, const Matrix& X,
                           Matrix& slope) const = 0;
  virtual void add_pair(double factor, const Matrix& X, const Matrix& Y, Matrix& slope) const = 0;
  virtual void add_cross(double factor, Matrix& slope) const = 0;

  // The same slopes in the covariance itself: one matrix for each column, on its free rows, or one
  // p x p matrix. A better frame follows from them.
  virtual void clear_matrices() = 0;
  virtual void add_product(double factor, const Matrix& Y, const Matrix& X) = 0;
  virtual void add_pair(double factor, const Matrix& X, const Matrix& Y) = 0;
  virtual void add_cross(double factor) = 0;
  virtual std::vector<Matrix> matrices() const = 0;
};

// For frames that are not full, without their mix, which changes coordinates before (A to L A L').
std::unique_ptr<Spread> column_spread(const Matrix& P, SharedFrame frame, Team& team);
std::unique_ptr<Spread> full_spread(const Matrix& P, SharedFrame frame);

}  // namespace loopcert
