// loopcert verify: evaluates a recorded certificate again.
#include <memory>

#include "cli/certificate_output.hpp"
#include "cli/failure.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "commands/commands.hpp"
#include "loopcert/measurement/costs.hpp"
#include "loopcert/verification/recheck.hpp"
#include "measurement/measured_record.hpp"
#include "verification/recheck_identified.hpp"
#include "verification/recheck_measured.hpp"
#include "workflow/identified_run.hpp"

namespace loopcert::app {
namespace {

struct RecheckOptions {
  std::string certificate;
  DataOptions data;
  bool json = false, verbose = false;
};

Verification verified(const RecheckOptions& options, const Problem& problem) {
  if (problem.identifies()) {
    if (options.data.rollouts.empty())
      throw UsageError("recheck: needs --rollouts with the logs of the certificate");
    return verify_identified(
        options.certificate,
        read_logs_of(problem, {options.data.rollouts.begin(), options.data.rollouts.end()}));
  }
  const Disturbances data =
      load_data(options.data, problem, options.certificate, sample_to_learn, true).data;
  return verify_certificate(options.certificate, data);
}

void print_verification(const Verification& result, const RecheckOptions& options) {
  if (!result.agrees) throw RejectedError(result.reason);
  if (options.json) {
    print_json({{"status", "agrees"},
                {"value", result.recomputed.value},
                {"recorded", result.recorded.value},
                {"confidence", result.recomputed.confidence}});
    return;
  }
  Table table;
  table.add("verdict", "agrees: recomputed in double precision from problem, data and inputs");
  add_certificate(table, result.recomputed);
  add_certificate_details(table, result.recomputed);
  print(table.text(options.verbose));
}

// The costs are beside the certificate, or what --data names.
Verification verified_costs(const RecheckOptions& options) {
  if (!options.data.rollouts.empty() || options.data.data.size() > 1)
    throw UsageError("recheck: a certificate of measured costs needs them alone: --data FILE");
  if (options.data.data.empty()) return verify_measured(options.certificate);
  return verify_measured(options.certificate, read_costs(options.data.data[0]));
}

void run_recheck(const RecheckOptions& options) {
  if (is_measured(read_certificate(options.certificate)))
    return print_verification(verified_costs(options), options);
  const Problem problem = problem_of_certificate(options.certificate);
  const Index n = read_certificate(options.certificate).n;
  if (!options.data.given() && n != 0)
    throw UsageError("recheck: needs data: --data or --rollouts with the " + std::to_string(n) +
                     " trajectories of the certificate");
  const Verification result = [&] {
    Progress progress(options.json, "recheck");
    const WatchWork watched(&progress);
    return verified(options, problem);
  }();
  print_verification(result, options);
}

Action setup_recheck(CLI::App& command) {
  auto options = std::make_shared<RecheckOptions>();
  add_argument(command, "CERTIFICATE", options->certificate,
               "certificate.json, with its files in the same folder");
  add_file_options(command, options->data);
  add_json(command, options->json);
  add_verbose(command, options->verbose);
  set_manual(
      command,
      {.synopsis = {"CERTIFICATE [--data~FILE... | --rollouts~FILE...] [--json] [--verbose]"},
       .description =
           {"Recomputes a certificate in double precision from the problem recorded in it, the "
            "trajectories, and the posterior, responses, controller or baseline in the same "
            "folder, and compares hashes, terms and value with the record. It checks that the "
            "certificate follows from its inputs, and that controller.json, if present, has the "
            "certified response. It cannot check that the assumptions are true, and it does not "
            "bound rounding errors.",
            "Omit the trajectories when the certificate uses no data. Trajectories that "
            "`learn --sample` drew are written by `loopcert sample` with the same seed, those of "
            "`certify --sample` by the same with --fresh."},
       .files = {{"CERTIFICATE", "read: certificate.json of `learn --out` or `certify --out`"},
                 {"posterior.npz, responses.npz, controller.json, baseline.json",
                  "read from the folder of the certificate, if it names them"}},
       .statuses = {{"1", ""},
                    {"4",
                     "the certificate does not follow from its inputs (a file that is not a "
                     "certificate gives status 3)"}},
       .examples = {{"loopcert learn examples/double-integrator/problem.toml --sample 40 --seed 1 "
                     "--out out",
                     ""},
                    {"loopcert sample examples/double-integrator/problem.toml -n 40 --seed 1 "
                     "--out data.csv",
                     ""},
                    {"loopcert recheck out/certificate.json --data data.csv", ""}},
       .see_also = {"learn", "certify", "sample", "docs/certificates.md"}});
  return [options] { run_recheck(*options); };
}

}  // namespace

Command recheck_command() {
  return {"recheck", "recompute a certificate from its inputs and the data", setup_recheck,
          about_work, "verify"};
}

}  // namespace loopcert::app
