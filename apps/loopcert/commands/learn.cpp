// loopcert learn: problem and data to a controller.
#include <fmt/format.h>

#include <memory>

#include "cli/certificate_output.hpp"
#include "cli/failure.hpp"
#include "cli/identified_output.hpp"
#include "cli/interrupt.hpp"
#include "cli/limits_output.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/override_options.hpp"
#include "cli/progress.hpp"
#include "cli/warning_output.hpp"
#include "commands/commands.hpp"
#include "core/text.hpp"
#include "delivery/run_files.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/rounded.hpp"
#include "problem/names.hpp"
#include "workflow/identified_run.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert::app {
namespace {

struct LearnOptions {
  std::string problem;
  DataOptions data;
  std::optional<std::string> method;
  std::optional<std::string> gamma;
  std::optional<std::string> posterior;
  std::optional<std::string> certificate;
  std::vector<std::string> compare;
  std::string out;
  bool trace = false;
  bool json = false;
  bool quiet = false, verbose = false;
};

// The problem file with what the command line says differently.
Problem read_overridden_problem(const LearnOptions& options) {
  Problem problem = read_problem(options.problem);
  LearningOverrides overrides{options.method, options.certificate, std::nullopt, options.posterior};
  if (options.gamma == "cv")
    overrides.gamma.emplace();  // no number: cross-validated
  else if (options.gamma)
    overrides.gamma = positive_number("--gamma", *options.gamma, " or cv");
  override_by_options(problem, overrides);
  return problem;
}

void check_data_given(const LearnOptions& options, const LearnMethod& method) {
  if (method.needs_data && !options.data.given())
    throw UsageError("learn: needs data: --data, --rollouts or --sample (method " + method.name +
                     ")");
}

void check_methods(const LearnOptions& options, const Problem& problem) {
  check_data_given(options, at_place(options.problem, [&]() -> const LearnMethod& {
                     return find_learn_method(problem.learning.method);
                   }));
  for (const std::string& name : options.compare) {
    try {
      check_data_given(options, find_learn_method(name, "--compare"));
    } catch (const InputError& error) {
      throw UsageError(error.what());
    }
  }
}

Table summary(const Problem& problem, const LearnRun& run) {
  Table table;
  const auto add = [&](const std::string& name, const std::optional<double>& value) {
    if (value) table.add(name, cost_text(*value));
  };
  const std::string reference = run.reference == "lqr" ? "LQR" : "the open loop";
  const std::string compared = run.compared_with == "baseline" ? "the baseline" : reference;
  if (run.certificate) add_certificate(table, *run.certificate);
  add_baseline(table, run.baseline);
  add_warnings(table, run.warnings);
  if (run.improvement) add_improvement(table, *run.improvement, compared);
  add_limits(table, run.limits, run.certificate ? &*run.certificate : nullptr, reference);
  table.add("problem", problem.name);
  table.add("method", run.method);
  const std::string deployed = run.details.value("deployed", "");
  const auto add_deployed = [&](const std::string& what) {
    table.add("deployed", what + ": " + run.details.value("why", ""));
  };
  if (deployed == "lqr") add_deployed(reference);
  if (deployed == "lqr-limited") add_deployed(reference + " as far as limits allow");
  if (deployed == "baseline") add_deployed("the baseline");
  if (run.steady_state) table.add("setpoint", steady_state_text(*run.steady_state));
  if (run.details.contains("gamma")) table.add("gamma", cost_text(run.details["gamma"]));
  table.add("trajectories", std::to_string(run.n));
  table.detail("parameters", std::to_string(run.p));
  add_logged_cost(table, run.logged_cost);
  add("empirical cost", run.empirical_cost);
  add("empirical cost of " + reference, run.lqr_empirical_cost);
  add("population cost", run.population_cost);
  add("population cost of " + reference, run.lqr_cost);
  if (run.baseline) add("population cost of the baseline", run.baseline->population_cost);
  if (run.optimal_cost)
    table.add("smallest population cost", optimum_text(*run.optimal_cost, run.limits));
  else if (run.population_cost)
    table.add("smallest population cost", "none is known: " + no_optimum_text(*problem.limits));
  if (run.sensitivity) table.detail("sensitivity", cost_text(*run.sensitivity));
  for (const LearnRun::Baseline& b : run.baselines)
    table.add(
        b.method + " for comparison",
        (b.empirical_cost ? "empirical " + cost_text(*b.empirical_cost) : std::string()) +
            (b.population_cost ? "  population " + cost_text(*b.population_cost) : std::string()));
  add_signals(table, run.signals, problem);
  if (run.certificate) add_certificate_details(table, *run.certificate);
  if (run.improvement)
    add_more_assumptions(table, *run.improvement, "the change",
                         run.certificate ? run.certificate->assumptions : std::vector<Statement>());
  if (run.prescient_certificate)
    table.detail("prescient certificate", bound_text(*run.prescient_certificate));
  table.add("seconds", fmt::format("{:.3g}", run.seconds));
  return table;
}

// A plant that is identified: from logs, by its own methods.
void run_learn_identified(const LearnOptions& options, const Problem& problem) {
  if (options.data.rollouts.empty())
    throw UsageError(
        "learn: needs --rollouts: a plant is identified from logged states and inputs");
  if (!options.compare.empty())
    throw UsageError("--compare: needs a plant that is known (system.identify)");
  const Logs logs =
      read_logs_of(problem, {options.data.rollouts.begin(), options.data.rollouts.end()});
  const IdentifiedRun run = at_place(options.problem, [&] {
    Progress progress(options.quiet, "learn");
    const WatchWork watched(&progress);
    return run_identified(problem, logs);
  });
  const nlohmann::json record = identified_run_to_json(run);
  Table table = identified_summary(problem, run);
  if (!options.out.empty()) {
    OutputFolder folder(options.out);
    add_identified_files(folder, problem, logs, run, record);
    folder.commit();
    table.add("written", join(folder.names()) + " in " + options.out);
  }
  print_warnings(run.warnings, !options.json && !options.quiet);
  if (options.json)
    print_json(record);
  else if (!options.quiet)
    print(table.text(options.verbose));
  if (run.limits && !run.limited.feasible)
    throw FindingError("limits: no gains keep them, even on the estimated plant");
}

void run_learn(const LearnOptions& options) {
  const Problem problem = read_overridden_problem(options);
  if (problem.identifies()) return run_learn_identified(options, problem);
  check_methods(options, problem);
  DataOptions from = options.data;
  from.quiet = options.quiet;
  const LoadedData loaded = load_data(from, problem, options.problem, sample_to_learn);
  const Disturbances& data = loaded.data;

  LearnRun run;
  {
    Progress progress(options.quiet || options.trace, "learn");
    const WatchWork watched(&progress);
    const InterruptGuard guard;  // a signal keeps the best certificate so far
    LearningTable steps(options.trace && !options.quiet);
    LearnCallbacks callbacks;
    callbacks.step = [&](const LearningStep& step) {
      steps.show(step);
      return !interrupted();
    };
    callbacks.progress = [&](std::string_view what, Index done, Index total) {
      progress.show(what, done, total);
    };
    run = at_place(options.problem,
                   [&] { return run_learn(problem, data, callbacks, options.compare); });
  }
  if (options.data.sample) run.controller.provenance["seed"] = std::to_string(options.data.seed);

  add_notes(run.warnings, loaded.notes);
  note_warnings(run.controller, run.warnings);
  nlohmann::json record = learn_run_to_json(run);
  if (!loaded.notes.residuals.empty()) record["reconstruction"] = residuals_to_json(loaded.notes);
  Table table = summary(problem, run);
  add_residual(table, loaded);
  if (!options.out.empty()) {
    OutputFolder folder(options.out);
    add_learn_files(folder, problem, data, run, record);
    folder.commit();
    table.add("written", join(folder.names()) + " in " + options.out);
  }
  print_warnings(run.warnings, !options.json && !options.quiet);
  if (options.json)
    print_json(record);
  else if (!options.quiet)
    print(table.text(options.verbose));
}

Action setup_learn(CLI::App& command) {
  auto options = std::make_shared<LearnOptions>();
  add_problem(command, options->problem);
  add_data_options(command, options->data);
  add_method(command, options->method);
  command
      .add_option("--gamma", options->gamma,
                  "weight of method ridge: a number, or cv to cross-validate")
      ->type_name("G|cv");
  command
      .add_option("--posterior", options->posterior,
                  "covariances that a PAC-Bayes posterior may have: " +
                      join(posterior_family_names(), ", "))
      ->type_name("FAMILY");
  add_certificate_kind(command, options->certificate,
                       certificate_list() + " (default: the problem's certificate.kind)");
  command
      .add_option("--compare", options->compare,
                  "methods to run on the same data for comparison, separated by commas")
      ->delimiter(',')
      ->type_name("M,...");
  add_device(command);
  command.add_flag("--trace", options->trace, "print the optimizer's table on standard error");
  add_out_folder(command, options->out,
                 "folder for controller.json, run.json, report.html and, with a certificate, "
                 "certificate.json and posterior.npz; created if missing");
  add_json(command, options->json, "print one JSON object (run.json) and nothing else");
  add_quiet(command, options->quiet);
  add_verbose(command, options->verbose);
  set_manual(
      command,
      {.synopsis = {std::string("PROBLEM ") + data_synopsis +
                        " [--method~M] [--gamma~G|cv] [--posterior~FAMILY] [--certificate~KIND] "
                        "[--compare~M,...] [--device~auto|cpu|gpu] [--out~DIR] [--trace] [--json] "
                        "[--quiet] [--verbose]",
                    "PROBLEM --method~lqr|start|baseline [OPTION...]"},
       .description =
           {"Learns a linear controller for the plant and the cost of the problem file from "
            "trajectories of disturbances, prints its costs next to those of LQR, and certifies "
            "it. The trajectories come from a file, from logged episodes (the disturbances are "
            "computed from states, inputs and the plant), or from the law that the problem file "
            "states. Methods lqr, start and baseline use no data.",
            "Method auto deploys LQR unless the data show something better, and its certificate "
            "is the best of all that the problem's assumptions allow. Methods pac-bayes and "
            "oracle-pac-bayes minimize a certificate; the others get one when --certificate or "
            "the problem file names a hold-out, cross or assumed kind, or best.",
            "The controller that runs today is described in [baseline] of the problem file (a "
            "gain, "
            "PID, lead-lag, state space, or a file): its cost and certificate, and how much less "
            "or "
            "more the new one is certified to cost, are then the first lines.",
            "A plant that the problem file does not know (system.identify) is identified from "
            "logged "
            "episodes, or from logs of any length where the horizon is infinite: --rollouts. "
            "Methods "
            "identified (LQR of the estimate) and guaranteed (gains with the smallest bound over "
            "all "
            "plants that the logs allow); auto takes the second, or gains between the two, "
            "where the certificate is smaller by a tenth.",
            "A certificate holds if the assumptions that it lists after `assuming` are true: above "
            "all, that the trajectories are independent draws of the same law as after deployment. "
            "If the data contradict an assumption, or logs contradict the model, a line of the "
            "table begins with `warning`; if all assumptions hold, this happens in at most 1 % of "
            "the runs. `loopcert inspect` gives details.",
            "The trajectories of --sample depend on the seed alone; `loopcert sample` with the "
            "same seed draws the same ones, `loopcert simulate --sample` others. Ctrl-C, SIGTERM "
            "or SIGHUP stops the optimizer and keeps the certificate reached so far."},
       .files =
           {{"PROBLEM", "read: plant, cost, horizon, assumptions (docs/problem-file.md)"},
            {"DIR/controller.json", "the controller"},
            {"DIR/run.json", "every number that is printed, and more"},
            {"DIR/certificate.json, posterior.npz, responses.npz",
             "the certificate and what it was computed from, for `loopcert recheck`"},
            {"DIR/limits.json",
             "with [limits] and a certificate: how surely they hold, a record like "
             "certificate.json"},
            {"DIR/improvement.json",
             "certified difference from the baseline, or from LQR (of an identified plant: from "
             "no input), if there is one"},
            {"DIR/baseline.json, baseline-certificate.json",
             "the baseline as a controller, and its certificate"},
            {"DIR/report.html", "all of it on one page"}},
       .statuses = {{"0", "done, even if the optimizer stopped early: the table shows it"},
                    {"1",
                     "numerical failure: a number is not finite, the closed loop of K is not the "
                     "learned response (data too close to singular), no controller keeps the "
                     "limits, or out of memory"}},
       .examples =
           {{"loopcert learn examples/assumptions/coloured.toml --sample 100 --seed 1 --out out",
             "The problem file selects method auto; the data are drawn from its law."},
            {"loopcert sample examples/double-integrator/problem.toml -n 40 --out data.csv",
             "From a file, by the paper's method, with LQR and ridge for comparison:"},
            {"loopcert learn examples/double-integrator/problem.toml --data data.csv "
             "--method pac-bayes --compare lqr,ridge",
             ""},
            {"loopcert learn examples/double-integrator/problem.toml --data data.csv "
             "--method ridge --gamma cv --certificate cross-chi-square",
             "Ridge with a weight from cross-validation, certified on the same data:"}},
       .see_also = {"inspect", "certify", "recheck", "simulate", "export", "docs/certificates.md"},
       .choices = {{"--method", learn_method_list()},
                   {"--compare", learn_method_list()},
                   {"--certificate", certificate_list()},
                   {"--device", device_list},
                   {"--gamma", "cv"}}});
  return [options] { run_learn(*options); };
}

}  // namespace

Command learn_command() {
  return {"learn", "learn a controller from recorded disturbances", setup_learn};
}

}  // namespace loopcert::app
