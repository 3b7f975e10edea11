// loopcert export: a controller in another format. Adding one is one line in the table.
#include <fmt/format.h>

#include <memory>

#include "cli/after_option.hpp"
#include "cli/clip_option.hpp"
#include "cli/failure.hpp"
#include "cli/load_data.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "commands/commands.hpp"
#include "controller/controller_trees.hpp"
#include "controller/fit.hpp"
#include "controller/memory_controller.hpp"
#include "controller/single.hpp"
#include "core/file.hpp"
#include "core/text.hpp"
#include "core/visible.hpp"
#include "data/mat.hpp"
#include "data/npy.hpp"
#include "data/npz.hpp"
#include "delivery/folder.hpp"
#include "inspection/warnings.hpp"
#include "loopcert/controller/c_code.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/rounded.hpp"
#include "loopcert/delivery/words.hpp"
#include "loopcert/verification/recheck.hpp"
#include "simulation/single_rounding.hpp"
#include "verification/certified_response.hpp"
#include "verification/recheck_identified.hpp"
#include "watch/claim.hpp"
#include "watch/watch_c.hpp"
#include "workflow/after_run.hpp"
#include "workflow/sampling.hpp"

namespace loopcert::app {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  std::string controller;
  std::string format;
  std::string out;
  std::string name;         // format c
  std::string certificate;  // format c
  ClipOptions clip;         // format c
  std::string watch;        // format c
  double alpha = 0.01;      // the same, of the watch
  double degrees = 0;       // the same
  bool single = false;      // format c: in float
  std::string after = "refuse";
  std::optional<Index> steps;  // all formats but c
  std::string problem;         // for what comes after the horizon
  DataOptions data;            // the same
};

// What comes after the horizon, as lines for a comment; none where it was not looked at.
using Remarks = std::vector<std::string>;

// Writes the controller; returns the files written.
using Export = std::vector<fs::path> (*)(const Controller& controller, const ExportOptions& options,
                                         const Remarks& remarks);

std::vector<fs::path> export_json(const Controller& controller, const ExportOptions& options,
                                  const Remarks&) {
  write_controller(options.out, controller);
  return {options.out};
}

void check_extension(const ExportOptions& options, const std::string& extension) {
  if (fs::path(options.out).extension() != extension)
    throw UsageError("--out: found '" + options.out + "', expected a name that ends in " +
                     extension);
}

// gain.npy -> gain-k.npy
fs::path offset_path(const fs::path& path) {
  fs::path offset = path;
  return offset.replace_filename(path.stem().string() + "-k" + path.extension().string());
}

std::vector<fs::path> export_npy(const Controller& controller, const ExportOptions& options,
                                 const Remarks&) {
  check_extension(options, ".npy");
  const fs::path path = options.out;
  Array k;
  k.shape = {controller.k.size()};
  k.values.assign(controller.k.begin(), controller.k.end());
  write_together(
      {{path, format_npy(array_from_matrix(controller.K))}, {offset_path(path), format_npy(k)}});
  return {path, offset_path(path)};
}

std::vector<fs::path> export_npz(const Controller& controller, const ExportOptions& options,
                                 const Remarks&) {
  check_extension(options, ".npz");
  write_npz(options.out, controller_to_arrays(controller));
  return {options.out};
}

std::vector<fs::path> export_mat(const Controller& controller, const ExportOptions& options,
                                 const Remarks&) {
  check_extension(options, ".mat");
  write_mat(options.out, controller_to_arrays(controller));
  return {options.out};
}

std::string name_of(const ExportOptions& options) {
  return options.name.empty() ? "controller" : options.name;
}

// The watch on the certificate that --watch names, if it names one.
std::vector<CFile> watch_files(const ExportOptions& options) {
  if (options.watch.empty()) return {};
  const CertifiedClaim claim = claim_of_certificate(options.watch);
  Remarks remarks = {fmt::format("certificate: {} at confidence {} ({})", bound_text(claim.mean),
                                 confidence_text(claim.confidence), claim.kind)};
  if (claim.violation) remarks.push_back("a cost is 1 for an episode that broke a limit, else 0");
  return watch_to_c({claim.mean, options.alpha, options.degrees}, name_of(options), remarks);
}

// Beside the certificate; for clipping also beside the controller.
fs::path limits_file(const ExportOptions& options) {
  if (!options.certificate.empty())
    return fs::path(options.certificate).replace_filename("limits.json");
  return options.clip.clip ? fs::path(options.controller).replace_filename("limits.json") : "";
}

