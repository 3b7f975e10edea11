#include "learn_certified.hpp"

#include "certificate/from_problem.hpp"
#include "certificate/portfolio.hpp"
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
// certified by all of them; otherwise every fold learns, and the mean is deployed. Either
// certificate has its own share of delta, so looking first is paid for.
Deployment deploy_gated(const LearnMethod& method, const LearnTask& task, Learned& collected) {
  Learned first = method.learn(task);
  const bool enough = task.data.n() >= 2 * task.problem.certificate.folds;
  const std::string chosen = first.details.at("deployed");
  const bool learned = chosen == "shrinkage" || chosen == "identified";
  if (enough && learned) {
    Deployment folds = deploy(UseOfData::cross, find_learn_method(chosen), task, collected);
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
  return {UseOfData::fixed, {collected.response}, collected.details.at("colour").get<double>()};
}

}  // namespace

namespace {

Deployable deployable_of(const LearnMethod& method, const Deployment& deployment) {
  return deployment.path.empty() ? deployable(method) : Deployable::part;
}

// Everything that is said of a deployment's cost.
void certify_cost(Learned& learned, const LearnMethod& method, const CertificateChoice& choice,
                  const Deployment& deployment, const LearnTask& task) {
  const Problem& problem = task.problem;
  learned.certificate =
      choice.route == Route::best
          ? best_certificate(problem, deployable_of(method, deployment), deployment, task.data)
          : certify_deployment(problem, deployment, task.data, *choice.fixed, total_delta(problem));
  const bool compares = deployment.use_of_data == UseOfData::cross ||
                        deployment.use_of_data == UseOfData::hold_out ||
                        deployment.colour.value_or(0) > 0;
  if (compares) learned.improvement = certified_improvement(problem, deployment, task.data);
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
  const Deployment deployment = problem.limits ? deploy_limited(use, method, task, choice, learned)
                                : gated        ? deploy_gated(method, task, learned)
                                               : deploy(use, method, task, learned);
  certify_cost(learned, method, choice, deployment, task);
  learned.deployment = deployment;
  return learned;
}

}  // namespace loopcert
