// loopcert evaluate: a posterior in the hand. Every PAC-Bayes bound at it, and what they are made
// of.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "certificate/kinds.hpp"
#include "certificate/record_arrays.hpp"
#include "cli/certificate_output.hpp"
#include "cli/evaluation_output.hpp"
#include "cli/failure.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/suggestion.hpp"
#include "cli/warning_output.hpp"
#include "commands/commands.hpp"
#include "core/file.hpp"
#include "core/text.hpp"
#include "delivery/evaluation_files.hpp"
#include "loopcert/core/error.hpp"
#include "workflow/evaluate_run.hpp"
#include "workflow/posterior_law.hpp"

namespace loopcert::app {
namespace {

struct EvaluateCommand {
  std::string problem;
  std::string posterior;
  DataOptions data;
  std::string certificate = "all";
  std::optional<std::string> lambda;
  bool global = false;
  std::optional<Index> draws;
  std::uint64_t draw_seed = 0;
  bool matrices = false;
  std::string out;
  bool json = false;
};

std::vector<std::string> kind_names() {
  std::vector<std::string> names = {"all"};
  for (const PosteriorKind& kind : posterior_kinds()) names.push_back(kind.name);
  return names;
}

// Options that contradict each other, before anything is read.
void check_options(const EvaluateCommand& options) {
  const std::vector<std::string> names = kind_names();
  if (std::find(names.begin(), names.end(), options.certificate) == names.end())
    throw UsageError("--certificate: found '" + options.certificate + "', expected " +
                     join(names, " | ") + did_you_mean(options.certificate, names));
  if (!options.data.given())
    throw UsageError("evaluate: needs data: --data, --rollouts or --sample");
  if (options.global && options.certificate == "all")
    throw UsageError("--global: requires --certificate with one kind");
  if (options.draws && options.out.empty())
    throw UsageError("--draws: requires --out, the folder for the controllers");
  if (options.matrices && options.out.empty())
    throw UsageError("--matrices: requires --out, the folder for vectorized.npz");
}

void run_evaluate(const EvaluateCommand& options) {
  check_options(options);
  EvaluateOptions asked{options.certificate};
  if (options.lambda) asked.lambda = positive_number("--lambda", *options.lambda);
  const Problem problem = read_problem(options.problem);
  at_place(options.problem, [&] { require_known_plant(problem, "evaluate"); });
  const std::string bytes = read_file(options.posterior, largest_record);
  const Posterior posterior = at_place(options.posterior, [&] { return parse_posterior(bytes); });
  const LoadedData loaded = load_data(options.data, problem, options.problem, sample_to_learn);
  Evaluation evaluation;
  std::optional<GlobalCheck> global;
  std::vector<PosteriorDraw> draws;
  {
    Progress progress(options.json, "evaluate");
    const WatchWork watched(&progress);
    evaluation = evaluate_posterior(problem, posterior, loaded.data, asked);
    if (options.global) global = global_check(problem, loaded.data, options.certificate);
    if (options.draws)
      draws = draw_controllers(problem, posterior, options.draw_seed, *options.draws, loaded.data);
  }
  add_notes(evaluation.warnings, loaded.notes);

  nlohmann::json record = evaluation_to_json(evaluation);
  if (global) record["global_minimum"] = {{"value", global->value}, {"lambda", global->lambda}};
  Table table;
  table.add("problem", problem.name);
  add_warnings(table, evaluation.warnings);
  add_evaluation(table, evaluation);
  if (global)
    table.add("smallest over diagonal posteriors",
              fmt::format("{} at lambda {}", cost_text(global->value), cost_text(global->lambda)));
  if (!options.out.empty()) {
    OutputFolder folder(options.out);
    add_evaluation_files(folder, record, draws);
    if (options.matrices)
      folder.add("vectorized.npz", format_vectorized(vectorized(problem.system, problem.response)));
    folder.commit();
    table.add("written", join(folder.names()) + " in " + options.out);
  }
  print_warnings(evaluation.warnings, !options.json);
  if (options.json)
    print_json(record);
  else
    print(table.text());
}

Action setup_evaluate(CLI::App& command) {
  auto options = std::make_shared<EvaluateCommand>();
  add_problem(command, options->problem);
  add_path(command, "--posterior", options->posterior,
           "posterior.npz of `learn --out`, or arrays mean and variance in a .npz file")
      ->required();
  add_data_options(command, options->data);
  command
      .add_option("--certificate", options->certificate,
                  join(kind_names(), " | ") + " (default: all)")
      ->type_name("KIND");
  command
      .add_option("--lambda", options->lambda,
                  "a fixed lambda instead of the best one; any positive number is valid")
      ->type_name("X");
  command.add_flag("--global", options->global,
                   "also the smallest value of KIND over all diagonal posteriors (takes a while)");
  add_count(command, "--draws", options->draws, "draw N controllers from the posterior");
  add_seed(command, options->draw_seed, "--draw-seed", "seed of these draws (default 0)");
  command.add_flag("--matrices", options->matrices,
                   "write vectorized.npz: the paper's H, h, selection, theta_0, N, M_G");
  add_out_folder(command, options->out, "folder for evaluation.json and the draws");
  add_json(command, options->json);
  set_manual(
      command,
      {.synopsis = {std::string("PROBLEM --posterior~FILE ") + data_synopsis +
                    " [--certificate~KIND] [--lambda~X] [--global] [--draws~N [--draw-seed~S]] "
                    "[--matrices] [--out~DIR] [--json]"},
       .description =
           {"For readers of the paper: every PAC-Bayes bound at a given posterior and the "
            "problem's prior, with its terms, KL, lambda and C. A bound holds for all posteriors "
            "at once, so that the posterior may come from anywhere. On the data of `learn`, the "
            "posterior of `learn` has the certificate of `learn`.",
            "Each bound holds at its own confidence and under its own assumptions, which "
            "--certificate KIND lists; they do not hold together. A kind that the problem's "
            "assumptions do not allow says what is missing.",
            "If the problem states a law, the table also has the cost of the mean response, the "
            "interval of lambda in which E exp(lambda L) is finite under the posterior, the "
            "pointwise radius of the mean response, and at the lambda of each bound the exact "
            "cumulant of the mean response (Lambda) next to its quadratic bound (psi).",
            "--sample draws the trajectories of `learn --sample`."},
       .files = {{"FILE", "arrays mean and variance, d_u x d_z, zero outside the free entries"},
                 {"DIR/evaluation.json", "what --json prints"},
                 {"DIR/controller-I.json", "drawn controller I = 0, 1, ..."},
                 {"DIR/draws.npz", "arrays Z_I, Phi_x_I, Phi_u_I, phi_x_I, phi_u_I of each draw"},
                 {"DIR/vectorized.npz",
                  "arrays of --matrices; sparse ones as NAME_row, NAME_col, "
                  "NAME_value and NAME_shape"}},
       .examples =
           {{"loopcert learn examples/double-integrator/problem.toml --sample 40 --seed 1 --out "
             "out --quiet",
             "A posterior, and every bound at it:"},
            {"loopcert evaluate examples/double-integrator/problem.toml --posterior "
             "out/posterior.npz --sample 40 --seed 1",
             ""},
            {"loopcert evaluate examples/double-integrator/problem.toml --posterior "
             "out/posterior.npz --sample 40 --seed 1 --certificate data-driven --draws 3 --out "
             "drawn",
             "One bound with its assumptions, and three controllers drawn from the posterior:"}},
       .see_also = {"learn", "simulate", "docs/certificates.md", "docs/notebooks/paper.md"},
       .choices = {{"--certificate", join(kind_names(), " | ")}}});
  return [options] { run_evaluate(*options); };
}

}  // namespace

Command evaluate_command() {
  return {"evaluate", "every bound of the paper at a given posterior", setup_evaluate,
          about_experiments};
}

}  // namespace loopcert::app
