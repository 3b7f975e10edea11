#include "response/causal_product.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace loopcert {
namespace {

constexpr Index everything = std::numeric_limits<Index>::max();

// First row of Z in which some column from `column` on is free.
Index first_row_from(const CausalPattern& pattern, Index column) {
  return std::min(pattern.first_row(std::max(column, pattern.first_free_column())), pattern.rows());
}

// The columns that some of the given rows of a factor use. With `along_columns` the same for the
// transpose: the rows that some of the given columns use.
Range used(const CausalPattern& pattern, const Shaped& factor, const Range& range,
           bool along_columns) {
  const bool by_column = factor.transposed != along_columns;
  switch (factor.shape) {
    case Shape::causal:
      if (by_column) return {first_row_from(pattern, range.begin), everything};
      return {0, pattern.end_column(range.end - 1)};
    case Shape::lower:
      if (by_column) return {range.begin, everything};
      return {0, range.end};
    case Shape::upper:
      if (by_column) return {0, range.end};
      return {range.begin, everything};
    case Shape::full:
      break;
  }
  return {0, everything};
}

void shaped_product(const CausalPattern& pattern, const Shaped& A, const Shaped& B, Matrix& C,
                    bool add, bool to_causal, Team& team) {
  // One reference each: larger closures would live on the heap.
  const auto left = [&](const Range& rows) { return used(pattern, A, rows, false); };
  const auto right = [&](const Range& columns) { return used(pattern, B, columns, true); };
  TileRule rule;
  if (A.shape != Shape::full) rule.by_rows = std::cref(left);
  if (B.shape != Shape::full) rule.by_columns = std::cref(right);
  if (to_causal)
    rule.first_row = [&pattern](const Range& columns) {
      return first_row_from(pattern, columns.begin);
    };
  product({A.matrix, A.transposed}, {B.matrix, B.transposed}, C, add, rule, team);
}

}  // namespace

void multiply(const CausalPattern& pattern, const Shaped& A, const Shaped& B, Matrix& C,
              Team& team) {
  shaped_product(pattern, A, B, C, false, false, team);
}

void add_product(const CausalPattern& pattern, const Shaped& A, const Shaped& B, Matrix& C,
                 Team& team) {
  shaped_product(pattern, A, B, C, true, false, team);
}

void multiply_to_causal(const CausalPattern& pattern, const Shaped& A, const Shaped& B, Matrix& C,
                        Team& team) {
  shaped_product(pattern, A, B, C, false, true, team);
}

void add_to_causal(const CausalPattern& pattern, const Shaped& A, const Shaped& B, Matrix& C,
                   Team& team) {
  shaped_product(pattern, A, B, C, true, true, team);
}

}  // namespace loopcert
