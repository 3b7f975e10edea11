// What a plant does to signals, whatever it is made from: x = F (w + d) + G u, stacked over
// the steps. The controller sees E w, the first (T+1) n_y entries of w. Adding a form of plants is
// one file that makes this value.
#pragma once

#include <functional>

#include "loopcert/core/types.hpp"
#include "loopcert/system/sizes.hpp"

namespace loopcert {

struct PlantOperator {
  Sizes sizes;
  // F W + G U, one trajectory per column; block t+1 of G U depends on blocks 0 … t of U alone. The
  // two together: of an unstable plant each alone is huge where their sum is not.
  std::function<Matrix(const MatrixView& W, const MatrixView& U)> signals;
  Vector d;  // d_w: the known offset, which acts as a disturbance does

  Matrix F(const MatrixView& W) const { return signals(W, Matrix::Zero(sizes.d_u(), W.cols())); }
  Matrix G(const MatrixView& U) const { return signals(Matrix::Zero(sizes.d_w(), U.cols()), U); }
  bool has_offset() const { return !d.isZero(0.0); }
};

}  // namespace loopcert
