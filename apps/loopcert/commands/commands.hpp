// The subcommands. Adding one is one file with a maker, and one line in commands.inc.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace loopcert::app {

// Adds the options of a subcommand to `command`. What it returns is called once they are parsed;
// failures leave it as exceptions (failure.hpp says which becomes which exit status).
using Action = std::function<void()>;
using Setup = Action (*)(CLI::App& command);

// The groups of the list of commands.
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

#define ADD(maker) Command maker();
#include "commands/commands.inc"

}  // namespace loopcert::app
