// loopcert export: a controller in another format. Adding one is one line in the table.
#include <memory>

#include "commands.hpp"
#include "failure.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/text.hpp"
#include "loopcert/data/npy.hpp"
#include "options.hpp"
#include "output.hpp"

namespace loopcert::app {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  std::string controller;
  std::string format;
  std::string out;
};

// Writes the controller; returns the files written.
using Export = std::vector<fs::path> (*)(const Controller& controller, const fs::path& path);

std::vector<fs::path> export_json(const Controller& controller, const fs::path& path) {
  write_controller(path, controller);
  return {path};
}

// gain.npy -> gain-k.npy
fs::path offset_path(const fs::path& path) {
  fs::path offset = path;
  return offset.replace_filename(path.stem().string() + "-k" + path.extension().string());
}

std::vector<fs::path> export_npy(const Controller& controller, const fs::path& path) {
  if (path.extension() != ".npy")
    throw UsageError("--out: found '" + path.string() + "', expected a name that ends in .npy");
  Array k;
  k.shape = {controller.k.size()};
  k.values.assign(controller.k.begin(), controller.k.end());
  write_together(
      {{path, format_npy(array_from_matrix(controller.K))}, {offset_path(path), format_npy(k)}});
  return {path, offset_path(path)};
}

struct Format {
  std::string name;
  Export write;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> table = {
      {"json", export_json},
      {"npy", export_npy},
  };
  return table;
}

std::string format_list() {
  std::vector<std::string> names;
  for (const Format& format : formats()) names.push_back(format.name);
  return join(names, " | ");
}

Export find_format(const std::string& name) {
  for (const Format& format : formats())
    if (format.name == name) return format.write;
  throw UsageError("--format: found '" + name + "', expected " + format_list());
}

void run_export(const ExportOptions& options) {
  const Export write = find_format(options.format);
  const Controller controller = read_controller(options.controller);
  for (const fs::path& path : write(controller, options.out)) print(path.string() + "\n");
}

}  // namespace

Action setup_export(CLI::App& command) {
  auto options = std::make_shared<ExportOptions>();
  add_path(command, "CONTROLLER", options->controller, "controller.json of a learned controller")
      ->required()
      ->type_name("");
  command.add_option("--format", options->format, format_list())->required()->type_name("F");
  add_path(command, "--out", options->out, "file to write")->required()->type_name("PATH");
  command.footer(
      "json: the controller file itself, checked and rewritten.\n"
      "npy:  PATH holds K; k goes beside it, with -k before the extension (gain.npy, gain-k.npy).");
  return [options] { run_export(*options); };
}

}  // namespace loopcert::app
