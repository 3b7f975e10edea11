// A dense array of doubles as files hold it, before it is given a meaning.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

struct Array {
  std::vector<Index> shape;          // 1 to 3 axes
  std::vector<double> values;        // row-major (last axis fastest)
  std::vector<std::string> columns;  // header names where the format has them (CSV), else empty
};

Array array_from_matrix(const MatrixView& matrix);
// Exactly two axes; anything else throws InputError (axes are never guessed).
Matrix matrix_from_array(const Array& array);

// "20 x 11 x 2 (3 axes)": how shapes are written in messages.
std::string shape_text(const std::vector<Index>& shape);

}  // namespace loopcert
