#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "learning/path.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

GlobalCheck global_minimum(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
                           const PacBayesOptions& options) {
  // Convexity needs the plain quadratic psi: a mean term breaks it (y^4 + 2 x^2 y^2 is not convex).
  if (inputs.psi != Psi::quadratic || inputs.B.size() > 0 || inputs.mean_radius > 0)
    throw InputError(
        "global check: only for the quadratic psi with zero mean, and this bound "
        "has a mean term or the rank-aware psi");
  // sum_ij P_ii t_j V_ij is concave in sqrt V where t_j < 0.
  if (inputs.spread.size() > 0 && inputs.spread.minCoeff() < 0)
    throw InputError(
        "global check: only for nonnegative spread weights; this bound, such as that of kind "
        "oracle, has a negative one and is not convex at a fixed lambda");
  BoundInputs fixed = inputs;
  GlobalCheck best;
  best.value = std::numeric_limits<double>::infinity();
  const auto keep = [&](const PacBayesResult& result) {
    if (result.bound.value < best.value) {
      best.value = result.bound.value;
      best.lambda = *fixed.lambda;
      best.posterior = result.posterior;
    }
    return result.bound.value;
  };
  // A coarse scan over eight orders of magnitude of sqrt(rate/C) at the prior, then Brent.
  const Posterior wide{prior.center, unpack(form.pattern, Vector::Constant(form.p(), 1e-2))};
  const double middle = std::log(evaluate_bound(form, inputs, prior, wide).complexity.lambda);
  double best_log = middle, best_value = std::numeric_limits<double>::infinity();
  const double reach = std::log(1e4), step = reach / 10;
  BoundPath scan(form, options);
  for (double log_lambda = middle - reach; log_lambda <= middle + reach; log_lambda += step) {
    fixed.lambda = std::exp(log_lambda);
    const double value = keep(scan.next(fixed, prior));
    if (value < best_value) {
      best_value = value;
      best_log = log_lambda;
    }
  }
  // The convex problem at one lambda, from the best posterior known so far.
  const auto solve = [&](double log_lambda) {
    fixed.lambda = std::exp(log_lambda);
    return keep(minimize_bound(form, fixed, prior, options, &best.posterior));
  };
  std::uintmax_t steps = 60;
  boost::math::tools::brent_find_minima(solve, best_log - step, best_log + step, 30, steps);
  return best;
}

}  // namespace loopcert
