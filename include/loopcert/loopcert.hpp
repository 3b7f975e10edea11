// loopcert for C++: everything that users include, and all that is promised to them.
//
//   const auto problem = loopcert::read_problem("problem.toml");
//   const auto data = loopcert::read_logs({"monday.csv", "tuesday.csv"}, problem);
//   const auto result = loopcert::learn(problem, data);
//   loopcert::write_run("out", problem, data, result);
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/certificate/record.hpp"
#include "loopcert/controller/c_code.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/controller/memory.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/rounded.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/core/version.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/data/logs.hpp"
#include "loopcert/data/residual.hpp"
#include "loopcert/data/survey.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "loopcert/delivery/words.hpp"
#include "loopcert/device/device.hpp"
#include "loopcert/inspection/warning.hpp"
#include "loopcert/measurement/measure.hpp"
#include "loopcert/problem/problem.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "loopcert/verification/recheck.hpp"
#include "loopcert/watch/watch.hpp"
#include "loopcert/workflow/draft.hpp"

namespace loopcert {

struct LearnRun;  // the files of a result come from it
struct CertifyRun;
struct IdentifiedRun;

struct LearnResult {
  Controller controller;
  std::optional<Certificate> certificate;  // on its cost; absent for methods that give none
  std::optional<Certificate> improvement;  // on its cost minus that of LQR
  std::optional<Certificate> limits;       // on the probability that [limits] are broken
  std::vector<Warning> warnings;           // what the data say against assumptions and model
  bool stopped_early = false;  // a solver hit its limit: the certificate is valid, but not the best

  // On the data; absent without data.
  std::optional<double> empirical_cost, lqr_empirical_cost;
  std::optional<LoggedCost> logged_cost;
  // Under the law that the problem states; absent without one.
  std::optional<double> population_cost, optimal_cost, lqr_cost;

  std::shared_ptr<const LearnRun> run;
};

struct CertifyResult {
  Certificate certificate;
  std::vector<Warning> warnings;
  std::optional<LoggedCost> logged_cost;
  std::optional<Certificate> limits;  // on the probability that [limits] are broken

  std::shared_ptr<const CertifyRun> run;
};

// Of a plant that the problem does not know (system.identify).
struct IdentifiedResult {
  std::optional<Controller> controller;     // finite horizon
  std::optional<MemoryController> endless;  // infinite horizon
  Certificate certificate;                  // of an episode's cost, or of a step's
  std::optional<Certificate> limits;        // of [limits], on the same events
  Matrix A, B;                              // the estimate
  Matrix A_radius, B_radius;                // |entry - its estimate| is at most this, all at once
  std::vector<Warning> warnings;
  std::optional<LoggedCost> logged_cost;

  std::shared_ptr<const IdentifiedRun> run;
};

// Disturbances from logged states and inputs, as [data] of the problem describes the files.
Disturbances read_logs(const Paths& paths, const Problem& problem);

// A controller by problem.learning.method, with the certificate that the problem names. Throws
// InputError on bad data and NumericsError when a number of the result is not finite.
LearnResult learn(const Problem& problem, const Disturbances& data);

// Logs as they are, for a plant that is identified; and its controller with its certificate. Throws
// InputError on bad data, and when the logs are not enough.
Logs read_raw_logs(const Paths& paths, const Problem& problem);
IdentifiedResult learn(const Problem& problem, const Logs& logs);

// A certificate for a controller that exists already, on data that it was not learned from. `kind`:
// a kind for one controller, or "best". `baseline`: what kinds that compare compare with; without
// one it is LQR.
CertifyResult certify(const Problem& problem, const Controller& controller,
                      const Disturbances& data, const std::string& kind = "best",
                      const std::optional<Controller>& baseline = std::nullopt);

// A certificate file evaluated again with the code that made it. (`loopcert-verify` shares none.)
Verification verify(const std::filesystem::path& certificate, const Disturbances& data);

// Finite-horizon LQR of the problem: the optimum for white disturbances.
Controller lqr_controller(const Problem& problem);

// The files that the program writes with --out. Throws OutputError; then nothing is left behind.
void write_run(const std::filesystem::path& folder, const Problem& problem,
               const Disturbances& data, const LearnResult& result);
void write_run(const std::filesystem::path& folder, const Problem& problem, const Logs& logs,
               const IdentifiedResult& result);
void write_certificate(const std::filesystem::path& folder, const CertifyResult& result);
void write_certificate(const std::filesystem::path& folder, const MeasureResult& result);

}  // namespace loopcert