std::vector<fs::path> export_c(const Controller& controller, const ExportOptions& options,
                               const Remarks& after_remarks) {
  Remarks remarks;
  if (!options.certificate.empty()) {
    check_certifies(options.certificate, controller);
    const Certificate c = read_certificate(options.certificate);
    remarks.push_back(fmt::format("certificate: {} at confidence {} ({}{}, {})",
                                  bound_text(c.value), confidence_text(c.confidence), c.kind,
                                  c.chosen.empty() ? "" : ": " + c.chosen, subject_words(c)));
    for (const std::string& sentence : assumption_words(c.assumptions))
      remarks.push_back("assuming: " + sentence);
    for (const Warning& w : read_warnings(options.certificate))
      remarks.push_back("warning: " + w.text);
    if (after_of(options.after) != AfterHorizon::refuse)
      remarks.push_back("certified: the first HORIZON steps after a reset, not the later ones");
  }
  add_limits_remarks(limits_file(options), remarks,
                     [&](const fs::path& path) { check_realizes(path, controller); });
  remarks.insert(remarks.end(), after_remarks.begin(), after_remarks.end());
  std::vector<CFile> files =
      controller_to_c(controller, name_of(options), remarks, after_of(options.after),
                      options.clip.clip, options.single);
  for (CFile& file : watch_files(options)) files.push_back(std::move(file));
  OutputFolder folder(options.out);
  std::vector<fs::path> written;
  for (CFile& file : files) {
    written.push_back(folder.path(file.name));
    folder.add(file.name, std::move(file.content));
  }
  folder.commit();
  return written;
}

// A controller that runs for ever.
void export_memory(const ExportOptions& options) {
  MemoryController controller = read_memory_controller(options.controller);
  set_input_limits(options.clip, options.controller, controller.n_u, controller.input_limits);
  if (options.after != "refuse" || options.steps || !options.problem.empty())
    throw UsageError("--after, --steps, --problem: this controller has no last step");
  if (options.format == "json") {
    write_file(options.out, memory_controller_to_json(controller).dump(1) + "\n");
    print(visible_line(options.out) + "\n");
    return;
  }
  if (options.format != "c")
    throw UsageError("--format: found '" + options.format +
                     "', expected json | c for a controller that runs for ever");
  Remarks remarks;
  if (!options.certificate.empty()) {
    check_certifies_gain(options.certificate, controller);
    const Certificate c = read_certificate(options.certificate);
    remarks.push_back(fmt::format("certificate: {} at confidence {} ({}, average cost of a step)",
                                  bound_text(c.value), confidence_text(c.confidence), c.kind));
    for (const std::string& sentence : assumption_words(c.assumptions))
      remarks.push_back("assuming: " + sentence);
  }
  add_limits_remarks(limits_file(options), remarks,
                     [&](const fs::path& path) { check_certifies_gain(path, controller); });
  std::vector<CFile> files = memory_controller_to_c(controller, name_of(options), remarks,
                                                    options.clip.clip, options.single);
  for (CFile& file : watch_files(options)) files.push_back(std::move(file));
  OutputFolder folder(options.out);
  for (CFile& file : files) {
    print(visible_line(folder.path(file.name).string()) + "\n");
    folder.add(file.name, std::move(file.content));
  }
  folder.commit();
}

struct Format {
  std::string name;
  Export write;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> table = {
      {"json", export_json}, {"npy", export_npy}, {"npz", export_npz},
      {"mat", export_mat},   {"c", export_c},
  };
  return table;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : formats()) names.push_back(format.name);
  return names;
}

std::string format_list() { return join(format_names(), " | "); }

Export find_format(const std::string& name) {
  for (const Format& format : formats())
    if (format.name == name) return format.write;
  throw UsageError("--format: found '" + name + "', expected " + format_list() +
                   did_you_mean(name, format_names()));
}

// The problem that says which plant the controller will meet: by name, or as the certificate has
// it.
std::optional<Problem> problem_for(const ExportOptions& options, const Controller& controller) {
  if (options.problem.empty() && options.certificate.empty()) return std::nullopt;
  if (options.problem.empty()) check_certifies(options.certificate, controller);  // its plant, then
  const Problem problem = options.problem.empty() ? problem_of_certificate(options.certificate)
                                                  : read_problem(options.problem);
  if (!options.problem.empty())
    check_fits(options.controller, controller, problem.sizes(), options.problem);
  return problem;
}

// What the controller does when it is used for ever.
std::optional<AfterRun> look(const ExportOptions& options, const Controller& controller,
                             AfterHorizon after) {
  if (after == AfterHorizon::refuse) return std::nullopt;
  const std::optional<Problem> problem = problem_for(options, controller);
  if (!problem) {
    warn(
        "the behaviour after the horizon was not checked: with --problem the spectral radius and "
        "the average cost are shown");
    return std::nullopt;
  }
  const Disturbances data =
      options.data.given()
          ? load_data(options.data, *problem, options.problem, sample_to_learn).data
          : Disturbances{};
  const std::optional<AfterRun> found = look_after(*problem, controller, after, data);
  if (!found)
    warn(problem->system.plant.has_state()
             ? "the behaviour after the horizon was not checked: the problem varies in time"
             : "the behaviour after the horizon was not checked: of a plant that is seen through "
               "outputs 'simulate --steps' shows it, where the problem states a law");
  return found;
}

