#include "certificate/pole_reach.hpp"

#include <cmath>
#include <numbers>

#include "core/dense_solvers.hpp"
#include "core/eigenvalues.hpp"

namespace loopcert {
namespace {

constexpr int directions = 24;

// A over xi at Theta.
Matrix dynamics(const LinearModel& m, const Matrix& Theta) {
  const Index n = m.n() - m.first();
  return plant_at(m, Theta).A.bottomRightCorner(n, n);
}

std::complex<double> nearest(const Eigen::VectorXcd& poles, std::complex<double> to) {
  Index at = 0;
  (poles.array() - to).abs().minCoeff(&at);
  return poles(at);
}

}  // namespace

std::vector<PoleReach> pole_reach(const LinearModel& m, const ConfidenceSet& set) {
  const Index f = m.first(), n = m.n() - f;
  const Matrix A = dynamics(m, set.Theta_hat);
  const auto [values, right, left] = eigen_system(A);
  std::vector<PoleReach> poles;
  for (Index i = 0; i < n; ++i) {
    PoleReach pole{values(i), {}, 0};
    // d lambda = l E U^1/2 F G Cr [x; 0] = a'F c, F real with norm beta.
    const Eigen::VectorXcd a = (left.row(i) * m.E.bottomRows(n) * set.root).transpose();
    const Eigen::VectorXcd c = set.G * m.Cr.middleCols(f, n) * right.col(i);
    for (int k = 0; k < directions; ++k) {
      const double angle = 2 * std::numbers::pi * k / directions;
      // Re(e^{-i angle} a'F c) is largest for F along the real part of e^{-i angle} a c'.
      Matrix F = (std::polar(1.0, -angle) * a * c.transpose()).real();
      const double size = F.norm();
      if (!(size > 0) || !std::isfinite(size)) continue;
      F *= set.beta / size;
      const Eigen::VectorXcd moved =
          eigenvalues_of(dynamics(m, set.Theta_hat + set.root * F * set.G));
      pole.reached.push_back(nearest(moved, pole.pole));
      pole.reach = std::max(pole.reach, std::abs(pole.reached.back() - pole.pole));
    }
    poles.push_back(std::move(pole));
  }
  return poles;
}

}  // namespace loopcert
