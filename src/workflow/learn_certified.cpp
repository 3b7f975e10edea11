#include "learn_certified.hpp"

#include "certificate/from_problem.hpp"
#include "certificate/portfolio.hpp"
#include "learning/better.hpp"
#include "learning/learn_limited.hpp"
#include "loopcert/core/error.hpp"
#include "response/lqr.hpp"

namespace loopcert {
namespace {

UseOfData use_of_data(const LearnMethod& method, const CertificateChoice& choice) {
  if (choice.fixed && (choice.fixed->events.empty() || choice.fixed->uniform()))
    return UseOfData::whole;
  if (!method.needs_data) return UseOfData::fixed;
  return choice.route == Route::fixed ? UseOfData::hold_out : UseOfData::cross;
}

// auto with the whole portfolio: all data say which of a few controllers that look at none is the
// best, and whether it is worth leaving for one that is learned. If not, it is deployed and
// certified by all of them; otherwise every fold learns, by the method that its own part of the
// data prefers, and the mean is deployed. Either certificate has its own share of delta, so looking
// first is paid for.
Deployment deploy_gated(const LearnMethod& method, const LearnTask& task, Learned& collected) {
  Learned first = method.learn(task);
  const bool enough = task.data.n() >= 2 * task.problem.certificate.folds;
  const std::string chosen = first.details.at("deployed");
  const bool learned = chosen == "shrinkage" || chosen == "identified";
  if (enough && learned) {
    Deployment folds = deploy(UseOfData::cross, better_method(), task, collected);
    folds.gated = true;
    return folds;
  }
  if (learned) {
    first = Learned();
    first.response = lqr_response(task.problem.system);
    first.details = {{"deployed", "lqr"},
                     {"colour", 0.0},
                     {"why", "there are too few trajectories to learn from"}};
  }
  collected = std::move(first);
  collected.details["way"] = use_of_data_name(UseOfData::fixed);
  return {UseOfData::fixed,
          {collected.response},
          collected.details.at("colour").get<double>(),
          auto_candidates(task.problem)};
}

// What runs today stays: it was one of the candidates from the start.
Deployment fall_back(const LearnTask& task, const std::optional<Certificate>& improvement,
                     Learned& collected) {
  collected = {};
  collected.response = baseline_response(task.problem);
  collected.details = {
      {"deployed", "baseline"},
      {"way", use_of_data_name(UseOfData::fixed)},
      {"why", improvement ? "what was learned is not certified to cost less"
                          : "no certificate says how much less anything else costs"}};
  if (improvement) collected.details["rejected_improvement"] = improvement->value;
  return {UseOfData::fixed, {collected.response}, std::nullopt, auto_candidates(task.problem)};
}

}  // namespace

namespace {

Deployable deployable_of(const LearnMethod& method, const Deployment& deployment) {
  return deployment.path.empty() ? deployable(method) : Deployable::part;
}

// What it costs more than the baseline. Nothing for the baseline itself, nor for what all data have
// seen.
std::optional<Certificate> improvement_of(const LearnMethod& method, const Deployment& deployment,
                                          const LearnTask& task) {
  const bool fixed = deployment.use_of_data == UseOfData::fixed;
  const bool other = task.problem.baseline ? fixed && method.name != "baseline" && task.data.n() > 0
                                           : deployment.colour.value_or(0) > 0;
  const bool compares = deployment.use_of_data == UseOfData::cross ||
                        deployment.use_of_data == UseOfData::hold_out || other;
  if (!compares) return std::nullopt;
  return certified_improvement(task.problem, deployment, task.data);
}

// Everything that is said of a deployment's cost.
void certify_cost(Learned& learned, const LearnMethod& method, const CertificateChoice& choice,
                  const Deployment& deployment, const LearnTask& task) {
  const Problem& problem = task.problem;
  learned.certificate =
      choice.route == Route::best
          ? best_certificate(problem, deployable_of(method, deployment), deployment, task.data)
          : certify_deployment(problem, deployment, task.data, *choice.fixed, total_delta(problem));
  // L - L_0 <= L: a difference above the certified cost says less than that does.
  if (learned.improvement && learned.improvement->value >= learned.certificate->value) {
    learned.improvement.reset();
    learned.details["improvement"] = "not shown: its bound is above that of the cost";
  }
}

}  // namespace

Learned learn_certified(const LearnMethod& method, const CertificateChoice& choice,
                        const LearnTask& task) {
  const Problem& problem = task.problem;
  if (task.data.n() == 0 && !(choice.fixed && choice.fixed->events.empty()))
    throw_input_error("data", "no trajectories",
                      "some for certificate '" + problem.certificate.kind + "'");
  Learned learned;
  const UseOfData use = use_of_data(method, choice);
  const bool gated = choice.route == Route::best && method.gated;
  if (gated && problem.limits && problem.baseline && problem.baseline->fallback)
    throw_input_error("baseline.fallback", "true", "false together with [limits]");
  Deployment deployment = problem.limits ? deploy_limited(use, method, task, choice, learned)
                          : gated        ? deploy_gated(method, task, learned)
                                         : deploy(use, method, task, learned);
  std::optional<Certificate> improvement = improvement_of(method, deployment, task);
  const bool may_fall_back = gated && problem.baseline && problem.baseline->fallback;
  if (may_fall_back && !(improvement && improvement->value < 0)) {
    deployment = fall_back(task, improvement, learned);
    improvement.reset();
  }
  learned.improvement = std::move(improvement);
  certify_cost(learned, method, choice, deployment, task);
  learned.deployment = deployment;
  return learned;
}

}  // namespace loopcert
