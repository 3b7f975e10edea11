#include <cmath>

#include "learning/backend.hpp"

namespace loopcert {
namespace {

// The stationary variance given everything else: rest(V) = dbound/dV without its 1/V part, and
// V = per_kl / (2 rest). One damped step in log V; entries outside the pattern stay zero.
void update_variance(const CausalPattern& pattern, const Matrix& of_prior, const BoundValue& bound,
                     const MomentGradient& slopes, double weight, Posterior& posterior) {
  const double per_kl = bound.complexity.d_rate / weight;
  for (Index j = 0; j < pattern.cols(); ++j)
    for (Index i = pattern.first_row(j); i < pattern.rows(); ++i) {
      double& V = posterior.variance(i, j);
      const double s2 = of_prior(i, j);
      const double rest = slopes.d_variance(i, j) + 0.5 * per_kl / V;
      const double target = rest > 0.5 * per_kl / s2 ? 0.5 * per_kl / rest : s2;
      V = std::sqrt(V * target);
    }
}

}  // namespace

void HeldBound::refine_variance(const CausalPattern& pattern, double weight, const Matrix& of_prior,
                                Posterior& posterior, int steps) {
  MomentGradient slopes;
  for (int step = 0; step < steps; ++step) {
    const BoundValue bound = evaluate(posterior, &slopes);
    update_variance(pattern, of_prior, bound, slopes, weight, posterior);
  }
}

}  // namespace loopcert
