#include "true_violation.hpp"

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr Index most_rows = 4;     // together: nodes to the power of their number less one
constexpr double far = 7;          // what lies beyond weighs 3e-12
constexpr double nothing = 1e-12;  // of a row's variance: it follows from the rows before it

double beyond(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }  // P(normal > x)

// P(a < normal < b), from the side where the tails are small.
double between(double a, double b) {
  return a > 0 ? beyond(a) - beyond(b) : beyond(-b) - beyond(-a);
}

double row_broken(double low, double high, double mean, double deviation) {
  if (deviation == 0) return low <= mean && mean <= high ? 0 : 1;
  return beyond((high - mean) / deviation) + beyond((mean - low) / deviation);
}

// Values of the rows under one part: Gaussian.
struct Values {
  Vector mean;
  Matrix covariance;
};

Values values_of(const RowResponses& rows, const LawPart& part) {
  const Index C = rows.m.size();
  return {rows.m + rows.a * part.mean, part.covariance.size() == 0
                                           ? Matrix(Matrix::Zero(C, C))
                                           : Matrix(rows.a * part.covariance * rows.a.transpose())};
}

// P(low <= y <= high) for y = mean + L e, e standard normal: over e_0, then e_1 given e_0, …
template <unsigned nodes>
struct Inside {
  const Vector &low, &high;
  Index C;
  Matrix L;
  std::vector<Index> last;  // the e that a row without its own depends on last; -1: on none

  Inside(const RowResponses& rows, const Matrix& V)
      : low(rows.low), high(rows.high), C(V.rows()), L(Matrix::Zero(C, C)) {
    last.assign(static_cast<size_t>(C), -1);
    for (Index c = 0; c < C; ++c)
      for (Index k = 0; k <= c; ++k) {
        const double rest = V(c, k) - L.row(c).head(k).dot(L.row(k).head(k));
        if (k < c && L(k, k) > 0) L(c, k) = rest / L(k, k);
        if (k == c && rest > nothing * V(c, c)) L(c, c) = std::sqrt(rest);
        if (L(c, k) != 0) last[static_cast<size_t>(c)] = k;
      }
  }

  using Centre = std::array<double, most_rows>;

  double probability(Index c, const Centre& centre) const {
    if (c == C) return 1;
    const double s = L(c, c), at = centre[static_cast<size_t>(c)];
    if (s == 0) {  // settled where the last e that it depends on was
      const bool settled = last[static_cast<size_t>(c)] >= 0;
      return settled || (low(c) <= at && at <= high(c)) ? probability(c + 1, centre) : 0;
    }
    double a = (low(c) - at) / s, b = (high(c) - at) / s;
    for (Index k = c + 1; k < C; ++k) {
      if (L(k, k) != 0 || last[static_cast<size_t>(k)] != c) continue;
      const double of = centre[static_cast<size_t>(k)];
      const double x = (low(k) - of) / L(k, c), y = (high(k) - of) / L(k, c);
      a = std::max(a, std::min(x, y));
      b = std::min(b, std::max(x, y));
    }
    if (!(a < b)) return 0;
    const bool more = (L.diagonal().tail(C - c - 1).array() > 0).any();
    if (!more) return between(a, b);
    const auto at_e = [&](double e) {
      Centre next = centre;
      for (Index k = c + 1; k < C; ++k) next[static_cast<size_t>(k)] += L(k, c) * e;
      return std::exp(-e * e / 2) / std::sqrt(2 * M_PI) * probability(c + 1, next);
    };
    return boost::math::quadrature::gauss<double, nodes>::integrate(at_e, std::max(a, -far),
                                                                    std::min(b, far));
  }

  double operator()(const Vector& mean) const {
    Centre centre{};
    std::copy(mean.begin(), mean.end(), centre.begin());
    return probability(0, centre);
  }
};

// What the quadrature may be off counts as violated.
double any_broken(const RowResponses& rows, const Values& y) {
  constexpr double too_much = 1e-6;
  if (rows.m.size() == 1)
    return row_broken(rows.low(0), rows.high(0), y.mean(0), std::sqrt(y.covariance(0, 0)));
  const double fine = Inside<50>(rows, y.covariance)(y.mean);
  const double off = std::abs(fine - Inside<36>(rows, y.covariance)(y.mean));
  if (off > too_much)
    throw NumericsError("coverage: the probability of a violation is not known to 1e-6");
  return 1 - fine + off;
}

}  // namespace

double true_violation(const Limits& limits, const RowResponses& rows,
                      const std::vector<LawPart>& parts) {
  const Index C = rows.m.size();
  if (parts.empty())
    throw_input_error("shape", "one whose rows have no exact law", "a mixture of Gaussian laws");
  if (!limits.each && C > most_rows)
    throw_input_error("limits", std::to_string(C) + " rows at steps, together",
                      "at most 4, or each for itself: more are not integrated");
  double together = 0;
  Vector alone = Vector::Zero(C);
  for (const LawPart& part : parts) {
    const Values y = values_of(rows, part);
    if (!limits.each) together += part.weight * any_broken(rows, y);
    for (Index c = 0; c < C; ++c)
      alone(c) += part.weight * row_broken(rows.low(c), rows.high(c), y.mean(c),
                                           std::sqrt(std::max(0.0, y.covariance(c, c))));
  }
  return limits.each ? alone.maxCoeff() : together;
}

}  // namespace loopcert
