// loopcert: the table of subcommands, and the way from a command line to one of them.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string_view>

#include "cli/failure.hpp"
#include "cli/manual.hpp"
#include "cli/output.hpp"
#include "cli/suggestion.hpp"
#include "commands/commands.hpp"
#include "core/text.hpp"
#include "loopcert/core/version.hpp"

namespace loopcert::app {
namespace {

constexpr const char* about_work = "From data to a certified controller";
constexpr const char* about_experiments = "Experiments";
constexpr const char* about_program = "The program itself";

struct Command {
  std::string name;
  std::string summary;
  Setup setup;
  std::string group = about_work;
  std::string formerly = "";  // a name that is still understood
};

// Made when it is asked for, where somebody can say that memory ran out.
const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
      {"import", "read logs, reconstruct the disturbances, write them", setup_import},
      {"inspect", "test the assumptions of a problem on data", setup_inspect},
      {"plan", "estimate how many trajectories a certificate needs", setup_plan},
      {"learn", "learn a controller from recorded disturbances", setup_learn},
      {"certify", "certify a given controller on fresh data", setup_certify},
      {"recheck", "recompute a certificate from its inputs and the data", setup_recheck, about_work,
       "verify"},
      {"simulate", "run a controller in closed loop and report its cost", setup_simulate},
      {"export", "write a controller in another format", setup_export},
      {"sample", "draw disturbance trajectories from the problem's law", setup_sample,
       about_experiments},
      {"sweep", "run many experiments, on threads, processes or machines", setup_sweep,
       about_experiments},
      {"reproduce", "recompute the paper's tables, next to the published numbers", setup_reproduce,
       about_experiments},
      {"coverage", "count how often certificates are violated", setup_coverage, about_experiments},
      {"report", "write the page of a run or of a sweep", setup_report, about_experiments},
      {"doctor", "check this program and this machine", setup_doctor, about_program},
      {"completion", "print a script that completes command lines in a shell", setup_completion,
       about_program},
      {"help", "print the manual of a command", setup_help, about_program},
  };
  return table;
}

constexpr const char* summary = "recorded disturbances to a certified linear controller";

void check_command_name(int argc, const char* const* argv) {
  if (argc < 2) throw UsageError("no command given (see loopcert --help)");
  const std::string found = argv[1];
  if (found.starts_with("-")) return;
  std::vector<std::string> known;
  for (const Command& command : commands()) {
    known.push_back(command.name);
    if (command.formerly == found) return;
  }
  if (std::find(known.begin(), known.end(), found) == known.end())
    throw UsageError("found '" + found + "', expected " + join(known, " | ") +
                     did_you_mean(found, known));
}

int parse_and_run(int argc, const char* const* argv, bool json) {
  check_command_name(argc, argv);
  CLI::App app(summary, "loopcert");
  app.set_version_flag("--version", std::string("loopcert ") + version,
                       "print the version and exit");
  app.require_subcommand(1);
  set_manual(app, program_manual());
  app.set_help_flag("-h,--help", "print this help and exit");
  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Command& command : commands()) {
    CLI::App* added = app.add_subcommand(command.name, command.summary)->group(command.group);
    if (!command.formerly.empty()) added->alias(command.formerly);
    set_manual(*added, {});  // else it inherits the program's
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
  } catch (const CLI::ParseError& error) {
    return report_failure(exit_usage, parse_message(app, error), json);
  }
  for (const auto& [command, action] : actions)
    if (command->parsed()) action();
  return exit_done;
}

// A standard stream that the caller has closed leaves its number to the next file that is opened,
// and messages would go there. Reading gives nothing, writing fails.
void occupy_standard_streams() {
  for (int fd = ::open("/dev/null", O_RDONLY); fd >= 0; fd = ::open("/dev/null", O_RDONLY))
    if (fd > STDERR_FILENO) {
      ::close(fd);
      return;
    }
}

}  // namespace
}  // namespace loopcert::app

int main(int argc, char** argv) {
  loopcert::app::occupy_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit (ulimit -f) is a failed write
  // A command line that cannot be parsed may still have asked for JSON.
  const bool json = std::any_of(
      argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
  try {
    return loopcert::app::parse_and_run(argc, argv, json);
  } catch (...) {
    return loopcert::app::report_current_exception(json);
  }
}
