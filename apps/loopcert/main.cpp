// loopcert: the table of subcommands, and the way from a command line to one of them.
#include <algorithm>
#include <memory>
#include <string_view>

#include "commands.hpp"
#include "failure.hpp"
#include "help.hpp"
#include "loopcert/core/text.hpp"
#include "loopcert/core/version.hpp"
#include "output.hpp"

namespace loopcert::app {
namespace {

struct Command {
  std::string name;
  std::string summary;
  Setup setup;
};

const std::vector<Command> commands = {
    {"learn", "learn a controller from recorded disturbances", setup_learn},
    {"certify", "certify a given controller on fresh data", setup_certify},
    {"verify", "evaluate a certificate again from its inputs and the data", setup_verify},
    {"import", "read logs, reconstruct the disturbances, write them", setup_import},
    {"inspect", "look at data against the assumptions of a problem", setup_inspect},
    {"plan", "estimate how many trajectories a certificate needs", setup_plan},
    {"simulate", "run a controller in closed loop and report its cost", setup_simulate},
    {"sweep", "run many experiments, on threads, processes or machines", setup_sweep},
    {"reproduce", "the paper's tables, beside the paper's numbers", setup_reproduce},
    {"coverage", "count how often certificates are wrong", setup_coverage},
    {"sample", "draw disturbance trajectories from the problem's law", setup_sample},
    {"report", "write the page of a run or of a sweep", setup_report},
    {"export", "write a controller in another format", setup_export},
};

constexpr const char* description =
    "Recorded disturbances to a linear controller.\n"
    "`loopcert COMMAND --help` explains one command.";

constexpr const char* statuses =
    "Exit status: 0 done; 1 the numerics failed, or a sweep was interrupted, or coverage found\n"
    "a surprise; 2 bad usage; 3 bad input; 4 verify rejects; 6 a file could not be written. With\n"
    "--json standard output holds one JSON object, also after a failure.";

// What the option that nobody expected was probably meant to be.
std::string suggestion(const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands())
    for (const CLI::Option* option : command->get_options()) known.push_back(option->get_name());
  const std::vector<std::string> unexpected = app.remaining(true);
  return unexpected.empty() ? "" : did_you_mean(unexpected.front(), known);
}

void check_command_name(int argc, const char* const* argv) {
  if (argc < 2) throw UsageError("found no command, expected one (see loopcert --help)");
  const std::string found = argv[1];
  if (found.starts_with("-")) return;
  std::vector<std::string> known;
  for (const Command& command : commands) known.push_back(command.name);
  if (std::find(known.begin(), known.end(), found) == known.end())
    throw UsageError("found '" + found + "', expected " + join(known, " | ") +
                     did_you_mean(found, known));
}

int parse_and_run(int argc, const char* const* argv, bool json) {
  check_command_name(argc, argv);
  CLI::App app(description, "loopcert");
  app.set_version_flag("--version", std::string("loopcert ") + version,
                       "print the version and exit");
  app.require_subcommand(1);
  app.footer(statuses);
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "print this help and exit");
  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Command& command : commands) {
    CLI::App* added = app.add_subcommand(command.name, command.summary)->group("Commands");
    actions.emplace_back(added, command.setup(*added));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& version_text) {
    print(std::string(version_text.what()) + "\n");
    return exit_done;
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return exit_done;
  } catch (const CLI::ExtrasError& error) {
    return report_failure(exit_usage, error.what() + suggestion(app), json);
  } catch (const CLI::ParseError& error) {
    return report_failure(exit_usage, error.what(), json);
  }
  for (const auto& [command, action] : actions)
    if (command->parsed()) action();
  return exit_done;
}

}  // namespace
}  // namespace loopcert::app

int main(int argc, char** argv) {
  // A command line that cannot be parsed may still have asked for JSON.
  const bool json = std::any_of(
      argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
  try {
    return loopcert::app::parse_and_run(argc, argv, json);
  } catch (...) {
    return loopcert::app::report_current_exception(json);
  }
}
