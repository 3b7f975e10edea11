#include "learning/pac_bayes.hpp"

#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// The stationary variance given everything else: rest(V) = dbound/dV without its 1/V part, and
// V = per_kl / (2 rest). One damped step in log V; entries outside the pattern stay zero.
void update_variance(const CausalPattern& pattern, const Prior& prior, const BoundValue& bound,
                     const MomentGradient& slopes, Index n, Posterior& posterior) {
  const double per_kl = bound.complexity.d_rate / static_cast<double>(n - 1);
  const double s2 = prior.scale * prior.scale;
  for (Index j = 0; j < pattern.cols(); ++j)
    for (Index i = pattern.first_row(j); i < pattern.rows(); ++i) {
      double& V = posterior.variance(i, j);
      const double rest = slopes.d_variance(i, j) + 0.5 * per_kl / V;
      const double target = rest > 0.5 * per_kl / s2 ? 0.5 * per_kl / rest : s2;
      V = std::sqrt(V * target);
    }
}

// The prior's centre with a tenth of its standard deviation.
Posterior rough_start(const QuadraticForm& form, const Prior& prior) {
  Posterior posterior{prior.center, Matrix::Zero(prior.center.rows(), prior.center.cols())};
  for (Index j = 0; j < form.pattern.cols(); ++j)
    posterior.variance.col(j)
        .tail(form.pattern.rows() - form.pattern.first_row(j))
        .setConstant(0.01 * prior.scale * prior.scale);
  return posterior;
}

// With variances near stationary: a few cheap steps save many iterations.
void refine_variance(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
                     HeldBound& held, Posterior& posterior) {
  MomentGradient slopes;
  for (int step = 0; step < 4; ++step) {
    const BoundValue bound = held.evaluate(posterior, &slopes);
    update_variance(form.pattern, prior, bound, slopes, inputs.n, posterior);
  }
}

// A warm start whose bound is not below that of the rough start comes from too far away.
bool worth_starting_from(const Posterior& warm, const Posterior& rough, HeldBound& held) {
  try {
    return held.evaluate(warm).value < held.evaluate(rough).value;
  } catch (const NumericsError&) {  // overflow
    return false;
  }
}

}  // namespace

PacBayesResult minimize_bound(const QuadraticForm& form, const BoundInputs& inputs,
                              const Prior& prior, const PacBayesOptions& options,
                              const Posterior* warm_start) {
  check_prior(prior, form.pattern);
  const std::unique_ptr<Backend> own = options.backend ? nullptr : cpu_backend(1);
  Backend& backend = options.backend ? *options.backend : *own;
  const std::unique_ptr<HeldBound> held = backend.hold(form, inputs, prior);
  Posterior posterior = rough_start(form, prior);
  if (warm_start) check_posterior(*warm_start, form.pattern);
  if (warm_start && worth_starting_from(*warm_start, posterior, *held))
    posterior = *warm_start;
  else
    refine_variance(form, inputs, prior, *held, posterior);
  const BoundValue first = held->evaluate(posterior);
  // The optimizer works on bound / unit, about 1: its tolerances then mean the same in all units.
  const double unit = std::abs(first.value);
  const Vector start = held->start_at(posterior, first, unit);

  BoundValue last;
  const Objective objective = [&](const HeldVector& x, HeldVector& gradient) {
    try {
      last = held->evaluate(x, gradient);
    } catch (const NumericsError&) {  // overflow: the step was too long
      return std::numeric_limits<double>::infinity();
    }
    return last.value / unit;
  };
  OptimizerOptions optimizer;
  optimizer.gradient_tolerance = options.gradient_tolerance;
  optimizer.max_iterations = options.max_iterations;
  if (options.on_step)
    optimizer.on_iteration = [&](const IterationReport& r) {
      return options.on_step(
          {r.iteration, last.empirical, last.kl, r.value * unit, r.gradient_norm});
    };
  const Minimum minimum = minimize(objective, start, backend.vectors(), optimizer);

  PacBayesResult result;
  result.posterior = held->posterior(minimum.x);
  result.bound = held->evaluate(result.posterior);
  result.gradient_norm = minimum.gradient_norm;
  result.iterations = minimum.iterations;
  result.evaluations = minimum.evaluations;
  result.status = minimum.status;
  return result;
}

}  // namespace loopcert
