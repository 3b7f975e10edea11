// loopcert measure: a certificate from measured costs alone.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/certificate_output.hpp"
#include "cli/failure.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/warning_output.hpp"
#include "commands/commands.hpp"
#include "core/text.hpp"
#include "delivery/write_measured.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/rounded.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "measurement/measured_record.hpp"

namespace loopcert::app {
namespace {

struct MeasureCommandOptions {
  std::string costs, against, column, out;
  std::vector<std::string> rollouts;
  std::optional<std::string> largest, kurtosis, delta, plan;
  MeasureOptions measure;
  bool json = false, verbose = false;
};

std::optional<double> positive(const std::string& option, const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return positive_number(option, *text);
}

MeasureOptions measure_options(const MeasureCommandOptions& options) {
  MeasureOptions measure = options.measure;
  measure.largest = positive("--largest", options.largest);
  measure.kurtosis = positive("--kurtosis", options.kurtosis);
  measure.delta = positive("--delta", options.delta).value_or(measure.delta);
  if (!(measure.delta < 1))
    throw UsageError("--delta: found '" + *options.delta + "', expected a number below 1");
  return measure;
}

MeasureResult measured_from(const MeasureCommandOptions& options) {
  const MeasureOptions measure_with = measure_options(options);
  if (!options.rollouts.empty()) {
    if (!options.against.empty())
      throw UsageError(
          "--against: not with --rollouts; measure both logs with --out, then compare their "
          "costs.npy");
    if (!options.column.empty()) throw UsageError("--column: not with --rollouts");
    const Problem problem = read_problem(options.costs);
    if (problem.model && problem.model->infinite)
      throw InputError(
          options.costs +
          ": horizon: found \"infinite\", expected the steps of an episode: its cost is "
          "what is measured");
    const Rollouts logs = read_rollouts({options.rollouts.begin(), options.rollouts.end()},
                                        problem.data, problem.system.plant);
    return at_place(options.costs, [&] { return measure(problem, logs, measure_with); });
  }
  const Vector costs = read_costs(options.costs, options.column);
  if (options.against.empty())
    return at_place(options.costs, [&] { return measure(costs, measure_with); });
  const Vector against = read_costs(options.against, options.column);
  return at_place(options.costs, [&] { return measure(costs, against, measure_with); });
}

std::string mean_text(double mean, double error) {
  return fmt::format("{} +- {}", cost_text(mean), cost_text(error));
}

void add_violations(Table& table, const MeasureResult& m) {
  const Certificate& c = m.limits.value();
  const bool each = c.functional.id == "violation-each";
  table.add("limits", fmt::format("broken {} with probability at most {}, confidence {}",
                                  each ? "by the worst row at a step" : "in an episode",
                                  bound_text(c.value), confidence_text(c.confidence)));
  std::map<std::string, Vector> of_row;  // episodes in which it is broken at some step
  for (size_t i = 0; i < m.rows.size(); ++i) {
    const Vector now = m.violations.col(static_cast<Index>(i));
    Vector& row = of_row.try_emplace(m.rows[i], Vector::Zero(now.size())).first->second;
    row = row.cwiseMax(now);
  }
  table.add("  episodes that break one",
            fmt::format("{} of {}", (m.violations.array() > 0).rowwise().any().count(), c.n));
  for (const auto& [name, broken] : of_row)
    table.add("  " + name, fmt::format("{:.0f}", broken.sum()));
}

Table summary(const MeasureResult& m) {
  Table table;
  add_certificate(table, m.certificate);
  add_warnings(table, m.warnings);
  if (m.limits) add_violations(table, m);
  table.add("episodes", m.options.paired        ? fmt::format("{} pairs", m.costs.size())
                        : m.against.size() == 0 ? std::to_string(m.costs.size())
                                                : fmt::format("{}, compared with {}",
                                                              m.costs.size(), m.against.size()));
  table.add("mean cost", mean_text(m.mean, m.standard_error));
  if (m.against_mean)
    table.add("mean cost compared with", mean_text(*m.against_mean, *m.against_standard_error));
  add_certificate_details(table, m.certificate);
  return table;
}

void add_plan(Table& table, const MeasureCommandOptions& options,
              const std::optional<Index>& planned) {
  const std::string each = options.against.empty() ? "" : " of each";
  table.add("plan", planned ? fmt::format("{} episodes{} like these, for {} to show in four of "
                                          "five trials",
                                          *planned, each, *options.plan)
                            : "more than 1e9 episodes");
}

void run_measure(const MeasureCommandOptions& options) {
  const MeasureResult measured = [&] {
    Progress progress(options.json, "measure");
    const WatchWork watched(&progress);
    return measured_from(options);
  }();
  nlohmann::json record = measured_to_json(measured);
  if (measured.limits) record["limits"] = measured_limits_to_json(measured);
  Table table = summary(measured);
  if (options.plan) {
    const std::optional<Index> planned =
        episodes_for(measured, positive_number("--plan", *options.plan));
    record["plan"] = planned ? nlohmann::json(*planned) : nlohmann::json();
    add_plan(table, options, planned);
  }
  if (!options.out.empty()) {
    OutputFolder folder(options.out);
    add_measure_files(folder, measured);
    folder.commit();
    table.add("written", join(folder.names()) + " in " + options.out);
  }
  print_warnings(measured.warnings, !options.json);
  if (options.json)
    print_json(record);
  else
    print(table.text(options.verbose));
}

Action setup_measure(CLI::App& command) {
  auto options = std::make_shared<MeasureCommandOptions>();
  add_argument(command, "COSTS", options->costs,
               "one number for each episode (.csv, .txt, .json, .npy, .npz, .mat, .h5); with "
               "--rollouts the problem file whose [cost] counts");
  command
      .add_option("--rollouts", options->rollouts,
                  "logged episodes: files with states and inputs, or files with states, each "
                  "followed by one with inputs")
      ->type_name("FILE...")
      ->expected(1, CLI::detail::expected_max_vector_size);
  add_path(command, "--against", options->against, "costs of another controller, to compare with")
      ->type_name("COSTS");
  command.add_flag("--paired", options->measure.paired,
                   "the k-th episodes of both had the same disturbances");
  command.add_option("--column", options->column,
                     "column of a table, or variable of a file with names (default cost)");
  const std::string kinds = join(measured_kind_names(), " | ");
  command
      .add_option("--certificate", options->measure.kind,
                  "kind (default: by what is assumed): " + kinds)
      ->type_name("KIND");
  const auto add_number = [&](const char* name, std::optional<std::string>& to, const char* type,
                              const char* help) {
    command.add_option(name, to, help)->type_name(type)->group("What is assumed");
  };
  add_number("--largest", options->largest, "J", "no cost exceeds J; any plant, any law");
  command
      .add_flag("--gaussian", options->measure.gaussian,
                "linear loop, quadratic cost, Gaussian disturbances of mean zero")
      ->group("What is assumed");
  command
      .add_flag("--any-mean", options->measure.any_mean,
                "their mean may be other than zero, and the loop have an offset")
      ->group("What is assumed");
  add_number("--kurtosis", options->kurtosis, "K", "E J^2 <= K (E J)^2; any plant, any law");
  command
      .add_option("--delta", options->delta,
                  "the certificate fails with at most this probability (default 0.05)")
      ->type_name("D");
  command
      .add_option("--plan", options->plan,
                  "say how many episodes like these it takes until SIZE shows: a margin above the "
                  "mean, a difference, or a part of the ratio")
      ->type_name("SIZE");
  add_out_folder(command, options->out,
                 "folder for certificate.json, the costs and report.html, created if missing");
  add_json(command, options->json);
  add_verbose(command, options->verbose);
  set_manual(
      command,
      {.synopsis = {"COSTS [--column~NAME] [--against~COSTS [--paired]] [--largest~J] [--gaussian "
                    "[--any-mean]] [--kurtosis~K] [--certificate~KIND] [--delta~D] [--plan~SIZE] "
                    "[--out~DIR] [--json] [--verbose]",
                    "PROBLEM --rollouts~FILE... [--largest~J] [--gaussian] [--delta~D] [--out~DIR] "
                    "[--json] [--verbose]"},
       .description =
           {"Bounds the expected cost of an episode by measured costs alone, one number for each "
            "episode. No model takes part: the costs come from the machine itself or from any "
            "simulator. The episodes must be independent, and neither the controller nor their "
            "number may have been chosen by looking at them.",
            "At least one assumption must be stated: --largest holds for any plant and any law, "
            "--gaussian for linear loops, --kurtosis for both. With several the certificate is "
            "the best of what they allow, and they share delta.",
            "With --against two controllers are compared: for linear loops a bound on the ratio "
            "of their expected costs, else on the difference. A ratio below one, or a negative "
            "difference, shows that the first is better.",
            "With a problem file and --rollouts the costs are computed from logged states and "
            "inputs by [cost]; A and B are not used. Violations of [limits] are counted in the "
            "same pass, with a certificate of their own (limits.delta)."},
       .files = {{"DIR/certificate.json", "the certificate; `loopcert-verify DIR` checks it"},
                 {"DIR/costs.npy, DIR/against.npy", "the costs that it is about"},
                 {"DIR/report.html", "the same as a page with pictures"},
                 {"DIR/limits.json, DIR/violations.npy",
                  "the certificate of limits, and which episodes broke a row at a step"}},
       .examples = {{"loopcert measure examples/measure/costs.csv --largest 20",
                     "Any plant, any law, no cost above 20:"},
                    {"loopcert measure examples/measure/costs.csv --against "
                     "examples/measure/before.csv --paired --largest 20",
                     "Is it better than what ran before, on the same disturbances?"}},
       .see_also = {"certify", "recheck", "docs/measure.md"},
       .choices = {{"--certificate", kinds}}});
  return [options] { run_measure(*options); };
}

}  // namespace

Command measure_command() {
  return {"measure", "certify measured costs, without a model", setup_measure};
}

}  // namespace loopcert::app
