// Certifies a controller that exists already on trajectories that nobody used to make it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "inspection/warnings.hpp"
#include "loopcert/certificate/record.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"
#include "workflow/limits_report.hpp"

namespace loopcert {

struct NamedController {
  Controller controller;
  std::string name;  // as messages call it: a path, for one
};

struct CertifyRun {
  Certificate certificate;
  nlohmann::json inputs = nlohmann::json::object();  // of its record: hashes and the problem
  std::string controller_file;    // the bytes of controller.json, whose hash the record holds
  std::string baseline_file;      // of baseline.json; empty without a baseline of one's own
  std::vector<Warning> warnings;  // what the data say against assumptions and model
  std::optional<LoggedCost> logged_cost;  // of the controller that made the logs; absent without
  std::optional<LimitsReport> limits;     // absent without [limits]
  SignalReport signals;
  Problem problem;  // what was certified, for its page
  Controller controller;
  Disturbances data;
};

// `kind`: a fixed kind, or "best". `baseline` is for kinds that compare; without one it is that of
// the problem, or LQR where the problem has none. A name "lqr" without a controller is LQR.
// `data` may be empty (n = 0) for a kind without events. A problem that names its deltas does so
// for another certificate: their sum is kept. Throws InputError: sizes, bad data, a controller that
// was learned from these trajectories.
CertifyRun run_certify(Problem problem, const NamedController& controller, const Disturbances& data,
                       const std::string& kind,
                       const std::optional<NamedController>& baseline = std::nullopt);

// What `certify` prints as JSON and writes as certificate.json: the certificate's record with
// `warnings`, `logged_cost` and its standard error.
nlohmann::json certify_run_to_json(const CertifyRun& run);

}  // namespace loopcert
