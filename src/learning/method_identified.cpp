// identified: disturbances follow from a few before them by unknown coefficients. These are
// estimated by least squares, and the response is the best one if they were exact.
#include "certificate/autoregressive_fit.hpp"
#include "methods.hpp"
#include "response/autoregressive.hpp"

namespace loopcert {
namespace {

// Lags that are tried where the problem grants fewer, or none at all: what was granted is about
// the certificate, not about the choice.
constexpr Index tried = 3;

Learned learn_identified(const LearnTask& task) {
  const Problem& problem = task.problem;
  const Index granted = problem.disturbance.autoregressive.value_or(0);
  const AutoregressiveFit fit =
      fit_autoregressive(evidence_of(task.data), problem.sizes(), std::max(granted, tried));
  const LqrGains gains = lqr_gains(problem.system);
  Learned learned;
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
