// loopcert: the way from a command line to a subcommand.
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

// Made when it is asked for, where somebody can say that memory ran out.
const std::vector<Command>& commands() {
  static const std::vector<Command> table = {
#define ADD(maker) maker(),
#include "commands/commands.inc"
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
