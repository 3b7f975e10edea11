#include "cli/after_option.hpp"

#include <algorithm>

#include "cli/failure.hpp"
#include "core/text.hpp"

namespace loopcert::app {

CLI::Option* add_after(CLI::App& command, std::string& after) {
  return command
      .add_option("--after", after,
                  "after the last step of the horizon: " + join(after_names(), " | ") +
                      " (default: refuse)")
      ->type_name("WHAT");
}

AfterHorizon after_of(const std::string& word) {
  const auto& names = after_names();
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end())
    throw UsageError("--after: found '" + word + "', expected " + join(names, " | ") +
                     did_you_mean(word, names));
  return static_cast<AfterHorizon>(found - names.begin());
}

}  // namespace loopcert::app
