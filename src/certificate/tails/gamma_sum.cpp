#include "certificate/gamma_sum.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace loopcert {
namespace {

constexpr double room = 36;  // e^-room is what the next period adds
constexpr int most_terms = 1024;
constexpr double rest_share = 1e-13, rounding = 1e-13;

}  // namespace

// With u_k = 2 pi k / period and r_i = s_i/(1 + lambda s_i)
//   2/period e^{lambda t} M(lambda) [1/(2 lambda) + sum_k Re e^{i u_k t} prod_i (1 + i u_k r_i)^-a
//                                                        / (lambda + i u_k)]:
// what the period brings back is not negative, and the terms left out fall faster than a power.
double log_chance_below(const Vector& s, double shape, double t, double lambda) {
  if (!(t > 0)) return -std::numeric_limits<double>::infinity();
  const Eigen::ArrayXd r = s.array() / (1 + lambda * s.array());
  const double period = room / lambda + std::min(2 * lambda * shape * s.squaredNorm(), t);
  const double step = 2 * std::numbers::pi / period;
  double sum = 0.5 / lambda, sizes = sum, rest = INFINITY;
  for (int k = 1; k <= most_terms && !(rest <= rest_share / lambda); ++k) {
    const double u = step * k;
    const Eigen::ArrayXd ur = u * r, squares = ur.square();
    const double size = std::exp(-0.5 * shape * squares.log1p().sum()) / std::hypot(lambda, u);
    sum += size * std::cos(u * t - shape * ur.atan().sum() - std::atan2(u, lambda));
    sizes += size;
    const double falls =
        shape * (squares / (1 + squares)).sum() + u * u / (lambda * lambda + u * u) - 1;
    rest = falls > 0 ? size * k / falls : INFINITY;
  }
  sum += rest + rounding * sizes;
  return lambda * t - shape * (lambda * s.array()).log1p().sum() + std::log(2 / period * sum);
}

double quantile_margin(const Vector& s, Index n, double delta, double lambda, double known) {
  if (s.size() == 0) return known;
  const double shape = 0.5 * static_cast<double>(n), L = s.sum();
  const double least = s.maxCoeff() / shape;  // below it a larger eigenvalue may make L smaller
  const auto excess = [&](double t) {
    return log_chance_below(s, shape, t, lambda) - std::log(delta);
  };
  const double low = shape * (L - known), high = shape * (L - least);
  if (!(least < known) || !(low > 0) || !(excess(low) <= 0)) return known;
  if (excess(high) <= 0) return least;
  std::uintmax_t steps = 100;
  const double t = boost::math::tools::toms748_solve(
                       excess, low, high, boost::math::tools::eps_tolerance<double>(45), steps)
                       .first;
  return std::min(known, L - t / shape + 1e-12 * L);  // more than rounding, in the safe direction
}

}  // namespace loopcert
