// Commands and options as pages and completions list them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace loopcert::app {

// "-h, --help" and the like, with what the option takes.
std::string option_term(const CLI::Option& option);

// In the order in which they are listed, by group.
struct CommandGroup {
  std::string title;
  std::vector<const CLI::App*> commands;
};
std::vector<CommandGroup> command_groups(const CLI::App& program);

struct OptionGroup {
  std::string title;
  std::vector<const CLI::Option*> options;
};
std::vector<OptionGroup> option_groups(const CLI::App& command);

}  // namespace loopcert::app
