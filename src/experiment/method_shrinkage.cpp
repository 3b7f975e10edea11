// shrinkage: the risk under a second moment that is shrunk towards white noise, by as much as
// cross-validation says; and auto, which leaves LQR only for something clearly better.
#include <fmt/format.h>

#include "loopcert/data/moments.hpp"
#include "loopcert/response/lqr.hpp"
#include "loopcert/risk/minimizers.hpp"
#include "loopcert/risk/shrinkage.hpp"
#include "methods.hpp"

namespace loopcert {
namespace {

ShrinkageTable cross_validate(const LearnTask& task) {
  std::function<void(Index, Index)> progress;
  if (task.callbacks.progress)
    progress = [&](Index done, Index total) {
      task.callbacks.progress("cross-validation", done, total);
    };
  return cross_validate_shrinkage(task.space, task.data, 5, progress);
}

nlohmann::json table_to_json(const ShrinkageTable& table) {
  return {{"folds", table.folds},
          {"g", table.g},
          {"difference", table.difference},
          {"standard_error", table.standard_error}};
}

// One trajectory cannot be cross-validated: nothing to leave LQR for.
Learned keep_lqr(const LearnTask& task, const std::string& why) {
  Learned learned;
  learned.response = lqr_response(task.problem.system);
  learned.details = {{"g", 1.0}, {"deployed", "lqr"}, {"why", why}};
  return learned;
}

Learned at_best(const LearnTask& task, const ShrinkageTable& table) {
  Learned learned;
  const Matrix Sigma = candidate_moment(task.Sigma_hat, task.space.pattern, table.g, table.best);
  learned.response =
      response_at(task.problem.system, task.space, minimize_risk(task.space, Sigma).Z);
  learned.details = {{"g", table.g[table.best]},
                     {"deployed", "shrinkage"},
                     {"cross_validation", table_to_json(table)}};
  return learned;
}

}  // namespace

Learned learn_shrinkage(const LearnTask& task) {
  if (task.data.n() < 2) return keep_lqr(task, "one trajectory cannot be cross-validated");
  return at_best(task, cross_validate(task));
}

Learned learn_auto(const LearnTask& task) {
  if (task.data.n() < 2) return keep_lqr(task, "one trajectory cannot be cross-validated");
  const ShrinkageTable table = cross_validate(task);
  if (table.leaves_lqr()) return at_best(task, table);
  Learned learned = keep_lqr(task, "no candidate was better than LQR by enough standard errors");
  learned.details["cross_validation"] = table_to_json(table);
  return learned;
}

}  // namespace loopcert
