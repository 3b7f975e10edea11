#include "planning/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "certificate/certificate_choice.hpp"
#include "core/check.hpp"
#include "core/parallel.hpp"
#include "core/work.hpp"
#include "loopcert/core/error.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert {
namespace {

constexpr Index first_n = 5;
constexpr double refined = 0.05;                       // relative gap at which bisection ends
constexpr std::uint64_t plan_cell = 0x706c616e000000;  // apart from every stream of data

struct Trial {
  std::optional<double> certificate;
  double cost = 0, optimal = NAN;
  bool kept = false;  // its limits are certified
  std::string failure;
};

// Trial k sees the first n rows of its own stream: curves over n are smooth. Under a radius, rows
// beyond it are cut to it, for the data must obey what the problem assumes.
Disturbances simulated_data(const Problem& problem, const Law& law, Index n, Index trial) {
  Disturbances data =
      sample_disturbances(law, {0, plan_cell + static_cast<std::uint64_t>(trial)}, n);
  if (problem.disturbance.model != "bounded" || !problem.disturbance.radius) return data;
  const double radius = *problem.disturbance.radius * (1 - 1e-12);
  for (Index i = 0; i < n; ++i)
    if (const double norm = data.w.row(i).norm(); norm > radius) data.w.row(i) *= radius / norm;
  return data;
}

bool kept(const LimitsReport& limits) {
  return limits.bound->certificate.value <= (limits.limits.robust ? 0 : limits.limits.probability);
}

Trial run_trial(const Problem& problem, const Law& law, Index n, Index k) {
  Trial trial;
  try {
    const LearnRun run = run_learn(problem, simulated_data(problem, law, n, k));
    if (run.certificate) trial.certificate = run.certificate->value;
    trial.cost = run.population_cost.value();
    trial.optimal = run.optimal_cost.value_or(NAN);
    trial.kept = run.limits && run.limits->bound && kept(*run.limits);
  } catch (const InputError& error) {  // some kinds need more trajectories than n
    trial.failure = error.what();
  } catch (const NumericsError& error) {
    trial.failure = error.what();
  }
  return trial;
}

// Between order statistics; NaN of nothing.
double quantile(std::vector<double> values, double probability) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double place = probability * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

PlanPoint run_point(const Problem& problem, Index n, Plan& plan) {
  const PlanOptions& options = plan.options;
  Work work(fmt::format("plan, n = {}", n), options.trials);
  std::vector<Trial> trials(static_cast<size_t>(options.trials));
  parallel_for(options.trials, options.threads, [&](Index k) {
    if (options.poll) options.poll();
    trials[static_cast<size_t>(k)] = run_trial(problem, plan.law.law, n, k);
    work.add();
  });
  PlanPoint point;
  point.n = n;
  std::vector<double> certificates, costs;
  Index below = 0, limits_kept = 0;
  for (const Trial& trial : trials) {
    if (!trial.failure.empty()) point.failure = trial.failure;
    limits_kept += trial.kept ? 1 : 0;
    if (!trial.certificate) continue;
    certificates.push_back(*trial.certificate);
    costs.push_back(trial.cost);
    plan.optimal_cost = trial.optimal;
    below += *trial.certificate < options.target;
  }
  point.certified = static_cast<Index>(certificates.size());
  point.low = quantile(certificates, 0.1);
  point.median = quantile(certificates, 0.5);
  point.high = quantile(certificates, 0.9);
  point.cost = quantile(costs, 0.5);
  point.share = static_cast<double>(below) / static_cast<double>(options.trials);
  point.kept = static_cast<double>(limits_kept) / static_cast<double>(options.trials);
  return point;
}

}  // namespace

Plan make_plan(const Problem& problem, const Disturbances& pilot, const PlanOptions& options) {
  require_known_plant(problem, "plan");
  const LearnMethod& method = find_learn_method(problem.learning.method);
  if (!gives(method, certificate_choice(problem.certificate.kind)))
    throw_input_error("learning.method", method.name,
                      "one that gives certificate '" + problem.certificate.kind + "'");
  check_positive("target", options.target);
  check_at_least("trials", options.trials, 1);
  check_at_least("max_n", options.max_n, 2);
  if (!(options.fraction > 0 && options.fraction <= 1))
    throw_input_error("fraction", fmt::format("{}", options.fraction), "above 0 and at most 1");

  Plan plan;
  plan.problem = problem.name;
  plan.method = method.name;
  plan.certificate = problem.certificate.kind;
  plan.limits = problem.limits.has_value();
  plan.limits_shared = plan.limits && !problem.limits->robust && !problem.limits->each;
  plan.options = options;
  plan.law = plan_law(problem, pilot);
  Problem simulated = problem;  // its expected costs, and what an oracle looks at: the plan's law
  simulated.disturbance.law = plan.law.law;

  const auto reaches = [&](Index n) {
    plan.points.push_back(run_point(simulated, n, plan));
    return plan.points.back().share >= options.fraction;
  };
  Index low = 1, high = std::min(first_n, options.max_n);
  bool found = reaches(high);
  while (!found && high < options.max_n) {
    low = high;
    high = std::min(2 * high, options.max_n);
    found = reaches(high);
  }
  while (found &&
         static_cast<double>(high - low) > std::max(1.0, refined * static_cast<double>(low))) {
    const Index middle = (low + high) / 2;
    (reaches(middle) ? high : low) = middle;
  }
  std::sort(plan.points.begin(), plan.points.end(),
            [](const PlanPoint& a, const PlanPoint& b) { return a.n < b.n; });
  if (found) plan.enough = high;
  if (std::none_of(plan.points.begin(), plan.points.end(),
                   [](const PlanPoint& p) { return p.certified > 0; }))
    throw InputError(plan.points.back().failure);
  return plan;
}

}  // namespace loopcert
