// loopcert report: a folder that another command wrote to one page.
#include <memory>

#include "certificate/record_arrays.hpp"
#include "cli/failure.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "commands/commands.hpp"
#include "controller/memory_controller.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/number_from.hpp"
#include "core/visible.hpp"
#include "data/hash.hpp"
#include "delivery/describe.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/verification/recheck.hpp"
#include "measurement/measured_record.hpp"
#include "verification/recheck_measured.hpp"

namespace loopcert::app {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::string folder;
  std::string problem;
  DataOptions data;
  bool json = false;
};

constexpr std::uintmax_t size_limit = std::uintmax_t{1} << 30;

nlohmann::json read_json(const fs::path& path) {
  const std::string text = read_file(path, size_limit);
  return at_place(path.string(), [&] { return parse_json(text); });
}

std::string provenance(const Controller& controller, const std::string& key) {
  const auto found = controller.provenance.find(key);
  return found == controller.provenance.end() ? "" : found->second;
}

// The data that were sampled can be sampled again; their hash says whether they are the same.
void sample_again(RunParts& parts, const std::string& place) {
  const auto seed = number_from<std::uint64_t>(provenance(parts.controller, "seed"));
  const auto n = number_from<Index>(provenance(parts.controller, "n"));
  if (!seed || !n || *n < 1 || !parts.problem->disturbance.law) return;
  Disturbances data = sample_from_law(*parts.problem, place, *seed, sample_to_learn, *n);
  const std::string expected = provenance(parts.controller, "data_sha256");
  if (expected.empty() || data_hash(data) == expected) parts.data = std::move(data);
}

void find_problem(RunParts& parts, const ReportOptions& options) {
  const fs::path certificate = fs::path(options.folder) / "certificate.json";
  if (!options.problem.empty())
    parts.problem = read_problem(options.problem);
  else if (fs::exists(certificate))
    parts.problem = problem_of_certificate(certificate);
  // Of an identified plant only the estimate could be drawn, and it is in no file.
  if (parts.problem && parts.problem->identifies()) parts.problem.reset();
  if (!parts.problem) return;
  const Sizes a = parts.problem->sizes(), b = parts.controller.sizes;
  if (a.T != b.T || a.n_y != b.n_y || a.n_u != b.n_u)
    throw InputError((options.problem.empty() ? certificate.string() : options.problem) +
                     ": its sizes are not those of controller.json");
}

void find_data(RunParts& parts, const ReportOptions& options) {
  const std::string place = options.problem.empty() ? options.folder : options.problem;
  if (!options.data.given()) return sample_again(parts, place);
  parts.data = load_data(options.data, *parts.problem, place, sample_to_learn).data;
  const std::string expected = provenance(parts.controller, "data_sha256");
  if (!expected.empty() && data_hash(parts.data) != expected)
    parts.missing = "The data shown here are not the training data of the controller.";
}

RunParts read_run(const ReportOptions& options) {
  const fs::path folder = options.folder;
  RunParts parts;
  parts.record = read_json(folder / "run.json");
  const fs::path controller = folder / "controller.json";
  parts.controller = has_memory_controller(controller)
                         ? first_steps(read_memory_controller(controller), shown_steps)
                         : read_controller(controller);
  if (fs::exists(folder / "posterior.npz"))
    parts.posterior = at_place((folder / "posterior.npz").string(), [&] {
      return parse_posterior(read_file(folder / "posterior.npz", size_limit));
    });
  find_problem(parts, options);
  if (!parts.problem) {
    if (options.data.given()) throw UsageError("report: data require --problem");
    parts.missing =
        "Only the files of the run were available: `loopcert report --problem FILE` with --data "
        "adds what needs the problem and the data.";
    return parts;
  }
  find_data(parts, options);
  if (parts.data.n() == 0 && parts.missing.empty())
    parts.missing = "The data were not available: `loopcert report --data FILE` adds them.";
  return parts;
}

