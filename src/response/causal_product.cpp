#include "loopcert/response/causal_product.hpp"

#include <algorithm>

#include "loopcert/core/parallel.hpp"

namespace loopcert {
namespace {

constexpr Index panels = 8;
constexpr double least_work = 4e6;  // below, one dense product is faster

bool small(Index m, Index k, Index n) {
  return 2.0 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n) <
         least_work;
}

// Calls job(first, count) for each panel of `size`, the first panel first.
template <class Job>
void for_panels(Index size, int threads, const Job& job) {
  const Index width = (size + panels - 1) / panels;
  parallel_for(panels, threads, [&](Index panel) {
    const Index first = std::min(panel * width, size);
    if (const Index count = std::min(width, size - first); count > 0) job(first, count);
  });
}

// Rows from the first free one of any column of the panel to the end.
Index free_rows(const CausalPattern& pattern, Index first_column) {
  const Index column = std::max(first_column, pattern.first_free_column());
  return pattern.rows() - std::min(pattern.first_row(column), pattern.rows());
}

template <class Left>
void by_causal(const CausalPattern& pattern, const Left& A, const Matrix& Z, Matrix& C,
               int threads) {
  C.resize(A.rows(), Z.cols());
  if (small(A.rows(), A.cols(), Z.cols())) {
    C.noalias() = A * Z;
    return;
  }
  for_panels(Z.cols(), threads, [&](Index first, Index count) {
    const Index free = free_rows(pattern, first);
    C.middleCols(first, count).noalias() =
        A.rightCols(free) * Z.middleCols(first, count).bottomRows(free);
  });
}

}  // namespace

void multiply_to_causal(const CausalPattern& pattern, const Matrix& A, const Matrix& B, Matrix& C,
                        int threads) {
  C.resize(A.rows(), B.cols());
  if (small(A.rows(), A.cols(), B.cols())) {
    C.noalias() = A * B;
    return;
  }
  for_panels(B.cols(), threads, [&](Index first, Index count) {
    const Index free = free_rows(pattern, first);
    C.middleCols(first, count).topRows(A.rows() - free).setZero();
    C.middleCols(first, count).bottomRows(free).noalias() =
        A.bottomRows(free) * B.middleCols(first, count);
  });
}

void multiply_by_causal(const CausalPattern& pattern, const Matrix& A, const Matrix& Z, Matrix& C,
                        int threads) {
  by_causal(pattern, A, Z, C, threads);
}

void multiply_transposed_by_causal(const CausalPattern& pattern, const Matrix& A, const Matrix& Z,
                                   Matrix& C, int threads) {
  by_causal(pattern, A.transpose(), Z, C, threads);
}

void add_causal_transposed_by(const CausalPattern& pattern, const Matrix& Z, const Matrix& B,
                              Matrix& C, int threads) {
  if (small(Z.cols(), Z.rows(), B.cols())) {
    C.noalias() += Z.transpose() * B;
    return;
  }
  for_panels(Z.cols(), threads, [&](Index first, Index count) {
    const Index free = free_rows(pattern, first);
    C.middleRows(first, count).noalias() +=
        Z.middleCols(first, count).bottomRows(free).transpose() * B.bottomRows(free);
  });
}

void multiply_causal_by(const CausalPattern& pattern, const Matrix& Z, const Matrix& B, Matrix& C,
                        int threads) {
  C.resize(Z.rows(), B.cols());
  if (small(Z.rows(), Z.cols(), B.cols())) {
    C.noalias() = Z * B;
    return;
  }
  for_panels(Z.rows(), threads, [&](Index reversed, Index count) {
    const Index first = Z.rows() - reversed - count;  // the longest rows first
    const Index used = pattern.end_column(first + count - 1);
    C.middleRows(first, count).noalias() =
        Z.middleRows(first, count).leftCols(used) * B.topRows(used);
  });
}

}  // namespace loopcert
