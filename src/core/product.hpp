// Matrix products: our own tiles where they are faster, Eigen's below that. The bits are the same
// for any number of threads.
#pragma once

#include "core/team.hpp"
#include "core/tiled_product.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

// A or A'.
struct Operand {
  const Matrix& matrix;
  bool transposed = false;

  Index rows() const { return transposed ? matrix.cols() : matrix.rows(); }
  Index cols() const { return transposed ? matrix.rows() : matrix.cols(); }
};

// C = A B, or C += A B with `add`. Where `rule` leaves terms out, the result may contain them.
void product(const Operand& A, const Operand& B, Matrix& C, bool add, const TileRule& rule,
             Team& team);

// C = A B
void multiply(const Matrix& A, const Matrix& B, Matrix& C, Team& team);

}  // namespace loopcert
