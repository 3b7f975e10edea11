#include "core/product.hpp"

namespace loopcert {
namespace {

// Below, packing costs more than the tiles bring (measured around 24 x 48 x 48). With masked loads
// nothing is packed that small, unless B is transposed.
constexpr double least_work = 2e5;

bool tiles_are_faster(const Operand& A, const Operand& B) {
  if (masked_tiles && !B.transposed) return true;
  const double work = 2.0 * static_cast<double>(A.rows()) * static_cast<double>(A.cols()) *
                      static_cast<double>(B.cols());
  return work >= least_work;
}

template <class Left, class Right>
void plain_product(const Left& A, const Right& B, Matrix& C, bool add) {
  if (add)
    C.noalias() += A * B;
  else
    C.noalias() = A * B;
}

void small_product(const Operand& A, const Operand& B, Matrix& C, bool add) {
  const Matrix &a = A.matrix, &b = B.matrix;
  if (A.transposed && B.transposed) return plain_product(a.transpose(), b.transpose(), C, add);
  if (A.transposed) return plain_product(a.transpose(), b, C, add);
  if (B.transposed) return plain_product(a, b.transpose(), C, add);
  plain_product(a, b, C, add);
}

Factor factor(const Operand& A) {
  const Index step = A.matrix.rows();
  return A.transposed ? Factor{A.matrix.data(), step, 1} : Factor{A.matrix.data(), 1, step};
}

}  // namespace

void product(const Operand& A, const Operand& B, Matrix& C, bool add, const TileRule& rule,
             Team& team) {
  if (!add) C.resize(A.rows(), B.cols());
  if (!tiles_are_faster(A, B)) return small_product(A, B, C, add);
  tiled_product(A.cols(), factor(A), factor(B), C, add, rule, team);
}

void multiply(const Matrix& A, const Matrix& B, Matrix& C, Team& team) {
  product({A}, {B}, C, false, {}, team);
}

}  // namespace loopcert
