// Matrix products that skip what the causal pattern, or a triangular factor, makes zero and what
// nobody reads: half the work of the dense product for each of them, or less.
#pragma once

#include "core/product.hpp"
#include "response/pattern.hpp"

namespace loopcert {

// Where the entries of a factor are that are not zero.
enum class Shape { full, causal, lower, upper };

struct Shaped {
  const Matrix& matrix;
  Shape shape = Shape::full;
  bool transposed = false;
};

inline Shaped full(const Matrix& A) { return {A, Shape::full, false}; }
inline Shaped causal(const Matrix& Z) { return {Z, Shape::causal, false}; }
inline Shaped lower(const Matrix& L) { return {L, Shape::lower, false}; }
inline Shaped upper(const Matrix& R) { return {R, Shape::upper, false}; }
inline Shaped transposed(const Shaped& A) { return {A.matrix, A.shape, !A.transposed}; }

// C = A B and C += A B.
void multiply(const CausalPattern& pattern, const Shaped& A, const Shaped& B, Matrix& C,
              Team& team);
void add_product(const CausalPattern& pattern, const Shaped& A, const Shaped& B, Matrix& C,
                 Team& team);

// The same for a C of which only causal entries are read: others are left unspecified.
void multiply_to_causal(const CausalPattern& pattern, const Shaped& A, const Shaped& B, Matrix& C,
                        Team& team);
void add_to_causal(const CausalPattern& pattern, const Shaped& A, const Shaped& B, Matrix& C,
                   Team& team);

}  // namespace loopcert
