#include "loopcert/controller/after.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

const std::vector<std::string>& after_names() {
  static const std::vector<std::string> names = {"refuse", "restart", "hold"};
  return names;
}

AfterHorizon after_from_name(const std::string& name) {
  const std::vector<std::string>& names = after_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw_input_error("after", "'" + name + "'", join(names, " | ") + did_you_mean(name, names));
  return static_cast<AfterHorizon>(found - names.begin());
}

Controller extend_controller(const Controller& controller, Index steps, AfterHorizon after) {
  const Index n_y = controller.sizes.n_y, n_u = controller.sizes.n_u, T = controller.sizes.T;
  check_at_least("steps", steps, 1);
  if (steps > T && after == AfterHorizon::refuse)
    throw_input_error("steps", std::to_string(steps),
                      fmt::format("at most {}, the controller's horizon, or a choice for the steps "
                                  "after it: restart or hold",
                                  T));
  Controller longer;
  longer.sizes = controller.sizes;
  longer.sizes.T = steps;
  longer.provenance = controller.provenance;
  longer.learned_from = controller.learned_from;
  longer.recordings = controller.recordings;
  longer.input_limits = controller.input_limits;
  const double rows = static_cast<double>(steps) * static_cast<double>(n_u);
  const double cols = (static_cast<double>(steps) + 1) * static_cast<double>(n_y);
  check_memory(fmt::format("a controller of {} steps", steps), 8 * rows * cols, memory_limit());
  longer.K = Matrix::Zero(steps * n_u, (steps + 1) * n_y);
  longer.k = Vector::Zero(steps * n_u);
  for (Index t = 0; t < steps; ++t) {
    // The row of K to use, and the first state that it sees.
    const Index row = after == AfterHorizon::restart ? t % T : std::min(t, T - 1);
    const Index seen = (row + 1) * n_y;
    longer.K.block(t * n_u, (t - row) * n_y, n_u, seen) =
        controller.K.block(row * n_u, 0, n_u, seen);
    longer.k.segment(t * n_u, n_u) = controller.k.segment(row * n_u, n_u);
  }
  return longer;
}

}  // namespace loopcert