// Of `measure`, which keeps all it needs, or of `certify`, which keeps everything but the data.
std::string certificate_page(const ReportOptions& options, const fs::path& certificate) {
  if (!options.problem.empty())
    throw UsageError(
        "report: --problem is only for the folder of learn: a certificate has its own");
  if (is_measured(read_certificate(certificate))) {
    if (options.data.given())
      throw UsageError("report: data are only for learn and certify: measure keeps its costs");
    return report::measured_page(describe_measured(read_measured(certificate)));
  }
  Disturbances data;
  if (options.data.given()) {
    const Problem problem = problem_of_certificate(certificate);
    data = load_data(options.data, problem, certificate.string(), sample_to_simulate).data;
  }
  return report::run_page(describe_certified(certificate, data));
}

std::string page_of(const ReportOptions& options) {
  const fs::path folder = options.folder;
  if (fs::exists(folder / "run.json")) {
    const RunParts parts = read_run(options);
    return at_place((folder / "run.json").string(),
                    [&] { return report::run_page(describe_run(parts)); });
  }
  if (const fs::path certificate = folder / "certificate.json"; fs::exists(certificate))
    return certificate_page(options, certificate);
  const fs::path results = folder / "results.json";
  if (!fs::exists(results))
    throw InputError(options.folder +
                     ": has neither run.json nor certificate.json nor results.json: not the folder "
                     "of learn, certify, measure or a sweep (identify, inspect and watch write "
                     "their pages themselves)");
  if (!options.problem.empty() || options.data.given())
    throw UsageError(
        "report: --problem and data are only for the folder of a run, and this is a sweep");
  return at_place(results.string(),
                  [&] { return report::sweep_page(describe_sweep(read_json(results))); });
}

void run_report_command(const ReportOptions& options) {
  const fs::path path = fs::path(options.folder) / "report.html";
  {
    const Progress progress(options.json, "report");
    write_file(path, page_of(options));
  }
  if (options.json)
    print_json({{"status", "done"}, {"report", path.string()}});
  else
    print(visible_line(path.string()) + "\n");
}

Action setup_report(CLI::App& command) {
  auto options = std::make_shared<ReportOptions>();
  add_argument(command, "DIR", options->folder, "folder of learn, certify, measure or sweep");
  add_path(command, "--problem", options->problem,
           "problem file, for a run whose folder does not contain it");
  add_data_options(command, options->data);
  add_json(command, options->json);
  set_manual(
      command,
      {.synopsis = {"DIR [--problem~FILE] [--data~FILE... | --rollouts~FILE... | --sample~N "
                    "[--seed~S]] [--json]"},
       .description = {"Writes DIR/report.html for a folder that `learn`, `certify`, `measure` "
                       "or `sweep` wrote: one page, which needs a browser and no network. "
                       "All but `sweep` have already written one with everything in it; so "
                       "do `reproduce`, `identify` and `inspect` with --out, and `watch` "
                       "with --page.",
                       "A folder holds no trajectories: these, and of a run without a "
                       "certificate --problem, add what needs them. Of certify they must be "
                       "the same trajectories."},
       .files = {{"DIR/run.json, controller.json", "read, of learn"},
                 {"DIR/certificate.json and the files it names",
                  "read, of certify and "
                  "measure"},
                 {"DIR/results.json", "read, of a sweep"},
                 {"DIR/report.html", "written"}},
       .examples = {{"loopcert learn examples/double-integrator/problem.toml --method lqr "
                     "--out lqr",
                     ""},
                    {"loopcert report lqr --problem examples/double-integrator/problem.toml "
                     "--sample 100",
                     ""},
                    {"loopcert sweep examples/sweeps/quick.toml --out quick", ""},
                    {"loopcert report quick", ""}},
       .see_also = {"learn", "sweep", "reproduce"}});
  return [options] { run_report_command(*options); };
}

}  // namespace

Command report_command() {
  return {"report", "write the page of a run, a certificate or a sweep", setup_report,
          about_experiments};
}

}  // namespace loopcert::app
