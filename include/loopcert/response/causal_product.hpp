// Matrix products that skip what the causal pattern makes zero or nobody reads: half the work of
// the dense product. Panels depend on the sizes alone, so the bits are the same for any number of
// threads.
#pragma once

#include "loopcert/core/types.hpp"
#include "loopcert/response/pattern.hpp"

namespace loopcert {

// C = [A B]_causal up to panels: entries outside the pattern are either zero or those of A B.
void multiply_to_causal(const CausalPattern& pattern, const Matrix& A, const Matrix& B, Matrix& C,
                        int threads);

// C = A Z and C = A' Z for a causal Z (d_u x d_z).
void multiply_by_causal(const CausalPattern& pattern, const Matrix& A, const Matrix& Z, Matrix& C,
                        int threads);
void multiply_transposed_by_causal(const CausalPattern& pattern, const Matrix& A, const Matrix& Z,
                                   Matrix& C, int threads);

// C = Z B and C += Z' B for a causal Z.
void add_causal_transposed_by(const CausalPattern& pattern, const Matrix& Z, const Matrix& B,
                              Matrix& C, int threads);
void multiply_causal_by(const CausalPattern& pattern, const Matrix& Z, const Matrix& B, Matrix& C,
                        int threads);

}  // namespace loopcert
