#include "cli/clip_option.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/failure.hpp"
#include "cli/output.hpp"
#include "controller/input_limits.hpp"
#include "core/number_from.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/rounded.hpp"
#include "loopcert/delivery/words.hpp"
#include "loopcert/verification/recheck.hpp"

namespace loopcert::app {
namespace {

Matrix pair_of(const std::string& text) {
  const size_t comma = std::min(text.find(','), text.size());
  const auto low = number_from<double>(text.substr(0, comma));
  const auto high = number_from<double>(comma < text.size() ? text.substr(comma + 1) : "");
  if (!low || !high || !(*low < *high) || !std::isfinite(*low) || !std::isfinite(*high))
    throw UsageError("--limits: found '" + text +
                     "', expected LOW,HIGH, two numbers, the lower one first");
  return Matrix{{*low, *high}};
}

std::string limits_sentence(const Certificate& c) {
  const bool each = c.functional.id == "violation-each";
  if (!each && c.functional.id != "violation")
    throw_input_error("functional", "'" + one_line(c.functional.id) + "'",
                      "violation or violation-each");
  if (c.kind == "limits-robust" || c.chosen == "limits-robust")
    return fmt::format("limits: {} by a disturbance of the stated set ({})",
                       c.value > 0 ? "not shown to be never violated" : "never violated", c.kind);
  return fmt::format("limits: {} with probability at most {}, confidence {} ({}{})",
                     each ? "each violated at each step" : "violated in an episode",
                     bound_text(c.value), confidence_text(c.confidence), c.kind,
                     c.chosen.empty() ? "" : ": " + c.chosen);
}

}  // namespace

void add_clip(CLI::App& command, ClipOptions& options) {
  command.add_flag("--clip", options.clip,
                   "format c: saturate every input to its limits, and count");
  command
      .add_option("--limits", options.limits,
                  "with --clip: limits of all inputs, instead of those in CONTROLLER")
      ->type_name("LOW,HIGH");
}

void set_input_limits(const ClipOptions& options, const std::string& controller, Index n_u,
                      Matrix& input_limits) {
  if (!options.clip) return;
  if (!options.limits.empty()) input_limits = pair_of(options.limits).replicate(n_u, 1);
  if (!has_input_limits(input_limits))
    throw_input_error(controller, "no input_limits",
                      "some to clip to (limits.u of the problem), or --limits LOW,HIGH");
}

void add_limits_remarks(const std::filesystem::path& limits, std::vector<std::string>& remarks,
                        const std::function<void(const std::filesystem::path&)>& check) {
  std::error_code unreadable;
  if (limits.empty() || !std::filesystem::exists(limits, unreadable)) return;
  try {
    const Certificate c = read_certificate(limits);
    std::vector<std::string> lines = {
        at_place(limits.string(), [&] { return limits_sentence(c); })};
    check(limits);
    for (const std::string& sentence : assumption_words(c.assumptions))
      lines.push_back("limits assuming: " + sentence);
    remarks.insert(remarks.end(), lines.begin(), lines.end());
  } catch (const InputError& error) {
    warn(std::string("not quoted in the header: ") + error.what());
  }
}

}  // namespace loopcert::app
