#include "cli/override_options.hpp"

#include "cli/failure.hpp"
#include "learning/learn_method.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::app {

CLI::Option* add_method(CLI::App& command, std::optional<std::string>& method) {
  return command
      .add_option("--method", method,
                  learn_method_list() + " (default: the problem's learning.method)")
      ->type_name("M");
}

CLI::Option* add_certificate_kind(CLI::App& command, std::optional<std::string>& kind,
                                  const std::string& help) {
  return command.add_option("--certificate", kind, help)->type_name("KIND");
}

void override_by_options(Problem& problem, const LearningOverrides& overrides) {
  try {
    override_learning(problem, overrides, "--");
  } catch (const InputError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace loopcert::app
