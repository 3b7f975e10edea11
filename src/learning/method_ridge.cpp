// ridge: empirical cost plus gamma ||Z||^2, gamma given or chosen by cross-validation.
#include <fmt/format.h>

#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"
#include "methods.hpp"

namespace loopcert {
namespace {

constexpr Index folds = 5;

nlohmann::json cross_validation_to_json(const CrossValidation& cv) {
  return {{"folds", cv.folds},
          {"best_gamma", cv.best_gamma},
          {"gamma", cv.gamma},
          {"cost", cv.cost},
          {"standard_error", cv.standard_error}};
}

CrossValidation cross_validate(const LearnTask& task) {
  std::function<void(Index, Index)> progress;
  if (task.callbacks.progress)
    progress = [&](Index done, Index total) {
      task.callbacks.progress("cross-validation", done, total);
    };
  if (!(task.Sigma_hat.diagonal().tail(task.data.w.cols()).sum() > 0))
    throw InputError("data: all entries are zero: there is nothing to cross-validate");
  return cross_validate_ridge(task.space.cost, task.data, folds, progress);
}

Learned learn_ridge(const LearnTask& task) {
  Learned learned;
  nlohmann::json table;  // null when gamma was given
  double gamma = 0;
  if (task.problem.learning.gamma) {
    gamma = *task.problem.learning.gamma;
  } else {
    const CrossValidation cv = cross_validate(task);
    gamma = cv.best_gamma;
    table = cross_validation_to_json(cv);
    if (gamma == cv.gamma.front() || gamma == cv.gamma.back())
      learned.warnings.push_back(
          fmt::format("cross-validation chose gamma = {:.4g}, the {} candidate", gamma,
                      gamma == cv.gamma.front() ? "largest" : "smallest"));
  }
  const RidgeResult result = ridge(task.space.cost, task.Sigma_hat, gamma);
  learned.response = response_at(task.problem.system, task.space.coordinates, result.Z);
  learned.objective = LearnedObjective{task.Sigma_hat, gamma};
  learned.stopped_early = !result.converged;
  learned.details = {{"gamma", result.gamma},
                     {"iterations", result.iterations},
                     {"converged", result.converged},
                     {"relative_residual", result.relative_residual},
                     {"cross_validation", table}};
  if (!result.left_device.empty()) learned.warnings.push_back(result.left_device);
  if (!result.converged)
    learned.warnings.push_back(
        fmt::format("the ridge solver stopped after {} iterations at a relative residual of {:.1e}",
                    result.iterations, result.relative_residual));
  return learned;
}

}  // namespace

LearnMethod ridge_method() { return {.learn = learn_ridge}; }

}  // namespace loopcert
