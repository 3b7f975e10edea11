#include "learning/pac_bayes.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "certificate/prior_kl.hpp"
#include "core/check.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// The prior's centre with variances that are a part of the prior's.
Posterior around_centre(const Prior& prior, const Matrix& of_prior, double part,
                        const SharedFrame& frame) {
  return {prior.center, part * of_prior, frame};
}

// A warm start whose bound is not below that of the rough start comes from too far away.
bool worth_starting_from(const Posterior& warm, const Posterior& rough, HeldBound& held) {
  try {
    return held.evaluate(warm).value < held.evaluate(rough).value;
  } catch (const NumericsError&) {  // overflow
    return false;
  }
}

// One descent.
PacBayesResult descend(const QuadraticForm& form, HeldBound& held, Vectors& vectors,
                       const Posterior& from, const PacBayesOptions& options) {
  const BoundValue first = held.evaluate(from);
  // The optimizer works on bound / unit, about 1: its tolerances then mean the same in all units.
  const double unit = std::abs(first.value);
  const Index size = 2 * form.p();
  Held x = vectors.make(size);
  held.start_at(from, first, unit, *x);

  BoundValue last;
  const Objective objective = [&](const HeldVector& at, HeldVector& gradient) {
    try {
      last = held.evaluate(at, gradient);
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
  const Ending minimum = minimize(objective, size, x, vectors, optimizer);

  PacBayesResult result;
  result.posterior = held.posterior(*x);
  result.bound = held.evaluate(result.posterior);
  result.gradient_norm = minimum.gradient_norm;
  result.iterations = minimum.iterations;
  result.evaluations = minimum.evaluations;
  result.status = minimum.status;
  return result;
}

// The smallest minimum from several starts; iterations are those of all descents together.
PacBayesResult best_descent(const QuadraticForm& form, HeldBound& held, Vectors& vectors,
                            const std::vector<Posterior>& starts, const PacBayesOptions& options) {
  PacBayesResult best = descend(form, held, vectors, starts.front(), options);
  int iterations = best.iterations, evaluations = best.evaluations;
  PacBayesOptions later = options;
  if (options.on_step)
    later.on_step = [&](LearningStep step) {
      step.iteration += iterations;
      return options.on_step(step);
    };
  for (size_t i = 1; i < starts.size() && best.status != SolverStatus::interrupted; ++i) {
    PacBayesResult next;
    try {
      next = descend(form, held, vectors, starts[i], later);
    } catch (const NumericsError&) {  // overflow where it starts
      continue;
    }
    iterations += next.iterations;
    evaluations += next.evaluations;
    const bool interrupted = next.status == SolverStatus::interrupted;
    if (next.bound.value < best.bound.value) best = std::move(next);
    if (interrupted) best.status = SolverStatus::interrupted;
  }
  best.iterations = iterations;
  best.evaluations = evaluations;
  return best;
}

}  // namespace

PacBayesResult minimize_from(const QuadraticForm& form, const BoundInputs& inputs,
                             const Prior& prior, const Posterior& start,
                             const PacBayesOptions& options) {
  check_prior(prior, form.pattern);
  check_posterior(start, form.pattern);
  const std::unique_ptr<Backend> own = options.backend ? nullptr : cpu_backend(1);
  Backend& backend = options.backend ? *options.backend : *own;
  return descend(form, *backend.hold(form, inputs, prior, start.frame), backend.vectors(), start,
                 options);
}

PacBayesResult minimize_bound(const QuadraticForm& form, const BoundInputs& inputs,
                              const Prior& prior, const PacBayesOptions& options,
                              const Posterior* warm_start) {
  check_prior(prior, form.pattern);
  const std::unique_ptr<Backend> own = options.backend ? nullptr : cpu_backend(1);
  Backend& backend = options.backend ? *options.backend : *own;
  const std::unique_ptr<HeldBound> held = backend.hold(form, inputs, prior, options.frame);
  const Matrix of_prior = prior_variance(prior, form.pattern, options.frame);
  const Posterior narrow = around_centre(prior, of_prior, 0.01, options.frame);
  if (warm_start) check_posterior(*warm_start, form.pattern);
  const bool warm = warm_start && worth_starting_from(*warm_start, narrow, *held);
  std::vector<Posterior> starts;
  if (warm) starts.push_back(*warm_start);
  const bool two_basins = inputs.spread.size() > 0 && inputs.spread.minCoeff() < 0;
  if (!warm || two_basins) {
    starts.push_back(narrow);
    held->refine_variance(form.pattern, weight_of(inputs), of_prior, starts.back(), 4);
  }
  // A negative spread weight rewards variance: one basin near the prior, one with little variance.
  if (two_basins) starts.push_back(around_centre(prior, of_prior, 1, options.frame));
  return best_descent(form, *held, backend.vectors(), starts, options);
}

}  // namespace loopcert
