#include "certificate/largest_cost.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace loopcert {

double largest_cost(const WeightedResponse& y, double W) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(y.M.transpose() * y.M));
  const Vector k = eigen.eigenvalues().cwiseMax(0.0);
  const Vector g = eigen.eigenvectors().transpose() * Vector(y.M.transpose() * y.m);
  const double top = k.maxCoeff() * (1 + 1e-12), constant = y.m.squaredNorm();
  if (g.isZero(0.0) || top == 0) return top * W * W + constant;
  // In s = nu - top > 0, on a logarithmic scale around |g|/W, where it would lie for K = 0.
  const auto dual = [&](double log_s) {
    const double s = std::exp(log_s);
    return (top + s) * W * W + (g.array().square() / (top - k.array() + s)).sum() + constant;
  };
  const double middle = std::log(g.norm() / W);
  std::uintmax_t steps = 200;
  const auto found = boost::math::tools::brent_find_minima(
      dual, middle - 40, middle + 2, std::numeric_limits<double>::digits, steps);
  const double simple = std::pow(std::sqrt(top) * W + y.m.norm(), 2);
  return std::min(found.second, simple);
}

}  // namespace loopcert
