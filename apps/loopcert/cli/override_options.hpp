// --method, --certificate and --gamma in place of what the problem file says.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "workflow/overrides.hpp"

namespace loopcert::app {

CLI::Option* add_method(CLI::App& command, std::optional<std::string>& method);
CLI::Option* add_certificate_kind(CLI::App& command, std::optional<std::string>& kind,
                                  const std::string& help);

// Throws UsageError.
void override_by_options(Problem& problem, const LearningOverrides& overrides);

}  // namespace loopcert::app
