// loopcert plan: how many trajectories would be enough?
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "certificate/certificate_choice.hpp"
#include "cli/certificate_output.hpp"
#include "cli/failure.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/override_options.hpp"
#include "cli/progress.hpp"
#include "commands/commands.hpp"
#include "core/parallel.hpp"
#include "learning/learn_method.hpp"
#include "loopcert/core/error.hpp"
#include "planning/plan.hpp"

namespace loopcert::app {
namespace {

struct PlanCommandOptions {
  std::string problem;
  std::string target;
  DataOptions pilot;
  std::optional<std::string> method, certificate, fraction;
  std::optional<Index> trials, max_n;
  bool json = false;
};

PlanOptions plan_options(const PlanCommandOptions& options) {
  PlanOptions plan;
  plan.target = positive_number("--target", options.target);
  if (options.fraction) plan.fraction = positive_number("--fraction", *options.fraction);
  if (plan.fraction > 1)
    throw UsageError("--fraction: found '" + *options.fraction + "', expected at most 1");
  plan.trials = options.trials.value_or(plan.trials);
  plan.max_n = options.max_n.value_or(plan.max_n);
  if (plan.max_n < 2) throw UsageError("--max-n: found '1', expected at least 2");
  plan.threads = default_threads();
  return plan;
}

Problem read_overridden(const PlanCommandOptions& options) {
  Problem problem = read_problem(options.problem);
  at_place(options.problem, [&] { require_known_plant(problem, "plan"); });
  override_by_options(problem, {options.method, options.certificate, std::nullopt});
  at_place(options.problem, [&] {
    const LearnMethod& method = find_learn_method(problem.learning.method);
    if (!gives(method, certificate_choice(problem.certificate.kind)))
      throw UsageError("plan: method " + method.name + " gives no '" + problem.certificate.kind +
                       "' to plan for");
  });
  return problem;
}

std::string limit_text(const Plan& plan) {
  if (std::isnan(plan.optimal_cost))
    return std::string("none is known: no controller keeps the limits") +
           (plan.limits_shared ? " with an equal share of the probability for each" : "");
  const std::string smallest =
      cost_text(plan.optimal_cost) + ": the smallest expected cost under this law";
  if (plan.limits_shared)
    return smallest + " with an equal share of the probability for each limit";
  return smallest + (plan.limits ? " and the limits" : "") + ", which more data cannot improve";
}

Table summary(const Plan& plan) {
  Table table;
  table.add("problem", plan.problem);
  table.add("method", plan.method + ", certificate " + plan.certificate);
  table.add("law", plan.law.source);
  table.add("target",
            fmt::format("{} in {:.0f} % of {} data sets per n", cost_text(plan.options.target),
                        100 * plan.options.fraction, plan.options.trials));
  for (const PlanPoint& p : plan.points)
    table.add(fmt::format("n = {}", p.n),
              p.certified == 0
                  ? "no certificate: " + p.failure
                  : fmt::format("certificate {:.4g} (10 % {:.4g}, 90 % {:.4g}), below the target "
                                "{:.0f} %, cost {:.4g}",
                                p.median, p.low, p.high, 100 * p.share, p.cost) +
                        (plan.limits ? fmt::format(", limits certified {:.0f} %", 100 * p.kept)
                                     : std::string()));
  table.add("estimate", plan_answer(plan));
  table.add("limit", limit_text(plan));
  table.add("note", plan_notice(plan));
  return table;
}

void run_plan(const PlanCommandOptions& options) {
  PlanOptions plan = plan_options(options);
  const Problem problem = read_overridden(options);
  const Disturbances pilot =
      load_data(options.pilot, problem, options.problem, sample_to_learn).data;
  Plan result;
  {
    Progress progress(options.json, "plan");
    const WatchWork watched(&progress);
    result = at_place(options.problem, [&] { return make_plan(problem, pilot, plan); });
  }
  if (options.json)
    print_json(plan_to_json(result));
  else
    print(summary(result).text());
}

Action setup_plan(CLI::App& command) {
  auto options = std::make_shared<PlanCommandOptions>();
  add_problem(command, options->problem);
  command.add_option("--target", options->target, "cost that the certificate should be below")
      ->required()
      ->type_name("VALUE");
  add_data_options(command, options->pilot);
  add_method(command, options->method);
  add_certificate_kind(command, options->certificate,
                       "any kind that `learn --certificate` takes (default: the problem's)");
  add_device(command);
  add_count(command, "--trials", options->trials, "simulated data sets per n (default: 20)")
      ->type_name("R");
  add_count(command, "--max-n", options->max_n, "largest number tried (default: 10000)");
  command
      .add_option(
          "--fraction", options->fraction,
          "fraction of the data sets whose certificate must be below the target (default: 0.8)")
      ->type_name("F");
  add_json(command, options->json);
  set_manual(
      command,
      {.synopsis = {"PROBLEM --target~VALUE [--data~FILE... | --rollouts~FILE... | --sample~N "
                    "[--seed~S]] [--method~M] [--certificate~KIND] [--trials~R] [--max-n~N] "
                    "[--fraction~F] [--device~auto|cpu|gpu] [--json]"},
       .description = {"Estimates how many trajectories a certificate below VALUE needs: it learns "
                       "and certifies on simulated data sets of growing size n, until the required "
                       "fraction of the certificates is below the target, and reports what limits "
                       "the value if no n is enough.",
                       "The given trajectories are a pilot, from which a law is estimated; without "
                       "them the law in the problem file is used. This is an estimate by "
                       "simulation, not a certificate, and is as accurate as the law."},
       .statuses = {{"0", "done, even if no number is enough"}},
       .examples =
           {{"loopcert plan examples/assumptions/coloured.toml --target 5 --trials 5 --max-n 400",
             "Under the law in the problem file:"},
            {"loopcert plan examples/assumptions/coloured.toml --target 6 --sample 60 --trials 5 "
             "--max-n 200",
             "From a pilot of 60 trajectories:"}},
       .see_also = {"learn", "inspect", "docs/plan.md"},
       .choices = {{"--method", learn_method_list()},
                   {"--certificate", certificate_list()},
                   {"--device", device_list}}});
  return [options] { run_plan(*options); };
}

}  // namespace

Command plan_command() {
  return {"plan", "estimate how many trajectories a certificate needs", setup_plan};
}

}  // namespace loopcert::app
