// Gaussian, zero mean, nothing known of the scale: L <= n Lhat / chi2_{n,delta}, for a single
// chi-square is the worst case below the mean.
#include "certificate/premises.hpp"
#include "certificate/tails.hpp"
#include "kinds/fixed_list.hpp"
#include "tails/tail_list.hpp"

namespace loopcert {
namespace {

const std::string name = "hold-out-chi-square";

std::optional<Missing> needs(const Premises& premises) {
  return first_missing({missing_gaussian(premises, name), missing_zero_mean(premises, name),
                        missing_no_offset(premises, name), missing_data(premises, name)});
}

std::vector<Statement> more(const Assumptions&) { return {{"zero-mean"}}; }

double margin(const FixedSetting& setting, double empirical, double delta) {
  return empirical * (1 / centred_factor(setting.evidence.n, delta) - 1);
}

double multiple(const Premises& premises) {
  return 1 / centred_factor(premises.n, premises.delta.value());
}

}  // namespace

Tail chi_square_tail() {
  return {name,
          "Gaussian, zero mean, no offset, unknown scale, exact quantile",
          {"quantile", 0, {"quantile"}},
          needs,
          {"gaussian"},
          more,
          margin,
          multiple,
          /*dominated_by=*/"hold-out-frobenius"};
}

}  // namespace loopcert
