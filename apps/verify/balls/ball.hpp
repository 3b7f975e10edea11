// Owners of Arb's balls and matrices of balls. Every result contains the exact one.
#pragma once

#include <arb.h>
#include <arb_mat.h>

#include <concepts>
#include <optional>
#include <vector>

namespace verify {

inline slong bits = 64;  // working precision; main raises it

class Ball {
 public:
  Ball(double value = 0) {
    arb_init(x);
    arb_set_d(x, value);
  }
  Ball(std::integral auto value) : Ball() { arb_set_si(x, static_cast<slong>(value)); }
  Ball(const Ball& other) : Ball() { arb_set(x, other.x); }
  Ball& operator=(const Ball& other) {
    arb_set(x, other.x);
    return *this;
  }
  ~Ball() { arb_clear(x); }

  arb_t x;
};

// function(result, arguments..., bits)
template <class Function, class... Arguments>
Ball ball(const Function& function, const Arguments&... arguments) {
  Ball r;
  function(r.x, arguments..., bits);
  return r;
}
inline Ball operator+(const Ball& a, const Ball& b) { return ball(arb_add, a.x, b.x); }
inline Ball operator-(const Ball& a, const Ball& b) { return ball(arb_sub, a.x, b.x); }
inline Ball operator*(const Ball& a, const Ball& b) { return ball(arb_mul, a.x, b.x); }
inline Ball operator/(const Ball& a, const Ball& b) { return ball(arb_div, a.x, b.x); }
inline Ball operator-(const Ball& a) { return 0 - a; }
inline Ball power(const Ball& a, const Ball& exponent) { return ball(arb_pow, a.x, exponent.x); }
inline Ball sqrt(const Ball& a) { return ball(arb_sqrt, a.x); }
inline Ball log(const Ball& a) { return ball(arb_log, a.x); }
inline Ball exp(const Ball& a) { return ball(arb_exp, a.x); }
inline Ball log_gamma(const Ball& a) { return ball(arb_lgamma, a.x); }
// a, or zero if that is larger
inline Ball max_zero(const Ball& a) { return ball(arb_max, a.x, Ball().x); }

inline Ball smaller(const Ball& a, const Ball& b) { return ball(arb_min, a.x, b.x); }

// Ends of the ball as doubles, rounded outwards; infinite when the ball is not finite.
double upper(const Ball& a);
inline double lower(const Ball& a) { return -upper(-a); }

// A dense matrix of doubles as files hold it, by rows.
struct Table {
  long rows = 0, cols = 0;
  std::vector<double> values;
  long inner = 0;  // of an array of three axes the last, cols being the other two; 0: of fewer

  double operator()(long i, long j) const { return values[static_cast<size_t>(i * cols + j)]; }
  double& operator()(long i, long j) { return values[static_cast<size_t>(i * cols + j)]; }
};

class Mat {
 public:
  Mat(long rows, long cols) { arb_mat_init(m, rows, cols); }
  explicit Mat(const Table& table);
  Mat(const Mat& other) : Mat(other.rows(), other.cols()) { arb_mat_set(m, other.m); }
  Mat(Mat&& other) noexcept : Mat(0, 0) { arb_mat_swap(m, other.m); }
  Mat& operator=(Mat other) {
    arb_mat_swap(m, other.m);
    return *this;
  }
  ~Mat() { arb_mat_clear(m); }

  long rows() const { return arb_mat_nrows(m); }
  long cols() const { return arb_mat_ncols(m); }
  arb_ptr at(long i, long j) { return arb_mat_entry(m, i, j); }
  Ball operator()(long i, long j) const {
    Ball entry;
    arb_set(entry.x, arb_mat_entry(m, i, j));
    return entry;
  }
  void set(long i, long j, const Ball& value) { arb_set(at(i, j), value.x); }

  arb_mat_t m;
};

// function(result, arguments...)
template <class Function, class... Arguments>
Mat mat(long rows, long cols, const Function& function, const Arguments&... arguments) {
  Mat R(rows, cols);
  function(R.m, arguments...);
  return R;
}
// The same, as large as A.
template <class Function, class... Arguments>
Mat like(const Mat& A, const Function& function, const Arguments&... arguments) {
  return mat(A.rows(), A.cols(), function, arguments...);
}
inline Mat operator*(const Mat& A, const Mat& B) {
  return mat(A.rows(), B.cols(), arb_mat_mul, A.m, B.m, bits);
}
inline Mat operator+(const Mat& A, const Mat& B) { return like(A, arb_mat_add, A.m, B.m, bits); }
inline Mat operator-(const Mat& A, const Mat& B) { return like(A, arb_mat_sub, A.m, B.m, bits); }
inline Mat operator*(const Ball& a, const Mat& B) {
  return like(B, arb_mat_scalar_mul_arb, B.m, a.x, bits);
}
inline Mat entrywise(const Mat& A, const Mat& B) {
  return like(A, arb_mat_mul_entrywise, A.m, B.m, bits);
}
inline Ball trace(const Mat& A) { return ball(arb_mat_trace, A.m); }
inline Ball determinant(const Mat& A) { return ball(arb_mat_det, A.m); }
inline Mat identity(long size) { return mat(size, size, arb_mat_one); }
inline Mat ones(long rows, long cols) { return mat(rows, cols, arb_mat_ones); }
inline Mat transpose(const Mat& A) { return mat(A.cols(), A.rows(), arb_mat_transpose, A.m); }
// The centres of its balls, as they are and rounded to doubles.
inline Mat middle(const Mat& A) { return like(A, arb_mat_get_mid, A.m); }
Table centres(const Mat& A);
Mat diagonal(const Mat& A);  // as a column
Mat diagonal_matrix(const Mat& column);
Mat block(const Mat& A, long row, long col, long rows, long cols);
void set_block(Mat& A, long row, long col, const Mat& part);
Ball dot(const Mat& A, const Mat& B);  // sum of A_ij B_ij
double size_of(const Mat& A);          // at least its largest entry
Mat solve(const Mat& A, const Mat& B);
bool is_positive_definite(const Mat& A);  // certainly, for a symmetric A
// A, its diagonal entries as balls that reach up to 1e-12 further if it takes that to hold a matrix
// without a negative eigenvalue, in whatever units; nothing when more is needed.
std::optional<Mat> semidefinite(const Mat& A);
// L lower triangular with L L' close to A - shift I; not a number where there is none.
Table cholesky(const Table& A, double shift);
Mat upper_factor(const Mat& A);  // U upper triangular with A = U U'

// At least the largest eigenvalue of a matrix that has no negative ones, as a product of two
// semidefinite matrices, and at most 1e-11 of it more; a ball around both if it may be zero.
Ball largest_eigenvalue(const Mat& A);

// Thrown when balls are too wide to decide; main raises the precision.
struct TooWide {
  const char* what;
};

// What attempt() finds at the first precision where it does: for parts that widen more than the
// rest, and cost less.
template <class Attempt>
auto with_more_bits(const Attempt& attempt, const char* what) {
  const slong before = bits;
  decltype(attempt()) found;
  for (bits = 128; bits <= 4096 && !found; bits *= 2) {
    try {
      found = attempt();
    } catch (const TooWide& error) {
      what = error.what;
    }
  }
  bits = before;
  if (!found) throw TooWide{what};
  return *found;
}

}  // namespace verify
