// What gains cost less than no input at all, on every plant of the set: a guaranteed-cost recursion
// above the one and another below the other (docs/theory/identified-cost.md, item 9).
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "certificate/identified_cost.hpp"
#include "core/linalg.hpp"

namespace loopcert {
namespace {

// Q_K - tau beta^2 C'Vt^-1 C + Acl'(P - P H (tau I + H'P H)^-1 H'P) Acl: at most what the next
// step's P becomes under any plant of the set. Nothing where tau I + H'P H > 0 fails.
std::optional<Matrix> step_below(const EstimatedLoop& loop, const LoopStep& step,
                                 const ConfidenceSet& set, const Matrix& P, double tau) {
  const Matrix H = loop.model.E * set.root, PH = P * H;
  const Matrix I = Matrix::Identity(H.cols(), H.cols());
  const Eigen::LLT<Matrix> gap(tau * I + H.transpose() * PH);
  if (!(tau >= 0) || gap.info() != Eigen::Success || !P.allFinite()) return std::nullopt;
  const Matrix X = gap.matrixL().solve(Matrix(PH.transpose() * step.Acl));
  const Matrix GC = set.beta * set.G * step.C;
  const Matrix next = step.weight - tau * GC.transpose() * GC +
                      step.Acl.transpose() * P * step.Acl - X.transpose() * X;
  return 0.5 * (next + next.transpose());
}

// P_0 and the sum of E'P_{t+1} E: all that a cost needs.
struct CostMatrices {
  Matrix start, noise;
};

// P_t = step(t, P_{t+1}); nothing where a step fails.
template <class Step>
std::optional<CostMatrices> backwards(const EstimatedLoop& loop, const Step& step) {
  const Matrix& E = loop.model.E;
  CostMatrices found{loop.P, Matrix::Zero(E.cols(), E.cols())};
  for (Index t = loop.T - 1; t >= 0; --t) {
    found.noise += E.transpose() * found.start * E;
    const std::optional<Matrix> next = step(t, found.start);
    if (!next) return std::nullopt;
    found.start = *next;
  }
  return found;
}

std::optional<CostMatrices> above(const IdentifiedPlant& plant, const Gains& gains, double tau) {
  return backwards(plant.loop, [&](Index t, const Matrix& P) {
    const LoopStep step = step_of(plant.loop, gains[static_cast<size_t>(t)], t);
    return riccati_step(plant.loop, step, plant.set, P, tau);
  });
}

std::optional<CostMatrices> below(const IdentifiedPlant& plant, const Gains& gains,
                                  const std::vector<double>& tau) {
  return backwards(plant.loop, [&](Index t, const Matrix& P) {
    const LoopStep step = step_of(plant.loop, gains[static_cast<size_t>(t)], t);
    return step_below(plant.loop, step, plant.set, P, tau[static_cast<size_t>(t)]);
  });
}

// sup of tr(X Sigma) over kappa U <= Sigma <= U: kappa tr M + (1 - kappa) tr M_+ with M = root'X
// root, root root' = U.
double largest_between(const Matrix& X, const Matrix& root, double kappa) {
  const Matrix M = root.transpose() * X * root;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (M + M.transpose()));
  return kappa * M.trace() + (1 - kappa) * eigen.eigenvalues().cwiseMax(0.0).sum();
}

// Costs X - Y under every law that the events allow.
double largest_difference(const IdentifiedPlant& plant, const CostMatrices& X,
                          const CostMatrices& Y) {
  const Index f = plant.model.first(), n = plant.model.n() - f;
  const Matrix start = X.start - Y.start;
  const double N = static_cast<double>(plant.set.transitions);
  const double of_noise = (N * plant.set.q - plant.set.b_sq) / (N * plant.noise_ceiling);
  const double of_start = plant.start_floor / plant.start_ceiling;
  return (f == 1 ? start(0, 0) : 0) +
         largest_between(start.bottomRightCorner(n, n),
                         symmetric_sqrt(plant.U_0.bottomRightCorner(n, n)), of_start) +
         largest_between(X.noise - Y.noise, plant.set.root, of_noise);
}

Gains no_input(const IdentifiedPlant& plant) {
  return Gains(static_cast<size_t>(plant.loop.T), Matrix::Zero(plant.model.n_u, plant.model.n()));
}

// Multipliers in proportion to the root of what the next step costs: measured within a third of
// the true infimum where one multiplier for all steps was a half off.
std::vector<double> shapes_of(const IdentifiedPlant& plant, const Gains& gains) {
  const Matrix H = plant.model.E * plant.set.root;
  const std::vector<Matrix> S = costs_to_go(plant.loop, gains);
  std::vector<double> shapes;
  for (size_t t = 1; t < S.size(); ++t)
    shapes.push_back(std::sqrt(std::max(largest_eigenvalue(H.transpose() * S[t] * H), 0.0)));
  return shapes;
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

}  // namespace

std::optional<IdentifiedBound> bound_difference_at(const IdentifiedPlant& plant, const Gains& gains,
                                                   double tau, const std::vector<double>& taus) {
  if (plant.loop.T == 0 || !(plant.noise_ceiling > 0) || std::ssize(taus) != plant.loop.T ||
      !(tau > 0))
    return std::nullopt;
  const auto controller = above(plant, gains, tau);
  const auto baseline = below(plant, no_input(plant), taus);
  if (!controller || !baseline) return std::nullopt;
  IdentifiedBound bound;
  bound.bound = "difference";
  bound.value = largest_difference(plant, *controller, *baseline);
  const auto itself = [&](const Gains& of) {
    return *backwards(plant.loop, [&](Index t, const Matrix& P) {
      const LoopStep step = step_of(plant.loop, of[static_cast<size_t>(t)], t);
      return std::optional<Matrix>(step.weight + step.Acl.transpose() * P * step.Acl);
    });
  };
  bound.nominal = largest_difference(plant, itself(gains), itself(no_input(plant)));
  bound.tau = tau;
  bound.below = taus;
  bound.gains = gains;
  return std::isfinite(bound.value) ? std::optional(bound) : std::nullopt;
}

std::optional<IdentifiedBound> bound_difference(const IdentifiedPlant& plant, const Gains& gains) {
  if (plant.loop.T == 0 || !(plant.noise_ceiling > 0)) return std::nullopt;
  const auto riccati = riccati_bound(plant.loop, gains, plant.set, plant.U_0);
  if (!riccati) return std::nullopt;
  const auto controller = above(plant, gains, riccati->tau);
  if (!controller) return std::nullopt;
  const std::vector<double> shapes = shapes_of(plant, no_input(plant));
  const double unit = *std::max_element(shapes.begin(), shapes.end());
  if (!(unit > 0) || !std::isfinite(unit)) return std::nullopt;
  const auto value = [&](double factor) -> std::optional<double> {
    const auto baseline = below(plant, no_input(plant), scaled(shapes, factor));
    if (!baseline) return std::nullopt;
    return largest_difference(plant, *controller, *baseline);
  };
  const std::optional<double> factor = best_multiplier(value, unit / 64);
  if (!factor) return std::nullopt;
  return bound_difference_at(plant, gains, riccati->tau, scaled(shapes, *factor));
}

}  // namespace loopcert
