// loopcert export: a controller in another format. Adding one is one line in the table.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "failure.hpp"
#include "loopcert/controller/c_code.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/text.hpp"
#include "loopcert/data/npy.hpp"
#include "loopcert/data/npz.hpp"
#include "loopcert/experiment/certificate_files.hpp"
#include "manual.hpp"
#include "options.hpp"
#include "output.hpp"

namespace loopcert::app {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  std::string controller;
  std::string format;
  std::string out;
  std::string name;         // format c
  std::string certificate;  // format c
};

// Writes the controller; returns the files written.
using Export = std::vector<fs::path> (*)(const Controller& controller,
                                         const ExportOptions& options);

std::vector<fs::path> export_json(const Controller& controller, const ExportOptions& options) {
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

std::vector<fs::path> export_npy(const Controller& controller, const ExportOptions& options) {
  check_extension(options, ".npy");
  const fs::path path = options.out;
  Array k;
  k.shape = {controller.k.size()};
  k.values.assign(controller.k.begin(), controller.k.end());
  write_together(
      {{path, format_npy(array_from_matrix(controller.K))}, {offset_path(path), format_npy(k)}});
  return {path, offset_path(path)};
}

std::vector<fs::path> export_npz(const Controller& controller, const ExportOptions& options) {
  check_extension(options, ".npz");
  write_npz(options.out,
            {{"K", array_from_matrix(controller.K)}, {"k", array_from_matrix(controller.k)}});
  return {options.out};
}

std::vector<fs::path> export_c(const Controller& controller, const ExportOptions& options) {
  std::vector<std::string> remarks;
  if (!options.certificate.empty()) {
    const Certificate c = read_certificate(options.certificate);
    remarks.push_back(fmt::format("certificate: {} at confidence {:.6g} ({}{}, {})",
                                  cost_text(c.value), c.confidence, c.kind,
                                  c.chosen.empty() ? "" : ": " + c.chosen, c.subject));
    for (const std::string& sentence : c.assumptions) remarks.push_back("assuming: " + sentence);
  }
  OutputFolder folder(options.out);
  std::vector<fs::path> written;
  for (CFile& file :
       controller_to_c(controller, options.name.empty() ? "controller" : options.name, remarks)) {
    written.push_back(folder.path(file.name));
    folder.add(file.name, std::move(file.content));
  }
  folder.commit();
  return written;
}

struct Format {
  std::string name;
  Export write;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> table = {
      {"json", export_json},
      {"npy", export_npy},
      {"npz", export_npz},
      {"c", export_c},
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

void run_export(const ExportOptions& options) {
  const Export write = find_format(options.format);
  if (options.format != "c" && !(options.name.empty() && options.certificate.empty()))
    throw UsageError("--name, --certificate: only format c has them");
  const Controller controller = read_controller(options.controller);
  for (const fs::path& path : write(controller, options)) print(path.string() + "\n");
}

}  // namespace

Action setup_export(CLI::App& command) {
  auto options = std::make_shared<ExportOptions>();
  add_path(command, "CONTROLLER", options->controller, "controller.json of a learned controller")
      ->required()
      ->type_name("");
  command.add_option("--format", options->format, format_list())->required()->type_name("F");
  add_path(command, "--out", options->out, "file to write; for c a folder, made if missing")
      ->required()
      ->type_name("PATH");
  add_path(command, "--name", options->name,
           "format c: name of files and symbols (default: controller)")
      ->type_name("NAME");
  add_path(command, "--certificate", options->certificate,
           "format c: a certificate to quote in the header's comment");
  set_manual(
      command,
      {.synopsis = {"CONTROLLER --format~json|npy|npz --out~PATH",
                    "CONTROLLER --format~c --out~PATH [--name~NAME] [--certificate~FILE]"},
       .description = {"Writes a controller in another format and prints the names of the files. "
                       "The formats are:"},
       .formats = {{"json", "the controller file itself, checked and rewritten"},
                   {"npy",
                    "PATH holds K; k goes beside it, with -k before the extension (gain.npy, "
                    "gain-k.npy)"},
                   {"npz", "arrays K and k"},
                   {"c",
                    "C99 without allocation: NAME.h, NAME.c and a self-test NAME_test.c in the "
                    "folder PATH. The gains are exact (hexadecimal floating point)"}},
       .files = {{"CONTROLLER", "read: controller.json of `learn --out`"}},
       .statuses = {{"1", ""}},
       .examples = {{"loopcert learn examples/double-integrator/problem.toml --sample 40 --out out",
                     "C code that quotes its certificate:"},
                    {"loopcert export out/controller.json --format c --out c "
                     "--certificate out/certificate.json",
                     ""},
                    {"loopcert export out/controller.json --format npz --out gain.npz",
                     "For NumPy:"}},
       .see_also = {"learn", "docs/problem-file.md"},
       .choices = {{"--format", format_list()}}});
  return [options] { run_export(*options); };
}

}  // namespace loopcert::app
