#include "response/functional.hpp"

namespace loopcert {

Functional cost_functional(const Cost& cost, const Sizes& sizes) {
  return {[cost, sizes](const MatrixView& X, const MatrixView& U) {
            return Signals{apply_Q(cost, sizes, X), apply_R(cost, sizes, U)};
          },
          cost.has_reference() ? Vector(cost.reference.reshaped()) : Vector()};
}

Functional row_functional(Vector g_x, Vector g_u) {
  return {[g_x = std::move(g_x), g_u = std::move(g_u)](const MatrixView& X, const MatrixView& U) {
    const Matrix row = g_x.transpose() * X + g_u.transpose() * U;
    return Signals{g_x * row, g_u * row};
  }};
}

}  // namespace loopcert
