// Bounded disturbances ||w|| <= W, any law: costs in [0, b], for which a coin is the worst case.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinds/fixed_list.hpp"
#include "loopcert/certificate/bernoulli.hpp"
#include "loopcert/certificate/largest_cost.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/text.hpp"

namespace loopcert {
namespace {

std::optional<Missing> bounded_needs(const Premises& premises) {
  const std::string kind = "hold-out-bounded";
  return first_missing({missing_radius(premises, kind), missing_data(premises, kind)});
}

// b sup{ q : kl(Lhat/b, q) <= log(1/delta)/n }
Certificate bounded(const FixedSetting& setting) {
  require_granted(bounded_needs(premises_of(setting)));
  const double W = *setting.assumptions.radius;
  if (setting.evidence.largest_norm > W)
    throw_input_error("disturbance.radius", number_text(W),
                      fmt::format("at least {}: a trajectory in the data is that long",
                                  setting.evidence.largest_norm));
  const WeightedResponse y =
      weighted_response(setting.system.cost, setting.system.sizes(), setting.response);
  const double b = largest_cost(y, W);
  const double empirical = empirical_cost(setting);
  const double rate =
      std::log(1 / setting.delta.at("chernoff")) / static_cast<double>(setting.evidence.n);
  const double value = b > 0 ? b * kl_upper(std::clamp(empirical / b, 0.0, 1.0), rate) : 0;
  Certificate c =
      fixed_certificate(setting, "hold-out-bounded", {chernoff_event(setting)}, {"any-law"});
  c.assumptions.push_back(radius_bound(W));
  finish(c, empirical, std::max(0.0, value - empirical));
  return c;
}

}  // namespace

FixedKind hold_out_bounded_kind() {
  return {"hold-out-bounded",
          "any law with ||w|| <= radius (Chernoff-Hoeffding)",
          {"chernoff"},
          bounded_needs,
          bounded};
}

}  // namespace loopcert
