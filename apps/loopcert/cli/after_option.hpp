// --after: what a controller does after the last step of its horizon.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "loopcert/controller/after.hpp"

namespace loopcert::app {

CLI::Option* add_after(CLI::App& command, std::string& after);

// Throws UsageError on a word that is none of after_names().
AfterHorizon after_of(const std::string& word);

}  // namespace loopcert::app
