// The causal Wiener-Hopf factorization, shared by the minimizers of this room.
#pragma once

#include "loopcert/core/types.hpp"
#include "response/pattern.hpp"

namespace loopcert {

// Solves [R R' Z L L'] = B on the causal entries: Z = R^-T [R^-1 B L^-T]_causal L^-1. R upper and L
// lower triangular both keep causality, so the columns decouple into nested least-squares
// problems. B is d_u x d_z; L belongs to the free columns only.
class CausalFactorization {
 public:
  CausalFactorization(const CausalPattern& pattern, Matrix R, Matrix L);
  Matrix solve(const MatrixView& B) const;

 private:
  CausalPattern pattern_;
  Matrix R_;
  Matrix L_;
};

// The free columns' diagonal block of a d_z x d_z matrix.
Matrix free_block(const CausalPattern& pattern, const MatrixView& Sigma);

}  // namespace loopcert
