// The subcommands. Adding one is one file with a setup function, and one line in the table in
// main.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace loopcert::app {

// Adds the options of a subcommand to `command`. What it returns is called once they are parsed;
// failures leave it as exceptions (failure.hpp says which becomes which exit status).
using Action = std::function<void()>;
using Setup = Action (*)(CLI::App& command);

Action setup_learn(CLI::App& command);
Action setup_simulate(CLI::App& command);
Action setup_sample(CLI::App& command);
Action setup_export(CLI::App& command);
Action setup_certify(CLI::App& command);
Action setup_recheck(CLI::App& command);
Action setup_import(CLI::App& command);
Action setup_inspect(CLI::App& command);
Action setup_plan(CLI::App& command);
Action setup_report(CLI::App& command);
Action setup_sweep(CLI::App& command);
Action setup_reproduce(CLI::App& command);
Action setup_coverage(CLI::App& command);
Action setup_doctor(CLI::App& command);
Action setup_help(CLI::App& command);
Action setup_completion(CLI::App& command);

}  // namespace loopcert::app
