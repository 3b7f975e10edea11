#include "certificate/riccati_bound.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "core/linalg.hpp"

namespace loopcert {

std::optional<Matrix> riccati_step(const EstimatedLoop& loop, const LoopStep& step,
                                   const ConfidenceSet& set, const Matrix& P, double tau) {
  const Matrix H = loop.model.E * set.root;
  const Matrix PH = P * H;
  const Index n_v = H.cols();
  const Eigen::LLT<Matrix> gap(tau * Matrix::Identity(n_v, n_v) - H.transpose() * PH);
  if (gap.info() != Eigen::Success || !P.allFinite()) return std::nullopt;
  // X'X = Acl'P H (tau I - H'P H)^-1 H'P Acl.
  const Matrix X = gap.matrixL().solve(Matrix(PH.transpose() * step.Acl));
  const Matrix GC = set.beta * set.G * step.C;  // (G C)'(G C) = C'Vt^-1 C
  Matrix next = step.weight + tau * GC.transpose() * GC + step.Acl.transpose() * P * step.Acl +
                X.transpose() * X;
  return 0.5 * (next + next.transpose());
}

std::optional<double> riccati_cost(const EstimatedLoop& loop, const Gains& gains,
                                   const ConfidenceSet& set, const Matrix& U_0, double tau) {
  const Matrix noise = loop.model.E * set.U_v * loop.model.E.transpose();
  Matrix P = loop.P;
  double cost = 0;
  for (Index t = loop.T - 1; t >= 0; --t) {
    cost += P.cwiseProduct(noise).sum();
    const std::optional<Matrix> next =
        riccati_step(loop, step_of(loop, gains[static_cast<size_t>(t)], t), set, P, tau);
    if (!next) return std::nullopt;
    P = *next;
  }
  cost += P.cwiseProduct(U_0).sum();
  return std::isfinite(cost) ? std::optional(cost) : std::nullopt;
}

std::optional<double> best_multiplier(const std::function<std::optional<double>(double)>& value,
                                      double unit) {
  const auto at = [&](double log_tau) {
    return value(unit * std::exp2(log_tau)).value_or(INFINITY);
  };
  // Powers of two first: where the function is finite nobody knows.
  double best = INFINITY, where = 0;
  int worse = 0;
  for (int k = -2; k <= 60 && worse < 6; ++k) {
    const double here = at(k);
    worse = std::isfinite(best) && here >= best ? worse + 1 : 0;
    if (here < best) {
      best = here;
      where = k;
    }
  }
  if (!std::isfinite(best)) {  // between the powers, as between 1 and 2
    for (int k = -32; k <= 64; ++k)
      if (const double here = at(k / 16.0); here < best) {
        best = here;
        where = k / 16.0;
      }
    if (!std::isfinite(best)) return std::nullopt;
  }
  // The golden section of a convex function, also of one that is infinite on the left.
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double low = where - 1, high = where + 1;
  double a = high - golden * (high - low), b = low + golden * (high - low);
  double at_a = at(a), at_b = at(b);
  while (high - low > 1e-5) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      at_a = at(a = high - golden * (high - low));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      at_b = at(b = low + golden * (high - low));
    }
    if (const double here = std::min(at_a, at_b); here < best) {
      best = here;
      where = at_a < at_b ? a : b;
    }
  }
  return unit * std::exp2(where);
}

std::optional<RiccatiBound> riccati_bound(const EstimatedLoop& loop, const Gains& gains,
                                          const ConfidenceSet& set, const Matrix& U_0) {
  // tau exceeds every H'P_t H, and these exceed those of the estimate.
  const Matrix H = loop.model.E * set.root;
  double unit = 0;
  const std::vector<Matrix> S = costs_to_go(loop, gains);
  for (size_t t = 1; t < S.size(); ++t)
    unit = std::max(unit, largest_eigenvalue(H.transpose() * S[t] * H));
  if (!(unit > 0) || !std::isfinite(unit)) return std::nullopt;
  const auto cost = [&](double tau) { return riccati_cost(loop, gains, set, U_0, tau); };
  const std::optional<double> tau = best_multiplier(cost, unit);
  if (!tau) return std::nullopt;
  return RiccatiBound{cost(*tau).value(), *tau};
}

}  // namespace loopcert
