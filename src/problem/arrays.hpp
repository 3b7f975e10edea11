// Lists of numbers as vectors and matrices. The depth of the brackets says what a list means:
// 1 a vector (of a weight: its diagonal), 2 a matrix by rows, 3 one matrix per step.
#pragma once

#include <vector>

#include "problem/fields.hpp"

namespace loopcert {

// Depth of brackets along the first entries: 0 for a number. Empty lists are refused.
int list_depth(const Node& node);

Vector vector_of(const Node& node);                          // any length
Vector vector_of(const Node& node, Index size);              // exactly this length
Matrix matrix_of(const Node& node);                          // rows of equal length
std::vector<Matrix> matrices_of(const Node& node, Index T);  // one matrix, or T

// A finite number that a double holds; a whole number may have too many digits for it.
bool is_double(const nlohmann::json& value);

// A symmetric matrix of this size: given whole, or as its diagonal.
Matrix weight_of(const Node& node, Index size);
std::vector<Matrix> weights_of(const Node& node, Index T, Index size);  // one weight, or T matrices

nlohmann::json list_from_vector(const VectorView& vector);
nlohmann::json rows_from_matrix(const MatrixView& matrix);

}  // namespace loopcert
