// Gaussian, any mean, nothing known of the scale: L <= Lhat/x, by an exponential moment.
#include "certificate/premises.hpp"
#include "certificate/tails.hpp"
#include "kinds/fixed_list.hpp"
#include "tails/tail_list.hpp"

namespace loopcert {
namespace {

const std::string name = "hold-out-scale-free";

std::optional<Missing> needs(const Premises& premises) {
  return first_missing({missing_gaussian(premises, name), missing_data(premises, name)});
}

double margin(const FixedSetting& setting, double empirical, double delta) {
  return empirical * (1 / scale_free_factor(setting.evidence.n, delta) - 1);
}

double multiple(const Premises& premises) {
  return 1 / scale_free_factor(premises.n, premises.delta.value());
}

}  // namespace

Tail scale_free_tail() {
  return {name,
          "Gaussian, any mean, unknown scale",
          {"chernoff", 0, {"chernoff"}},
          needs,
          {"gaussian"},
          nullptr,
          margin,
          multiple,
          /*dominated_by=*/"hold-out-chi-square"};
}

}  // namespace loopcert
