// identified: disturbances follow from a few before them by unknown coefficients. These are
// estimated by least squares, and the response is the best one if they were exact.
#include "certificate/autoregressive_fit.hpp"
#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"
#include "methods.hpp"
#include "response/autoregressive.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

// Lags that are tried where the problem grants fewer, or none at all: what was granted is about
// the certificate, not about the choice.
constexpr Index tried = 3;

// With the constant in front, where the space has one: mean zero.
Matrix extended(const LearnTask& task, const Matrix& on_w) {
  if (!task.space.coordinates.pattern.constant) return on_w;
  Matrix moment = Matrix::Zero(on_w.rows() + 1, on_w.cols() + 1);
  moment(0, 0) = 1;
  moment.bottomRightCorner(on_w.rows(), on_w.cols()) = on_w;
  return moment;
}

Learned learn_identified(const LearnTask& task) {
  const Problem& problem = task.problem;
  if (unseen_outputs(problem.system.plant) > 0)
    throw_input_error("learning.method", "'identified'", "another one with system.test_only");
  const Index granted = problem.disturbance.autoregressive.value_or(0);
  const AutoregressiveFit fit =
      fit_autoregressive(evidence_of(task.data), problem.sizes(), std::max(granted, tried));
  const bool has_state = problem.system.plant.has_state();
  const LqrGains gains = lqr_gains(problem.system);
  Learned learned;
  if (problem.limits || !has_state)
    learned.objective = LearnedObjective{
        extended(task, autoregressive_moment(fit, task.Sigma_hat, problem.sizes()))};
  if (!has_state)
    learned.response = response_at(problem.system, task.space.coordinates,
                                   minimize_risk(task.space.cost, learned.objective->moment).Z);
  else
    learned.response = fit.lags() == 0
                           ? lqr_response(problem.system, gains)
                           : autoregressive_response(problem.system, gains, fit.Phi, fit.first);
  nlohmann::json criterion = nlohmann::json::array();
  for (const double value : fit.criterion)
    criterion.push_back(std::isfinite(value) ? nlohmann::json(value) : nlohmann::json());
  learned.details = {{"deployed", "identified"}, {"lags", fit.lags()}, {"criterion", criterion}};
  return learned;
}

}  // namespace

LearnMethod identified_method() { return {.learn = learn_identified, .coordinates = false}; }

}  // namespace loopcert
