#include "arrays.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

Node item(const Node& list, size_t i) {
  return {&(*list.value)[i], fmt::format("{}[{}]", list.path, i)};
}

// Paths are made only for messages: a file may hold a million numbers.
void read_numbers(const Node& list, Eigen::Ref<Vector, 0, Eigen::InnerStride<>> out) {
  const auto& values = list.value->get_ref<const Json::array_t&>();
  for (size_t i = 0; i < values.size(); ++i) {
    const bool plain = is_double(values[i]);
    out(static_cast<Index>(i)) = plain ? values[i].get<double>() : number(item(list, i));
  }
}

void check_list(const Node& node, const std::string& expected) {
  if (!node.value->is_array() || node.value->empty()) refuse(node, expected);
}

// Its symmetric part, when that is all but rounding: the file of a certificate holds one matrix.
Matrix symmetric_of(const std::string& path, Matrix matrix, Index size) {
  check_size(path, matrix, size, size);
  check_symmetric(path, matrix);
  return 0.5 * matrix + 0.5 * matrix.transpose();
}

Index length(const Node& list) { return static_cast<Index>(list.value->size()); }

}  // namespace

int list_depth(const Node& node) {
  int depth = 0;
  for (const Json* value = node.value; value->is_array(); value = &value->front()) {
    ++depth;
    if (value->empty()) throw_input_error(node.path, "an empty list", "numbers");
  }
  return depth;
}

Vector vector_of(const Node& node) {
  check_list(node, "a list of numbers");
  Vector vector(length(node));
  read_numbers(node, vector);
  return vector;
}

Vector vector_of(const Node& node, Index size) {
  check_list(node, fmt::format("a list of {} numbers", size));
  if (length(node) != size)
    throw_input_error(node.path, fmt::format("{} numbers", length(node)), std::to_string(size));
  return vector_of(node);
}

Matrix matrix_of(const Node& node) {
  check_list(node, "a matrix as a list of rows");
  const Node first = item(node, 0);
  if (!first.value->is_array())
    throw_input_error(node.path, "a plain list",
                      "a matrix as a list of rows ([[1, 2]] is one row, [[1], [2]] one column)");
  check_list(first, "a row of numbers");
  Matrix matrix(length(node), length(first));
  for (Index i = 0; i < matrix.rows(); ++i) {
    const Node row = item(node, static_cast<size_t>(i));
    check_list(row, "a row of numbers");
    if (length(row) != matrix.cols())
      throw_input_error(row.path, fmt::format("{} numbers", length(row)),
                        fmt::format("{} as in the first row", matrix.cols()));
    read_numbers(row, matrix.row(i).transpose());
  }
  return matrix;
}

std::vector<Matrix> matrices_of(const Node& node, Index T) {
  if (list_depth(node) != 3) return {matrix_of(node)};
  if (length(node) != T)
    throw_input_error(node.path, fmt::format("a list of {} matrices", length(node)),
                      fmt::format("one matrix, or one for each of the {} steps", T));
  std::vector<Matrix> matrices;
  for (size_t t = 0; t < node.value->size(); ++t) matrices.push_back(matrix_of(item(node, t)));
  return matrices;
}

Matrix weight_of(const Node& node, Index size) {
  if (!node.value->is_array()) refuse(node, "a matrix, or its diagonal as a list");
  if (list_depth(node) == 1) return vector_of(node, size).asDiagonal();
  Matrix matrix = matrix_of(node);
  return symmetric_of(node.path, std::move(matrix), size);
}

std::vector<Matrix> weights_of(const Node& node, Index T, Index size) {
  if (!node.value->is_array() || list_depth(node) != 3) return {weight_of(node, size)};
  std::vector<Matrix> weights = matrices_of(node, T);
  for (size_t t = 0; t < weights.size(); ++t)
    weights[t] = symmetric_of(item(node, t).path, std::move(weights[t]), size);
  return weights;
}

Json list_from_vector(const VectorView& vector) {
  Json list = Json::array();
  for (Index i = 0; i < vector.size(); ++i) list.push_back(vector(i));
  return list;
}

Json rows_from_matrix(const MatrixView& matrix) {
  Json rows = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i)
    rows.push_back(list_from_vector(matrix.row(i).transpose()));
  return rows;
}

}  // namespace loopcert
