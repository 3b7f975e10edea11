// P(lambda_min(nW) > 2a) by de Bruijn's formula. With y = x/2 the eigenvalues of nW/2 have density
// prop. to prod_i y_i^alpha e^{-y_i} prod_{i<j} |y_i - y_j|, alpha = (n-d-1)/2, so the probability
// is Pf A(a) / Pf A(0) with phi_i(y) = y^{alpha+i-1} e^{-y}, i = 1, …, d, and
//   A_ij(a) = int int_{x,y>a} sgn(y - x) phi_i(x) phi_j(y),
// bordered by Phi_i = int_a phi_i when d is odd. The matrix is as ill-conditioned as the monomials
// are, hence the multiprecision arithmetic.
#pragma once

#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <utility>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert::wishart {

namespace mp = boost::multiprecision;
template <unsigned bits>
using Float = mp::number<mp::cpp_bin_float<bits, mp::digit_base_2>, mp::et_off>;

// Gamma(1/2, x). Not by Boost's erfc: for types this wide it computes tables when the program
// starts, a tenth of a second that every command would pay.
template <unsigned bits>
Float<bits> upper_gamma_half(const Float<bits>& x) {
  if (x < 32) {
    // sqrt(pi) minus the series of gamma(1/2, x), whose terms are positive. The difference is at
    // least e^{-32}, so 64 more bits make up for what cancels.
    using Wide = Float<bits + 64>;
    const Wide y(x);
    Wide term = 2 * sqrt(y) * exp(-y), sum = term;
    for (int k = 1; term > 0 && term > ldexp(sum, -static_cast<int>(bits) - 64); ++k) {
      term *= 2 * y / (2 * k + 1);
      sum += term;
    }
    return Float<bits>(sqrt(boost::math::constants::pi<Wide>()) - sum);
  }
  // x^{1/2} e^{-x} / (x + (1/2) / (1 + 1 / (x + (3/2) / (1 + 2 / …)))), from the far end: the error
  // falls like exp(-4 sqrt(count x)).
  const double root = 0.1733 * bits + 4;
  const int count = static_cast<int>(root * root / static_cast<double>(x)) + 10;
  Float<bits> tail = x;
  for (int k = count; k >= 1; --k) {
    tail = 1 + k / tail;
    tail = x + Float<bits>(k - 0.5) / tail;
  }
  return sqrt(x) * exp(-x) / tail;
}

// Gamma(s, x) for s = twice_s/2 and its successors s + 1, …, by the upward recursion
// Gamma(s+1, x) = s Gamma(s, x) + x^s e^{-x}, whose terms are all positive.
template <unsigned bits, class Real = Float<bits>>
std::vector<Real> upper_gammas(Index twice_s, Index count, const Real& x) {
  const bool half = twice_s % 2 != 0;
  const Real root = sqrt(x);
  Real s = half ? Real(0.5) : Real(1);
  Real value = half ? upper_gamma_half<bits>(x) : Real(exp(-x));
  Real power = exp(-x) * (half ? root : x);  // x^s e^{-x}
  std::vector<Real> values;
  const Index skip = (twice_s - (half ? 1 : 2)) / 2;
  for (Index k = 0; k < skip + count; ++k) {
    if (k >= skip) values.push_back(value);
    value = s * value + power;
    power *= x;
    s += 1;
  }
  return values;
}

template <class Real>
using Square = std::vector<std::vector<Real>>;

// |Pf A| of a skew matrix of even size, by Parlett and Reid's elimination with pivoting.
template <class Real>
Real pfaffian(Square<Real> A) {
  const size_t size = A.size();
  Real product = 1;
  for (size_t k = 0; k + 1 < size; k += 2) {
    size_t pivot = k + 1;
    for (size_t i = k + 2; i < size; ++i)
      if (abs(A[k][i]) > abs(A[k][pivot])) pivot = i;
    std::swap(A[k + 1], A[pivot]);
    for (auto& row : A) std::swap(row[k + 1], row[pivot]);
    product *= A[k][k + 1];
    for (size_t i = k + 2; i < size; ++i) A[k][i] /= A[k][k + 1];
    for (size_t i = k + 2; i < size; ++i)
      for (size_t j = i + 1; j < size; ++j) {
        A[i][j] += A[k][i] * A[j][k + 1] - A[k][j] * A[i][k + 1];
        A[j][i] = -A[i][j];
      }
  }
  return abs(product);
}

// phi_{j+1} = (alpha+j) phi_j - phi_{j+1}' integrated by parts:
//   A_{i,j+1} = (alpha+j) A_ij + 2 int_a phi_i phi_{j+1} - phi_{j+1}(a) Phi_i,  A_ii = 0,
//   int_a phi_i phi_j = 2^{-s} Gamma(s, 2a),  s = 2 alpha + i + j - 1.
template <unsigned bits, class Real = Float<bits>>
Real unnormalized(Index d, Index n, const Real& a) {
  const auto size = static_cast<size_t>(d);
  const Index twice_alpha = n - d - 1;
  const Real alpha = Real(twice_alpha) / 2;
  const auto Phi = upper_gammas<bits>(twice_alpha + 2, d, a);                     // i = 1, …, d
  const auto pair = upper_gammas<bits>(2 * (twice_alpha + 2), 2 * d - 1, 2 * a);  // i + j = 3, …
  Square<Real> A(size + size % 2, std::vector<Real>(size + size % 2, Real(0)));
  std::vector<Real> at_a(size);  // phi_{j+1}(a) = a^{alpha+j} e^{-a}
  if (a > 0)
    for (size_t j = 0; j < size; ++j) at_a[j] = pow(a, Real(alpha + j)) * exp(-a);
  std::vector<Real> halves(2 * size);  // 2^{-(2 alpha + i + j)}
  for (size_t k = 0; k < halves.size(); ++k)
    halves[k] = ldexp(Real(1), -static_cast<int>(twice_alpha + static_cast<Index>(k)));
  for (size_t i = 1; i <= size; ++i)
    for (size_t j = i; j < size; ++j) {
      const Real both = halves[i + j] * pair[i + j - 2];
      A[i - 1][j] = (alpha + j) * A[i - 1][j - 1] + 2 * both - at_a[j] * Phi[i - 1];
      A[j][i - 1] = -A[i - 1][j];
    }
  if (size % 2 != 0)
    for (size_t i = 0; i < size; ++i) {
      A[i][size] = Phi[i];
      A[size][i] = -Phi[i];
    }
  return pfaffian(std::move(A));
}

// P(lambda_min(W) < q) with so many bits.
template <unsigned bits>
class LowerTail {
 public:
  LowerTail(Index d, Index n) : d_(d), n_(n), whole_(unnormalized<bits>(d, n, Real(0))) {}
  double operator()(double q) const {
    const Real rest = unnormalized<bits>(d_, n_, Real(q * static_cast<double>(n_) / 2)) / whole_;
    return static_cast<double>(Real(1 - rest));
  }

 private:
  using Real = Float<bits>;
  Index d_, n_;
  Real whole_;
};

}  // namespace loopcert::wishart
