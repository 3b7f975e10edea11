// A product with triangular or causal factors, cut into dense products: what a pattern makes zero,
// and what nobody reads, is left out by whole panels. The cuts depend on the sizes alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "matrix.hpp"

namespace lc {

// Panels that are worth a product of their own: about `work` multiplications each, some `least`
// wide, a multiple of `unit`, not more than `most` of them.
struct Panels {
  double work = 1e9;
  long least = 256, unit = 64, most = 12;
};

struct Pattern {
  Panels panels;
  long rows = 0, cols = 0, count = 0;    // count: free entries
  std::vector<long> first_row, end_col;  // of each column, of each row
  std::vector<long> offset;              // of each column among the free entries; cols + 1
  long first_free = 0;                   // columns before it have no free entry

  // First row in which some column from `column` on is free: rows may fall back to 0 after a
  // constant column that is not free.
  long first_row_from(long column) const {
    return first_row[static_cast<std::size_t>(std::max(column, std::min(first_free, cols - 1)))];
  }
};

enum class Shape { full, causal, lower, upper };

struct Factor {
  Matrix matrix;
  Shape shape = Shape::full;
  bool transposed = false;

  long rows() const { return transposed ? matrix.cols : matrix.rows; }
  long cols() const { return transposed ? matrix.rows : matrix.cols; }
};

inline Factor full(const Matrix& A) { return {A, Shape::full, false}; }
inline Factor causal(const Matrix& A) { return {A, Shape::causal, false}; }
inline Factor lower(const Matrix& A) { return {A, Shape::lower, false}; }
inline Factor upper(const Matrix& A) { return {A, Shape::upper, false}; }
inline Factor transposed(const Factor& A) { return {A.matrix, A.shape, !A.transposed}; }

struct Range {
  long begin = 0, end = 0;
  long size() const { return std::max(0L, end - begin); }
};

// The columns that some of the given rows of a factor use; with `along_columns` the rows that some
// of the given columns use.
inline Range used(const Pattern& pattern, const Factor& factor, const Range& range,
                  bool along_columns) {
  const long all = along_columns ? factor.rows() : factor.cols();
  const bool by_column = factor.transposed != along_columns;
  switch (factor.shape) {
    case Shape::causal:
      if (by_column) return {pattern.first_row_from(range.begin), all};
      return {0, pattern.end_col[static_cast<std::size_t>(range.end - 1)]};
    case Shape::lower:
      if (by_column) return {range.begin, all};
      return {0, range.end};
    case Shape::upper:
      if (by_column) return {0, range.end};
      return {range.begin, all};
    case Shape::full:
      break;
  }
  return {0, all};
}

inline std::vector<Range> panels(long size, bool cut, double multiplications, const Panels& rule) {
  long parts = 1;
  if (cut)
    parts = std::min(
        rule.most,
        std::min(size / rule.least, static_cast<long>(std::lround(multiplications / rule.work))));
  parts = std::max(1L, parts);
  const long blocks = (size + parts * rule.unit - 1) / (parts * rule.unit);
  const long width = parts == 1 ? size : blocks * rule.unit;
  std::vector<Range> result;
  for (long begin = 0; begin < size; begin += width)
    result.push_back({begin, std::min(begin + width, size)});
  return result;
}

struct Piece {
  Range rows, cols, inner;

  double work() const {
    return static_cast<double>(rows.size()) * static_cast<double>(cols.size()) *
           static_cast<double>(inner.size());
  }
};

// The pieces of A B; of a C of which only causal entries are read, those pieces alone.
inline std::vector<Piece> cut(const Pattern& pattern, const Factor& A, const Factor& B,
                              bool to_causal) {
  const long m = A.rows(), n = B.cols();
  const double all =
      static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(A.cols());
  std::vector<Piece> pieces;
  const std::vector<Range> across =
      panels(n, B.shape != Shape::full || to_causal, all, pattern.panels);
  const std::vector<Range> down =
      panels(m, A.shape != Shape::full, all / static_cast<double>(across.size()), pattern.panels);
  for (const Range& cols : across)
    for (Range rows : down) {
      if (to_causal) rows.begin = std::max(rows.begin, pattern.first_row_from(cols.begin));
      if (rows.size() == 0) continue;
      const Range left = used(pattern, A, rows, false), right = used(pattern, B, cols, true);
      pieces.push_back(
          {rows, cols, {std::max(left.begin, right.begin), std::min(left.end, right.end)}});
    }
  return pieces;
}

struct Product {
  Factor A, B;
};

// A part of a sum of products, which one stream computes: pieces of the same rows and columns of C,
// added to what is there, or not.
struct Task {
  struct Term {
    Product product;
    Piece piece;
  };
  std::vector<Term> terms;
  Matrix C;
  bool add = false;

  double work() const {
    double sum = 0;
    for (const Term& term : terms) sum += term.piece.work();
    return sum;
  }
};
using Tasks = std::vector<Task>;

// C = A B + ..., or C += ...: cut as the first product is.
inline Tasks tasks(const Pattern& pattern, const std::vector<Product>& sum, const Matrix& C,
                   bool to_causal, bool add) {
  Tasks list;
  for (const Piece& first : cut(pattern, sum[0].A, sum[0].B, to_causal)) {
    Task task = {{}, C, add};
    for (const Product& product : sum) {
      const Range left = used(pattern, product.A, first.rows, false),
                  right = used(pattern, product.B, first.cols, true);
      task.terms.push_back({product,
                            {first.rows,
                             first.cols,
                             {std::max(left.begin, right.begin), std::min(left.end, right.end)}}});
    }
    list.push_back(task);
  }
  return list;
}
inline Tasks operator+(Tasks one, const Tasks& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

// Multiplications and additions.
inline double operations(const Tasks& list) {
  double sum = 0;
  for (const Task& task : list) sum += 2 * task.work();
  return sum;
}

}  // namespace lc
