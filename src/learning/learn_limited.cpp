#include "learning/learn_limited.hpp"

#include <cmath>

#include "certificate/limits.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// From one response of a path to the next the room shrinks by this.
constexpr double stride = 1.05;

// The safest has some room beyond what the sizes suggest; the boldest has less than none where
// many trajectories certify, for the sum over rows overstates what happens in an episode.
double first_factor(const Problem& problem, Index m) {
  return stride * stride * stride * expected_inflation(problem, m);
}

// The same where no path is tested: what is seen of m trajectories should certify it.
double room_for(const Problem& problem, Index m) {
  return problem.limits->robust ? 1 : stride * stride * expected_inflation(problem, m);
}

// Nothing when there are no data and no assumption is enough.
std::optional<LimitsBound> certified(const Problem& problem, const Deployment& deployment,
                                     const Disturbances& data) {
  if (data.n() > 0) return certify_limits(problem, deployment, data);
  try {
    return certify_limits(problem, deployment, data);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

Deployment deploy_path(const LearnMethod& method, const LearnTask& task, Learned& learned) {
  const Problem& problem = task.problem;
  const Split split = split_first(task.data, problem.certificate.fraction);
  learned = learn_from(method, problem, task.space, task.callbacks, split.learning);
  double factor = first_factor(problem, split.certifying.data.n());
  std::vector<Response> path;
  std::vector<Learned> runs;
  std::string infeasible;
  nlohmann::json table = nlohmann::json::array();
  double had = factor;
  for (Index j = 0; j < path_length; ++j, factor /= stride) {
    const bool same = j > 0 && had < factor;  // the limits left no more room to the one before
    Learned run = same ? runs.back() : learned;
    if (!same) had = limit_response(run, task, factor);
    if (j == 0) note_infeasible(run, task);
    if (j == 0) infeasible = run.infeasible;
    table.push_back({{"factor", factor}});
    if (run.limited)
      table.back().update({{"cost", run.limited->cost},
                           {"lower", run.limited->lower},
                           {"evaluations", run.limited->evaluations},
                           {"feasible", run.limited->feasible}});
    path.push_back(run.response);
    runs.push_back(std::move(run));
    if (!runs.back().limited) break;  // no data have shaped it: there is but one
  }
  LimitsPath found = test_path(problem, path, task.data);
  learned = std::move(runs[found.place]);
  nlohmann::json details = std::move(learned.details);
  const std::string why = details.value("why", "");
  learned.limits = std::move(found.bound);
  learned.infeasible = std::move(infeasible);
  learned.details = {{"way", use_of_data_name(UseOfData::hold_out)},
                     {"deployed", details.value("deployed", method.name)},
                     {"runs", nlohmann::json::array({std::move(details)})},
                     {"path", table},
                     {"place", found.place + 1},
                     {"passed", found.passed}};
  if (!why.empty()) learned.details["why"] = why;
  path.resize(found.place + 1);
  Deployment deployment{UseOfData::hold_out, {learned.response}};
  deployment.path = std::move(path);
  deployment.path_passed = found.passed;
  return deployment;
}

Deployment deploy_whole(const LearnMethod& method, const LearnTask& task, Learned& learned) {
  learned = method.learn(task);
  learned.details["way"] = use_of_data_name(UseOfData::whole);
  choose_factor(learned, task,
                [&](double factor) { return limit_response(learned, task, factor); });
  return {UseOfData::whole, {learned.response}};
}

}  // namespace

void choose_factor(Learned& learned, const LearnTask& task,
                   const std::function<double(double factor)>& limit) {
  const Problem& problem = task.problem;
  constexpr double least = 1, growth = 1.5, most = 1e3;
  constexpr int halvings = 3;  // of the last step
  const bool robust = problem.limits->robust.has_value();
  const double first = robust ? 1 : first_factor(problem, task.data.n()) * stride * stride;
  double had = 0;
  const auto bound_at = [&](double factor) {
    had = limit(factor);
    note_infeasible(learned, task);
    learned.limits = certified(problem, {UseOfData::whole, {learned.response}}, task.data);
    return learned.limits ? learned.limits->certificate.value : 1.0;
  };
  const auto passes = [&](double factor) {
    return bound_at(factor) <= problem.limits->probability;
  };
  if (robust || !learned.objective) {
    bound_at(first);
    return;
  }
  double last = first, passing = 0, failing = 0;
  if (passes(first)) {
    passing = first;
    while (passing / stride >= least && failing == 0) {
      last = passing / stride;
      (passes(last) ? passing : failing) = last;
    }
  } else if (learned.limits) {  // a matrix far above what the data show wants more room
    failing = first;
    while (passing == 0 && had >= failing && failing * growth <= most) {
      last = failing * growth;
      (passes(last) ? passing : failing) = last;
    }
  }
  for (int i = 0; i < halvings && failing > 0 && passing > 0; ++i) {
    last = std::sqrt(passing * failing);
    (passes(last) ? passing : failing) = last;
  }
  const double chosen = passing > 0 ? passing : first;
  if (last != chosen) bound_at(chosen);
}

Learned learn_without_certificate(const LearnMethod& method, const LearnTask& task) {
  const std::optional<Limits>& limits = task.problem.limits;
  if (!limits) return method.learn(task);
  LearnTask limited{task.problem, task.data, task.space, task.Sigma_hat, task.callbacks};
  if (method.needs_data) limited.limit_factor = room_for(task.problem, task.data.n());
  Learned learned = learn_limited(method, limited);
  if (limits->robust) {  // for a set no data are needed, and no delta
    learned.deployment =
        Deployment{method.needs_data ? UseOfData::whole : UseOfData::fixed, {learned.response}};
    learned.limits = certify_limits(task.problem, *learned.deployment, task.data);
  }
  return learned;
}

Deployment deploy_limited(UseOfData use, const LearnMethod& method, const LearnTask& task,
                          const CertificateChoice& choice, Learned& learned) {
  const Problem& problem = task.problem;
  const bool learns = method.needs_data;
  if (learns && !problem.limits->robust && use == UseOfData::whole && task.data.n() > 0)
    return deploy_whole(method, task, learned);
  if (learns && !problem.limits->robust &&
      (use == UseOfData::hold_out || choice.route == Route::best))
    return deploy_path(method, task, learned);
  LearnTask limited{task.problem, task.data, task.space, task.Sigma_hat, task.callbacks};
  const Index m = task.data.n() / std::max<Index>(1, problem.certificate.folds);
  if (learns) limited.limit_factor = room_for(problem, std::max<Index>(1, m));
  Deployment deployment = deploy(use, method, limited, learned);
  learned.limits = certified(problem, deployment, task.data);
  return deployment;
}

}  // namespace loopcert
