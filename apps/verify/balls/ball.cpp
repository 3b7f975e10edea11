#include "balls/ball.hpp"

#include <algorithm>
#include <cmath>

namespace verify {

double upper(const Ball& a) {
  if (!arb_is_finite(a.x)) return INFINITY;
  Ball end;
  arb_get_ubound_arf(arb_midref(end.x), a.x, 64);
  return arf_get_d(arb_midref(end.x), ARF_RND_CEIL);
}

Mat::Mat(const Table& table) : Mat(table.rows, table.cols) {
  for (long i = 0; i < rows(); ++i)
    for (long j = 0; j < cols(); ++j) arb_set_d(at(i, j), table(i, j));
}

Table centres(const Mat& A) {
  Table table{A.rows(), A.cols(), {}};
  for (long i = 0; i < A.rows(); ++i)
    for (long j = 0; j < A.cols(); ++j)
      table.values.push_back(arf_get_d(arb_midref(arb_mat_entry(A.m, i, j)), ARF_RND_NEAR));
  return table;
}

Mat diagonal(const Mat& A) {
  Mat column(A.rows(), 1);
  for (long i = 0; i < A.rows(); ++i) column.set(i, 0, A(i, i));
  return column;
}

Mat diagonal_matrix(const Mat& column) {
  Mat A(column.rows(), column.rows());
  for (long i = 0; i < A.rows(); ++i) A.set(i, i, column(i, 0));
  return A;
}

Mat block(const Mat& A, long row, long col, long rows, long cols) {
  Mat B(rows, cols);
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < cols; ++j) arb_set(B.at(i, j), arb_mat_entry(A.m, row + i, col + j));
  return B;
}

void set_block(Mat& A, long row, long col, const Mat& part) {
  for (long i = 0; i < part.rows(); ++i)
    for (long j = 0; j < part.cols(); ++j)
      arb_set(A.at(row + i, col + j), arb_mat_entry(part.m, i, j));
}

Ball dot(const Mat& A, const Mat& B) {
  Ball sum;
  for (long i = 0; i < A.rows(); ++i)
    for (long j = 0; j < A.cols(); ++j)
      arb_addmul(sum.x, arb_mat_entry(A.m, i, j), arb_mat_entry(B.m, i, j), bits);
  return sum;
}

double size_of(const Mat& A) {
  double largest = 0;
  for (long i = 0; i < A.rows(); ++i)
    for (long j = 0; j < A.cols(); ++j)
      largest = std::max({largest, upper(A(i, j)), -lower(A(i, j))});
  return largest;
}

Mat solve(const Mat& A, const Mat& B) {
  Mat X(B.rows(), B.cols());
  if (!arb_mat_solve(X.m, A.m, B.m, bits)) throw TooWide{"a linear system"};
  return X;
}

Table cholesky(const Table& A, double shift) {
  Table L{A.rows, A.rows, std::vector<double>(A.values.size())};
  for (long i = 0; i < A.rows; ++i)
    for (long j = 0; j <= i; ++j) {
      double rest = A(i, j) - (i == j ? shift : 0);
      for (long k = 0; k < j; ++k) rest -= L(i, k) * L(j, k);
      L(i, j) = i == j ? std::sqrt(rest) : rest / L(j, j);
    }
  return L;
}

// Scaled to a diagonal between 1/2 and 4, A = L L' + F for any L, and F is positive definite if its
// diagonal dominates. The shift makes room for the rounding of L and the balls.
bool is_positive_definite(const Mat& A) {
  const long n = A.rows();
  std::vector<slong> half;
  for (long i = 0; i < n; ++i) {
    if (!(lower(A(i, i)) > 0)) return false;
    half.push_back(std::ilogb(lower(A(i, i))) / 2);
  }
  Mat F = A;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      arb_mul_2exp_si(F.at(i, j), F.at(i, j),
                      -half[static_cast<size_t>(i)] - half[static_cast<size_t>(j)]);
  const double shift = static_cast<double>(n + 3) * (0x1p-51 + size_of(F - middle(F)));
  const Mat L(cholesky(centres(F), shift));
  if (!arb_mat_is_finite(L.m)) return false;
  F = F - L * transpose(L);
  for (long i = 0; i < n; ++i) {
    Ball room = 2 * F(i, i);
    for (long j = 0; j < n; ++j) {
      arb_abs(F.at(i, j), F.at(i, j));
      arb_sub(room.x, room.x, F.at(i, j), bits);
    }
    if (!(lower(room) > 0)) return false;
  }
  return true;
}

// More on the diagonal is never a smaller cost, nor a smaller covariance: what these balls give,
// upper end, holds for A itself.
std::optional<Mat> semidefinite(const Mat& A) {
  Mat B = A;
  for (long i = 0; i < A.rows(); ++i)  // rows of zeros are no loss
    if (size_of(block(A, i, 0, 1, A.cols())) == 0) B.set(i, i, 1);
  for (const double more : {0.0, 1e-14, 1e-13, 1e-12}) {
    if (!is_positive_definite(B + more * diagonal_matrix(diagonal(B)))) continue;
    Mat wider = A;
    for (long i = 0; i < A.rows() && more > 0; ++i) {
      const Ball half = (more / 2) * A(i, i);
      arb_add(wider.at(i, i), wider.at(i, i), half.x, bits);
      arb_add_error(wider.at(i, i), half.x);
    }
    return wider;
  }
  return std::nullopt;
}

// The lower factor of the matrix read backwards, read backwards.
Mat upper_factor(const Mat& A) {
  const long n = A.rows();
  Mat backwards(n, n), U(n, n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) backwards.set(n - 1 - i, n - 1 - j, A(i, j));
  if (!arb_mat_cho(backwards.m, backwards.m, bits)) throw TooWide{"a Cholesky factor"};
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) U.set(n - 1 - i, n - 1 - j, backwards(i, j));
  return U;
}

// tr(A^m)^(1/m) by squaring, m up to 2^40; each time the size is taken out, its end without a
// radius. Of trace at most one, a power P has a largest eigenvalue between tr P^2 and one: no more
// when that leaves 1e-11 of the m-th root.
Ball largest_eigenvalue(const Mat& A) {
  const Ball all = trace(A);
  if (!(lower(all) > 0)) return ball(arb_union, all.x, Ball(0).x);
  Mat power_of_A = A;
  Ball log_size(0), share(1), size;
  for (int k = 0; k <= 40; ++k, share = share / 2) {
    arb_get_ubound_arf(arb_midref(size.x), trace(power_of_A).x, bits);
    log_size = log_size + share * log(size);
    power_of_A = 1 / size * power_of_A;
    power_of_A = power_of_A * power_of_A;
    if (lower(share * log(trace(power_of_A))) > -1e-11) return exp(log_size);
  }
  throw TooWide{"an eigenvalue"};
}

}  // namespace verify