// Trajectories for what single precision changes: those of files, or of the law. None where nobody
// says which plant.
constexpr Index rounded_trajectories = 400;

// The header says it at length.
std::string single_bound(const Controller& controller) {
  return fmt::format("an input changes by at most {:.2g} of |K||x| + |k| (rigorous, for one step)",
                     single_share(controller));
}

Remarks rounding_remarks(const ExportOptions& options, const Controller& controller) {
  const std::string bound = single_bound(controller);
  const std::optional<Problem> problem = problem_for(options, controller);
  const bool drawn = !options.data.given();
  if (!problem || (drawn && !problem->disturbance.law))
    return {bound, "the effect on the loop was not measured: --problem with a law, or with data"};
  const Disturbances data =
      drawn ? sample_disturbances(*problem->disturbance.law, Stream{0, sample_to_simulate},
                                  rounded_trajectories)
            : load_data(options.data, *problem, options.problem, sample_to_learn).data;
  const SingleRounding found = measure_single(problem->system, controller, data);
  return {bound,
          fmt::format("measured in closed loop on {} {} trajectories: inputs change by at most "
                      "{:.2g}, the mean cost {:.6g} by {:.2g}",
                      found.n, drawn ? "simulated" : "recorded", found.inputs.maxCoeff(),
                      found.cost, found.cost_change)};
}

void run_export(const ExportOptions& options) {
  const Export write = find_format(options.format);
  if (options.format != "c" && !(options.name.empty() && options.certificate.empty()))
    throw UsageError("--name, --certificate: only for format c");
  if (options.format != "c" && !options.watch.empty())
    throw UsageError("--watch: only for format c");
  if (options.format != "c" && (options.clip.clip || !options.clip.limits.empty()))
    throw UsageError("--clip, --limits: only for format c");
  if (options.format != "c" && options.single) throw UsageError("--float: only for format c");
  if (!options.clip.limits.empty() && !options.clip.clip)
    throw UsageError("--limits: requires --clip");
  const AfterHorizon after = after_of(options.after);
  if (has_memory_controller(options.controller)) return export_memory(options);
  if (options.format == "c" && options.steps)
    throw UsageError("--steps: format c runs without end with --after restart or hold");
  if (options.format != "c" && !options.steps && after != AfterHorizon::refuse)
    throw UsageError("--after: requires --steps, the number of steps to write");
  if (options.data.given() && options.problem.empty())
    throw UsageError("export: data require --problem");
  if (after == AfterHorizon::refuse && !options.single && !options.problem.empty())
    throw UsageError(
        "--problem: requires --after, for the behaviour after the horizon, or --float, for the "
        "effect of rounding");
  Controller controller = read_controller(options.controller);
  set_input_limits(options.clip, options.controller, controller.sizes.n_u, controller.input_limits);
  const std::optional<AfterRun> found = look(options, controller, after);
  Table table;
  Remarks remarks;
  if (found)
    for (const auto& [name, value] : after_rows(*found)) {
      table.add(name, value);
      remarks.push_back(name + ": " + value);
    }
  if (options.single)
    for (const std::string& line : rounding_remarks(options, controller)) {
      table.add("single precision", line);
      if (line != single_bound(controller)) remarks.push_back("single precision: " + line);
    }
  const std::string warning = found ? after_warning(*found) : "";
  if (!warning.empty()) remarks.push_back("warning: " + warning);
  if (options.steps)
    controller = at_place(options.controller,
                          [&] { return extend_controller(controller, *options.steps, after); });
  for (const fs::path& path : write(controller, options, remarks))
    print(visible_line(path.string()) + "\n");
  if (found || options.single) print(table.text());
  if (!warning.empty()) warn(warning);
}

