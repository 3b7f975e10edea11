#include "ball.hpp"

#include <cmath>

namespace verify {

#define LOOPCERT_BALL_OPERATOR(symbol, function)       \
  Ball operator symbol(const Ball& a, const Ball& b) { \
    Ball r;                                            \
    function(r.x, a.x, b.x, bits);                     \
    return r;                                          \
  }
LOOPCERT_BALL_OPERATOR(+, arb_add)
LOOPCERT_BALL_OPERATOR(-, arb_sub)
LOOPCERT_BALL_OPERATOR(*, arb_mul)
LOOPCERT_BALL_OPERATOR(/, arb_div)

Ball operator-(const Ball& a) {
  Ball r;
  arb_neg(r.x, a.x);
  return r;
}

Ball sqrt(const Ball& a) {
  Ball r;
  arb_sqrt(r.x, a.x, bits);
  return r;
}

Ball log(const Ball& a) {
  Ball r;
  arb_log(r.x, a.x, bits);
  return r;
}

Ball max_zero(const Ball& a) {
  Ball r;
  arb_max(r.x, a.x, Ball(0).x, bits);
  return r;
}

double upper(const Ball& a) {
  if (!arb_is_finite(a.x)) return INFINITY;
  arf_t end;
  arf_init(end);
  arb_get_ubound_arf(end, a.x, 64);
  const double value = arf_get_d(end, ARF_RND_CEIL);
  arf_clear(end);
  return value;
}

double lower(const Ball& a) { return -upper(-a); }

Mat::Mat(const Table& table) : Mat(table.rows, table.cols) {
  for (long i = 0; i < rows(); ++i)
    for (long j = 0; j < cols(); ++j) arb_set_d(at(i, j), table(i, j));
}

Mat identity(long size) {
  Mat I(size, size);
  arb_mat_one(I.m);
  return I;
}

Mat operator*(const Mat& A, const Mat& B) {
  Mat C(A.rows(), B.cols());
  arb_mat_mul(C.m, A.m, B.m, bits);
  return C;
}

Mat operator*(const Ball& a, const Mat& B) {
  Mat C(B.rows(), B.cols());
  arb_mat_scalar_mul_arb(C.m, B.m, a.x, bits);
  return C;
}

Mat operator+(const Mat& A, const Mat& B) {
  Mat C(A.rows(), A.cols());
  arb_mat_add(C.m, A.m, B.m, bits);
  return C;
}

Mat operator-(const Mat& A, const Mat& B) {
  Mat C(A.rows(), A.cols());
  arb_mat_sub(C.m, A.m, B.m, bits);
  return C;
}

Mat transpose(const Mat& A) {
  Mat B(A.cols(), A.rows());
  arb_mat_transpose(B.m, A.m);
  return B;
}

Mat entrywise(const Mat& A, const Mat& B) {
  Mat C(A.rows(), A.cols());
  arb_mat_mul_entrywise(C.m, A.m, B.m, bits);
  return C;
}

Mat block(const Mat& A, long row, long col, long rows, long cols) {
  Mat B(rows, cols);
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < cols; ++j) arb_set(B.at(i, j), A.at(row + i, col + j));
  return B;
}

void set_block(Mat& A, long row, long col, const Mat& part) {
  for (long i = 0; i < part.rows(); ++i)
    for (long j = 0; j < part.cols(); ++j) arb_set(A.at(row + i, col + j), part.at(i, j));
}

Ball dot(const Mat& A, const Mat& B) {
  Ball sum;
  for (long i = 0; i < A.rows(); ++i)
    for (long j = 0; j < A.cols(); ++j) arb_addmul(sum.x, A.at(i, j), B.at(i, j), bits);
  return sum;
}

Ball trace_of_product(const Mat& A, const Mat& B) {
  Ball sum;
  for (long i = 0; i < A.rows(); ++i)
    for (long j = 0; j < A.cols(); ++j) arb_addmul(sum.x, A.at(i, j), B.at(j, i), bits);
  return sum;
}

std::vector<Ball> row_dots(const Mat& A, const Mat& B) {
  std::vector<Ball> dots(static_cast<size_t>(A.rows()));
  for (long i = 0; i < A.rows(); ++i)
    for (long j = 0; j < A.cols(); ++j)
      arb_addmul(dots[static_cast<size_t>(i)].x, A.at(i, j), B.at(i, j), bits);
  return dots;
}

std::vector<Ball> times(const Mat& A, const std::vector<Ball>& v) {
  std::vector<Ball> product(static_cast<size_t>(A.rows()));
  for (long i = 0; i < A.rows(); ++i)
    for (long j = 0; j < A.cols(); ++j)
      arb_addmul(product[static_cast<size_t>(i)].x, A.at(i, j), v[static_cast<size_t>(j)].x, bits);
  return product;
}

Ball dot(const std::vector<Ball>& a, const std::vector<Ball>& b) {
  Ball sum;
  for (size_t i = 0; i < a.size(); ++i) arb_addmul(sum.x, a[i].x, b[i].x, bits);
  return sum;
}

Mat solve(const Mat& A, const Mat& B) {
  Mat X(B.rows(), B.cols());
  if (!arb_mat_solve(X.m, A.m, B.m, bits)) throw TooWide{"a linear system"};
  return X;
}

Mat solve_upper(const Mat& U, const Mat& B) {
  Mat X(B.rows(), B.cols());
  arb_mat_solve_triu(X.m, U.m, B.m, 0, bits);
  return X;
}

Mat solve_lower(const Mat& L, const Mat& B) {
  Mat X(B.rows(), B.cols());
  arb_mat_solve_tril(X.m, L.m, B.m, 0, bits);
  return X;
}

Ball determinant(const Mat& A) {
  Ball det;
  arb_mat_det(det.x, A.m, bits);
  return det;
}

// The lower factor of the matrix read backwards, read backwards.
Mat upper_factor(const Mat& A) {
  const long n = A.rows();
  Mat flipped(n, n), L(n, n), U(n, n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) arb_set(flipped.at(n - 1 - i, n - 1 - j), A.at(i, j));
  if (!arb_mat_cho(L.m, flipped.m, bits)) throw TooWide{"a Cholesky factor"};
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) arb_set(U.at(n - 1 - i, n - 1 - j), L.at(i, j));
  return U;
}

}  // namespace verify
