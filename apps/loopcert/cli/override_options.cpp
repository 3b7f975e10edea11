#include "cli/override_options.hpp"

#include "cli/failure.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::app {

void override_by_options(Problem& problem, const LearningOverrides& overrides) {
  try {
    override_learning(problem, overrides, "--");
  } catch (const InputError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace loopcert::app
