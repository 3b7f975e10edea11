#include "system/sampling_time.hpp"

#include <cmath>

#include "loopcert/core/error.hpp"
#include "system/plain_product.hpp"

namespace loopcert {
namespace {

double largest_column_sum(const Matrix& A) {
  double largest = 0;
  for (Index j = 0; j < A.cols(); ++j) {
    double sum = 0;
    for (Index i = 0; i < A.rows(); ++i) sum += std::abs(A(i, j));
    if (!(sum <= largest)) largest = sum;  // NaN stays
  }
  return largest;
}

Matrix scaled(const Matrix& A, double factor) {
  Matrix B = A;
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) B(i, j) = factor * A(i, j);
  return B;
}

void add(const Matrix& more, Matrix& A) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) A(i, j) += more(i, j);
}

// exp(A h) and the integral of exp(A s) B over s from 0 to h: one exponential of [A B; 0 0] h.
struct Held {
  Matrix A, B;
};
Held held(const Matrix& A, const Matrix& B, double h) {
  const Index n = A.rows(), m = B.cols();
  Matrix both = Matrix::Zero(n + m, n + m);
  for (Index j = 0; j < n + m; ++j)
    for (Index i = 0; i < n; ++i) both(i, j) = h * (j < n ? A(i, j) : B(i, j - n));
  const Matrix E = plain_exponential(both);
  return {E.topLeftCorner(n, n), E.topRightCorner(n, m)};
}

}  // namespace

Matrix plain_exponential(const Matrix& A) {
  // E(h) = exp(h A) - 1 by its series at ||h A|| <= 1/4, whose terms beyond the 16th are below
  // 2^-53 of the first; and E(2h) = 2 E(h) + E(h)^2.
  constexpr int terms = 16, most_squares = 2000;
  int squares = 0;
  double size = largest_column_sum(A);
  if (!std::isfinite(size)) throw InputError("a matrix exponential that is not finite");
  for (; size > 0.25 && squares < most_squares; size /= 2) ++squares;
  const Matrix small = scaled(A, std::ldexp(1.0, -squares));
  Matrix E = scaled(small, 1.0 / terms);
  for (int k = terms - 1; k >= 1; --k) {  // Horner: E <- (small + small E) / k
    Matrix next = plain_times(small, E);
    add(small, next);
    E = scaled(next, 1.0 / k);
  }
  for (int k = 0; k < squares; ++k) {
    Matrix square = plain_times(E, E);
    add(E, square);
    add(E, square);
    E = std::move(square);
  }
  for (Index i = 0; i < E.rows(); ++i) E(i, i) += 1;
  return E;
}

Sampled sample_held(const Matrix& A, const Matrix& B, double dt, double dead_time) {
  // An input reaches the plant `rest` after the sample: what was before it acts until then.
  const double whole = std::floor(dead_time / dt);
  double rest = dead_time - whole * dt;
  Sampled result;
  result.m = static_cast<Index>(whole);
  if (rest >= dt * (1 - 1e-12)) ++result.m, rest = 0;
  if (rest <= dt * 1e-12) rest = 0;
  const Held step = held(A, B, dt);
  result.A = step.A;
  result.B_now = step.B;
  result.B_before = Matrix::Zero(B.rows(), B.cols());
  if (rest > 0) {
    const Held late = held(A, B, dt - rest), early = held(A, B, rest);
    result.B_now = late.B;
    result.B_before = plain_times(late.A, early.B);
  }
  if (!result.A.allFinite() || !result.B_now.allFinite() || !result.B_before.allFinite())
    throw InputError("the plant grows beyond double precision within one step: check dt");
  return result;
}

}  // namespace loopcert
