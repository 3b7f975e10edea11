// One experiment with a plant that nobody knows: problem + logs -> a controller, its certificate
// and everything there is to say about both.
#pragma once

#include <complex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "controller/memory_controller.hpp"
#include "data/logs.hpp"
#include "inspection/warnings.hpp"
#include "learning/identified_limited.hpp"
#include "loopcert/controller/controller.hpp"
#include "workflow/limits_report.hpp"

namespace loopcert {

struct IdentifiedRun {
  std::string method;
  std::string design;  // identified | guaranteed: what auto chose
  Index n = 0;         // episodes
  Index transitions = 0, pilot = 0;
  std::optional<Controller> controller;     // finite horizon
  std::optional<MemoryController> endless;  // infinite horizon
  Certificate certificate;
  std::optional<Certificate> improvement;  // on the cost minus that of no input
  nlohmann::json improvement_inputs = nlohmann::json::object();
  std::optional<Certificate> limits;  // on the events of `certificate`: both hold together
  nlohmann::json limits_inputs = nlohmann::json::object();
  LimitedIdentified limited;  // where there are limits
  SignalReport signals;       // states, then inputs, of the estimate
  IdentifiedBound bound;
  Matrix A, B;                              // the estimate; without constant, over xi
  Vector offset;                            // of the estimate; empty where there is none
  Matrix A_radius, B_radius;                // |entry - its estimate| is at most this, all at once
  std::vector<std::complex<double>> poles;  // of the estimate's closed loop, one lag, last gain
  double empirical_cost = 0;                // of the estimate under the covariances of the logs
  std::optional<LoggedCost> logged_cost;    // finite: of an episode. Infinite: of a step
  std::optional<double> population_cost, optimal_cost;  // where the file states plant and law
  nlohmann::json inputs = nlohmann::json::object();
  nlohmann::json limits_summary;      // run.json: limits
  std::optional<StepTime> step_time;  // where the problem says it
  std::vector<Warning> warnings;
  double seconds = 0;
};

// Logs from files, as the problem's horizon wants them. Checked for equal ones.
Logs read_logs_of(const Problem& problem, const Paths& paths);

// The logs in the order in which everything is computed: for an infinite horizon that of time, as
// given; otherwise that of their starts, whatever the order of the files. Throws InputError as
// check_logs does.
Logs logs_in_order(const Problem& problem, const Logs& logs);

// Throws InputError on bad data, and when the logs are not enough for a certificate.
IdentifiedRun run_identified(const Problem& problem, const Logs& logs);

// run.json.
nlohmann::json identified_run_to_json(const IdentifiedRun& run);

// inputs.identified of a record, and back.
nlohmann::json bound_to_json(const IdentifiedBound& bound);
IdentifiedBound bound_from_json(const nlohmann::json& tree);

// inputs.identified_limits of a record, and back.
nlohmann::json limit_bounds_to_json(const LimitBounds& bounds, bool infinite);
LimitBounds limit_bounds_from_json(const nlohmann::json& tree);

// The gains of `run` under the limits of the problem: the certificate with its inputs, and warnings
// where it says less than was asked for.
void add_limits(IdentifiedRun& run, const Problem& problem, const IdentifiedPlant& plant);

void add_signals(IdentifiedRun& run, const IdentifiedPlant& plant);

// The gains in the controllers that a run deploys, and back.
Controller controller_of(const Problem& problem, const LinearModel& model, const Gains& gains);
MemoryController memory_controller_of(const LinearModel& model, const Matrix& gain);

}  // namespace loopcert
