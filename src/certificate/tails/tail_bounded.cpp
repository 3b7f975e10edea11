// Bounded disturbances ||w|| <= W, any law: costs in [0, b], for which a coin is the worst case.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "certificate/bernoulli.hpp"
#include "certificate/largest_cost.hpp"
#include "certificate/premises.hpp"
#include "core/text.hpp"
#include "kinds/fixed_list.hpp"
#include "loopcert/core/error.hpp"
#include "tails/tail_list.hpp"

namespace loopcert {
namespace {

const std::string name = "hold-out-bounded";

std::optional<Missing> needs(const Premises& premises) {
  return first_missing({missing_radius(premises, name), missing_data(premises, name)});
}

std::vector<Statement> more(const Assumptions& assumptions) {
  return {radius_bound(*assumptions.radius)};
}

// b sup{ q : kl(Lhat/b, q) <= log(1/delta)/n }
double margin(const FixedSetting& setting, double empirical, double delta) {
  const double W = *setting.assumptions.radius;
  if (setting.evidence.largest_norm > W)
    throw_input_error("disturbance.radius", number_text(W),
                      fmt::format("at least {}: a trajectory in the data has this norm",
                                  setting.evidence.largest_norm));
  const WeightedResponse y =
      weighted_response(setting.system.cost, setting.system.sizes(), setting.response);
  const double b = largest_cost(y, W);
  const double rate = std::log(1 / delta) / static_cast<double>(setting.evidence.n);
  const double value = b > 0 ? b * kl_upper(std::clamp(empirical / b, 0.0, 1.0), rate) : 0;
  return std::max(0.0, value - empirical);
}

}  // namespace

Tail bounded_tail() {
  return {name,
          "any law with ||w|| <= radius (Chernoff-Hoeffding)",
          {"chernoff", 0, {"chernoff"}},
          needs,
          {"any-law"},
          more,
          margin};
}

}  // namespace loopcert
