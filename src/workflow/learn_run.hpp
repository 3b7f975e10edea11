// One experiment: problem + data + method -> a controller and everything there is to say about it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "inspection/warnings.hpp"
#include "learning/learn_method.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"
#include "response/response.hpp"
#include "workflow/baseline_run.hpp"
#include "workflow/learning_setup.hpp"
#include "workflow/limits_report.hpp"
#include "workflow/steady_state.hpp"

namespace loopcert {

struct LearnRun {
  std::string method;
  Index n = 0;  // trajectories
  Index p = 0;  // free parameters of a response
  Controller controller;
  Response response;

  // On the data; absent when n = 0.
  std::optional<double> empirical_cost;      // Lhat of the learned response
  std::optional<double> lqr_empirical_cost;  // Lhat of LQR; of outputs, without feedback
  std::string reference = "lqr";             // which of them: lqr, open-loop

  std::optional<LoggedCost> logged_cost;  // of the controller that made the logs; absent without

  // Under the true law; absent when the problem does not give one.
  std::optional<double> population_cost;  // L of the learned response
  std::optional<double> sensitivity;      // C = ||M Sigma_w M'||_F^2 of the learned response
  std::optional<double> optimal_cost;     // the smallest L of any response in the space
  std::optional<double> lqr_cost;         // L of LQR

  std::optional<Certificate> certificate;       // absent for methods that give none
  std::optional<Posterior> posterior;           // what the certificate is about
  Matrix prior_center;                          // of a prior that was learned; empty for others
  std::optional<Prior> prior;                   // that its KL is to
  std::optional<Deployment> deployment;         // or about these responses
  std::optional<Certificate> improvement;       // on the cost minus that of `compared_with`
  std::string compared_with = "lqr";            // or "baseline", the problem's
  std::optional<BaselineRun> baseline;          // what runs today; absent without [baseline]
  std::optional<double> prescient_certificate;  // that posterior's bound under the true law
  nlohmann::json inputs = nlohmann::json::object();  // of both records: hashes, problem, prior

  std::optional<SteadyState> steady_state;  // absent without a constant reference
  std::optional<StepTime> step_time;        // where the problem says it
  std::optional<LimitsReport> limits;       // absent without [limits]
  SignalReport signals;                     // sizes of states and inputs

  // Other methods on the same data, for comparison.
  struct Baseline {
    std::string method;
    std::optional<double> empirical_cost, population_cost, sensitivity;
  };
  std::vector<Baseline> baselines;

  nlohmann::json details = nlohmann::json::object();  // what only this method has to say
  std::vector<Warning> warnings;  // of the method, and what the data say against assumptions
  bool stopped_early = false;
  double seconds = 0;
};

// Learns by problem.learning.method. `data` may be empty (n = 0) for a method that needs none.
// `baselines` names methods to run beside it.
// Throws InputError (bad data, unknown method, not enough memory) and NumericsError (some number of
// the result is not finite).
LearnRun run_learn(const Problem& problem, const Disturbances& data,
                   const LearnCallbacks& callbacks = {},
                   const std::vector<std::string>& baselines = {});

// The same numbers for one of many data sets, without what only files need: the inputs of the
// certificates, and what the controller says of its origin. Nor does it look at the data for
// warnings. `setup` and `costs` are those of a problem with the same system, response and law.
LearnRun learn_numbers(const Problem& problem, const LearningSetup& setup,
                       const std::optional<CostsUnderLaw>& costs, const Disturbances& data,
                       const LearnCallbacks& callbacks = {});

// run.json. Numbers that are absent are null; `status` is "done" or "stopped-early".
nlohmann::json learn_run_to_json(const LearnRun& run);

}  // namespace loopcert
