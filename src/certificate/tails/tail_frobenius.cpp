// Gaussian, zero mean, nothing known of the scale: L < Lhat + x ||M Sigma_hat M'||_F, which is
// Lhat at most and much less where the cost is spread over many directions. A single chi-square is
// the worst case (docs/theory/frobenius.md).
#include <cmath>

#include "certificate/premises.hpp"
#include "certificate/tails.hpp"
#include "kinds/fixed_list.hpp"
#include "risk/risk.hpp"
#include "tails/tail_list.hpp"

namespace loopcert {
namespace {

const std::string name = "hold-out-frobenius";

std::optional<Missing> needs(const Premises& premises) {
  return first_missing({missing_gaussian(premises, name), missing_zero_mean(premises, name),
                        missing_no_offset(premises, name), missing_data(premises, name)});
}

std::vector<Statement> more(const Assumptions&) { return {{"zero-mean"}}; }

double margin(const FixedSetting& setting, double, double delta) {
  const double squares =
      response_sensitivity(setting.system, setting.response, setting.evidence.moments.second);
  return frobenius_factor(setting.evidence.n, delta) * std::sqrt(squares);
}

double multiple(const Premises& premises) {
  return 1 + frobenius_factor(premises.n, premises.delta.value());
}

}  // namespace

Tail frobenius_tail() {
  return {
      name,
      "Gaussian, zero mean, no offset, unknown scale, exact quantile, by the spread of the cost",
      {"spread", 0, {"spread"}},
      needs,
      {"gaussian"},
      more,
      margin,
      multiple,
      /*dominated_by=*/"",
      /*on_mean=*/false};
}

}  // namespace loopcert
