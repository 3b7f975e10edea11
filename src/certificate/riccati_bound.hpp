// The largest cost over an ellipsoid of models by a guaranteed-cost Riccati recursion
// (docs/theory/identified-cost.md). With H = E U^1/2, C = Cr [I; K] and any tau > 0:
//   P_t = Q_K + tau beta^2 C'Vt^-1 C + Acl'(P + P H (tau I - H'P H)^-1 H'P) Acl,   P = P_{t+1},
// as long as tau I > H'P H. Then for every model of the set E[cost to go] falls by at least the
// cost of a step, up to tr(E'P E U_v).
#pragma once

#include <functional>

#include "certificate/estimated_loop.hpp"

namespace loopcert {

// The right side of the recursion; nothing where tau I > H'P H fails.
std::optional<Matrix> riccati_step(const EstimatedLoop& loop, const LoopStep& step,
                                   const ConfidenceSet& set, const Matrix& P, double tau);

// tr(P_0 U_0) + sum_t tr(E'P_{t+1} E U_v); nothing where this tau fails.
std::optional<double> riccati_cost(const EstimatedLoop& loop, const Gains& gains,
                                   const ConfidenceSet& set, const Matrix& U_0, double tau);

struct RiccatiBound {
  double value = 0;
  double tau = 0;
};

// The best tau; nothing when there is none.
std::optional<RiccatiBound> riccati_bound(const EstimatedLoop& loop, const Gains& gains,
                                          const ConfidenceSet& set, const Matrix& U_0);

// For ever: V(zeta) = zeta'P zeta with P + rise e_1 e_1' > right side at P (e_1 the constant) and
// P > 0 on the rest. Then every model of the set is stable under K, and its average cost of a step
// is at most rise + tr(E'P E U_v).
struct AverageBound {
  double value = 0;
  double tau = 0;
  double rise = 0;  // 0 without a constant
  Matrix P;
};

// The value of these numbers, if they prove one: every inequality strictly, in double precision.
std::optional<double> average_cost_at(const EstimatedLoop& loop, const Matrix& K,
                                      const ConfidenceSet& set, const AverageBound& numbers);

std::optional<AverageBound> average_bound(const EstimatedLoop& loop, const Matrix& K,
                                          const ConfidenceSet& set);

// The average cost of the estimate itself under U_v; nothing when its loop is not stable.
std::optional<double> nominal_average(const EstimatedLoop& loop, const Matrix& K,
                                      const Matrix& U_v);

// X = Q + A'X (I + G X)^-1 A by doubling, G symmetric and possibly indefinite; nothing when it does
// not settle. A candidate: whoever uses it in a bound proves the inequality.
std::optional<Matrix> doubled_solution(Matrix A, Matrix G, const Matrix& Q);

// The smallest value over tau > 0 of a convex function that is nothing below some tau, around a
// tau of the size `unit`; the best tau, or nothing.
std::optional<double> best_multiplier(const std::function<std::optional<double>(double)>& value,
                                      double unit);

}  // namespace loopcert