Action setup_export(CLI::App& command) {
  auto options = std::make_shared<ExportOptions>();
  add_argument(command, "CONTROLLER", options->controller, "controller file (.json, .npz or .mat)");
  command.add_option("--format", options->format, format_list())->required()->type_name("F");
  add_path(command, "--out", options->out, "file to write; for c a folder, created if missing")
      ->required()
      ->type_name("PATH");
  add_path(command, "--name", options->name,
           "format c: name of files and symbols (default: controller)")
      ->type_name("NAME");
  add_path(command, "--certificate", options->certificate,
           "format c: a certificate to quote in the header's comment");
  add_path(command, "--watch", options->watch,
           "format c: also a monitor of the mean cost that this certificate claims")
      ->type_name("CERT");
  command
      .add_option_function<std::string>(
          "--alpha",
          [options](const std::string& text) { options->alpha = positive_number("--alpha", text); },
          "with --watch: probability of a false alarm, ever (default: 0.01)")
      ->type_name("A");
  command
      .add_option_function<std::string>(
          "--degrees",
          [options](const std::string& text) {
            options->degrees = positive_number("--degrees", text);
          },
          "with --watch: a linear Gaussian loop, as `watch --degrees` assumes")
      ->type_name("X");
  add_clip(command, options->clip);
  command.add_flag("--float", options->single,
                   "format c: single precision, with the effect of rounding in the header");
  add_after(command, options->after);
  add_count(command, "--steps", options->steps,
            "formats other than c: write the controller over this many steps");
  add_path(command, "--problem", options->problem,
           "with --after or --float: the problem file of the plant, for the behaviour after the "
           "horizon and the effect of rounding");
  add_file_options(command, options->data);
  set_manual(
      command,
      {.synopsis =
           {"CONTROLLER --format~json|npy|npz|mat --out~PATH [--steps~N --after~WHAT "
            "[--problem~FILE]]",
            "CONTROLLER --format~c --out~PATH [--name~NAME] [--certificate~FILE] "
            "[--clip [--limits~LOW,HIGH]] [--float] [--watch~CERT [--alpha~A] [--degrees~X]] "
            "[--after~WHAT [--problem~FILE [--data~FILE... | --rollouts~FILE...]]]"},
       .description =
           {"With --after restart or hold and a problem (--problem, or that of --certificate) the "
            "spectral radius of the loop and its average cost per step are printed, and written "
            "into the header of C code: under the law that the problem states, else under the "
            "covariance of the data, else under white noise of covariance I. A warning is given "
            "when the loop is unstable or costs much more than the optimum.",
            "With --clip the C code saturates every input to its limits after it is computed, and "
            "counts: NAME_clipped(memory, i) is the number of steps at which input i was clipped. "
            "A certificate is about the controller without clipping; limits.json, beside the "
            "certificate or else beside CONTROLLER, is quoted in the header.",
            "With --watch NAME_watch.c, NAME_watch.h and a self-test are written beside the "
            "controller: NAME_watch_update(memory, cost) takes the cost of an episode and returns "
            "1 "
            "once the costs contradict the certificate, as `loopcert watch` does, in constant "
            "memory and time.",
            "With --float the C code computes in single precision. The header and the terminal say "
            "by "
            "how much rounding can change an input of one step (a rigorous bound), and with a "
            "problem also by how much it changed inputs and cost in closed loop, on the "
            "trajectories "
            "given or on 400 of the problem's law (measured).",
            "Writes a controller in another format and prints the names of the files. The formats "
            "are:"},
       .formats = {{"json", "the controller file itself, checked and rewritten"},
                   {"npy",
                    "K in PATH; k next to it, with -k before the extension (gain.npy, "
                    "gain-k.npy)"},
                   {"npz",
                    "arrays K, k, horizon, n_x, n_u, learned_from, provenance, and where there "
                    "are limits of inputs input_limits and input_limited"},
                   {"mat", "the same for MATLAB"},
                   {"c",
                    "C99 without allocation: NAME.h, NAME.c and a self-test NAME_test.c in the "
                    "folder PATH. The gains are exact (hexadecimal floating point)"}},
       .files = {{"CONTROLLER",
                  "read: controller.json of `learn --out`, or an exported .npz or .mat"}},
       .statuses = {{"1", ""}},
       .examples = {{"loopcert learn examples/double-integrator/problem.toml --sample 40 --out out",
                     "C code that quotes its certificate:"},
                    {"loopcert export out/controller.json --format c --out c "
                     "--certificate out/certificate.json",
                     ""},
                    {"loopcert export out/controller.json --format c --out clipped --clip "
                     "--limits -1.5,1.5",
                     "The same for an actuator that can do so much and no more:"},
                    {"loopcert export out/controller.json --format c --out watched "
                     "--watch out/certificate.json",
                     "With a monitor of the certificate:"},
                    {"loopcert export out/controller.json --format c --out single --float "
                     "--problem examples/double-integrator/problem.toml",
                     "For a small processor:"},
                    {"loopcert export out/controller.json --format npz --out gain.npz",
                     "For NumPy:"}},
       .see_also = {"learn", "watch", "docs/problem-file.md"},
       .choices = {{"--format", format_list()}, {"--after", join(after_names(), " | ")}}});
  return [options] { run_export(*options); };
}

}  // namespace

Command export_command() {
  return {"export", "write a controller in another format", setup_export};
}

}  // namespace loopcert::app
