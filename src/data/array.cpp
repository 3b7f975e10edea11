#include "data/array.hpp"

#include <fmt/format.h>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

Array array_from_matrix(const MatrixView& matrix) {
  Array array;
  array.shape = {matrix.rows(), matrix.cols()};
  array.values.resize(static_cast<size_t>(matrix.size()));
  Eigen::Map<RowMajor>(array.values.data(), matrix.rows(), matrix.cols()) = matrix;
  return array;
}

Matrix matrix_from_array(const Array& array) {
  if (array.shape.size() != 2)
    throw_input_error("shape", shape_text(array.shape), "two axes (rows x columns)");
  return Eigen::Map<const RowMajor>(array.values.data(), array.shape[0], array.shape[1]);
}

std::string shape_text(const std::vector<Index>& shape) {
  if (shape.empty()) return "one number (no axes)";
  return fmt::format("{} ({} {})", fmt::join(shape, " x "), shape.size(),
                     shape.size() == 1 ? "axis" : "axes");
}

}  // namespace loopcert
