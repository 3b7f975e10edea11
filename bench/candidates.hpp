// Ways to minimize the same bound from the same posterior, each leaving a trace of every
// evaluation.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "learning/optimizer.hpp"
#include "learning_problem.hpp"
#include "loopcert/core/error.hpp"
#include "measure.hpp"
#include "scaling.hpp"
#ifdef LOOPCERT_BENCH_NLOPT
#include <nlopt.h>
#endif

namespace loopcert::bench {

// What an optimizer did: one entry per evaluation of value and gradient.
struct Trace {
  std::vector<double> values;
  std::vector<double> seconds;  // CPU time since the start
  int undefined = 0;            // evaluations where the bound was not a finite number
  std::string end;              // how it stopped, in the optimizer's own words
};

// Plain coordinates are (Z, log sqrt V); scaled ones are those of minimize_bound.
enum class Coordinates { plain, scaled };

constexpr Index any_size = std::numeric_limits<Index>::max();

struct Candidate {
  std::string name;
  Coordinates coordinates;
  Index largest_p;  // a dense model of the curvature is not tried beyond
  std::function<std::string(const HostObjective& objective, const Vector& start)> minimize;
};

constexpr int evaluation_limit = 5000;
constexpr int pairs_kept = 12;  // by every limited-memory method, as by ours

inline std::string minimize_ours(const HostObjective& objective, const Vector& start) {
  OptimizerOptions options;
  options.max_iterations = evaluation_limit;
  return solver_status_name(minimize(objective, start, options).status);
}

#ifdef LOOPCERT_BENCH_NLOPT
inline std::string minimize_nlopt(nlopt_algorithm algorithm, const HostObjective& objective,
                                  const Vector& start) {
  // NLopt is C: it must not see an exception, and the objective throws none.
  const nlopt_func call = [](unsigned n, const double* x, double* gradient, void* data) {
    Vector g(n);
    const double value = (*static_cast<const HostObjective*>(data))(Vector::Map(x, n), g);
    if (gradient) Vector::Map(gradient, n) = g;
    return value;
  };
  const nlopt_opt opt = nlopt_create(algorithm, static_cast<unsigned>(start.size()));
  nlopt_set_min_objective(opt, call, const_cast<HostObjective*>(&objective));
  // It has no tolerance on the gradient; this one on the value is near the rounding of ours.
  nlopt_set_ftol_rel(opt, 1e-13);
  nlopt_set_maxeval(opt, evaluation_limit);
  // Left alone it sets aside 10 MB for pairs, which costs more than a small problem takes.
  nlopt_set_vector_storage(opt, pairs_kept);
  Vector x = start;
  double value = 0;
  const nlopt_result result = nlopt_optimize(opt, x.data(), &value);
  nlopt_destroy(opt);
  return nlopt_result_to_string(result);
}
#endif

// Ours first; NLopt's when it was found at configure time.
inline std::vector<Candidate> candidates() {
  std::vector<Candidate> list = {{"loopcert", Coordinates::scaled, any_size, minimize_ours},
                                 {"loopcert", Coordinates::plain, any_size, minimize_ours}};
#ifdef LOOPCERT_BENCH_NLOPT
  const auto add = [&](const char* name, nlopt_algorithm algorithm, Coordinates coordinates,
                       Index largest_p = any_size) {
    list.push_back({name, coordinates, largest_p, [=](const HostObjective& f, const Vector& start) {
                      return minimize_nlopt(algorithm, f, start);
                    }});
  };
  add("NLopt LBFGS", NLOPT_LD_LBFGS, Coordinates::scaled);
  add("NLopt TNEWTON", NLOPT_LD_TNEWTON_PRECOND_RESTART, Coordinates::scaled);
  add("NLopt LBFGS", NLOPT_LD_LBFGS, Coordinates::plain);
  add("NLopt TNEWTON", NLOPT_LD_TNEWTON_PRECOND_RESTART, Coordinates::plain);
  add("NLopt VAR2", NLOPT_LD_VAR2, Coordinates::plain);
  add("NLopt CCSAQ", NLOPT_LD_CCSAQ, Coordinates::plain);
  add("NLopt SLSQP", NLOPT_LD_SLSQP, Coordinates::plain, 200);
#endif
  return list;
}

inline Trace run_candidate(const Candidate& candidate, const LearningProblem& problem,
                           const Posterior& start) {
  const CausalPattern& pattern = problem.space.coordinates.pattern;
  const Index p = pattern.count();
  Trace trace;
  const double begin = cpu_seconds();
  Team team(1);
  BoundEvaluator evaluator(problem.space.cost, problem.inputs, problem.prior, team);
  double unit = 1;  // minimize_bound divides the bound by its value at the start
  std::optional<Scaling> scaling;
  if (candidate.coordinates == Coordinates::scaled) {
    const BoundValue first = evaluator.evaluate(start);
    unit = first.value;
    scaling.emplace(problem.space.cost, problem.inputs, problem.prior, start, first, unit, team);
  }
  Posterior posterior = start;
  MomentGradient slopes;

  const auto to_posterior = [&](const Vector& x) {
    if (scaling) return scaling->posterior(x, posterior);
    posterior.mean = unpack(pattern, x.head(p));
    const Vector V = (2 * x.tail(p).array()).exp();
    posterior.variance = unpack(pattern, V);
  };
  const auto to_gradient = [&](Vector& gradient) {
    if (scaling) return scaling->gradient(posterior, slopes, gradient);
    const Matrix d_log_sigma = 2 * slopes.d_variance.cwiseProduct(posterior.variance);
    gradient.head(p) = pack(pattern, slopes.d_mean);
    gradient.tail(p) = pack(pattern, d_log_sigma);
  };
  const HostObjective objective = [&](const Vector& x, Vector& gradient) {
    double value = std::numeric_limits<double>::infinity();
    to_posterior(x);
    try {
      value = evaluator.evaluate(posterior, &slopes).value;
      to_gradient(gradient);
      gradient /= unit;
    } catch (const NumericsError&) {
      gradient.setZero();
      ++trace.undefined;
    }
    trace.values.push_back(value);
    trace.seconds.push_back(cpu_seconds() - begin);
    return value / unit;
  };

  Vector x(2 * p);
  if (scaling) {
    x = scaling->start(start);
  } else {
    x.head(p) = pack(pattern, start.mean);
    x.tail(p) = 0.5 * pack(pattern, start.variance).array().log();
  }
  trace.end = candidate.minimize(objective, x);
  return trace;
}

}  // namespace loopcert::bench
