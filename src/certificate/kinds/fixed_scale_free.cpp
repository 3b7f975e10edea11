// Gaussian, nothing known of the scale: L <= Lhat/x. Any mean by an exponential moment; zero mean
// by the quantile of the chi-square, which is the worst case below the mean.
#include "kinds/fixed_list.hpp"
#include "loopcert/certificate/tails.hpp"

namespace loopcert {
namespace {

std::optional<Missing> scale_free_needs(const Premises& premises) {
  const std::string kind = "hold-out-scale-free";
  return first_missing({missing_gaussian(premises, kind), missing_data(premises, kind)});
}

double scale_free_multiple(const Premises& premises) {
  return 1 / scale_free_factor(premises.n, premises.delta.value());
}

Certificate scale_free(const FixedSetting& setting) {
  require_granted(scale_free_needs(premises_of(setting)));
  const double x = scale_free_factor(setting.evidence.n, setting.delta.at("chernoff"));
  const double empirical = empirical_cost(setting);
  Certificate c = fixed_certificate(setting, "hold-out-scale-free", {chernoff_event(setting)},
                                    gaussian_law(false));
  finish(c, empirical, empirical * (1 / x - 1));
  return c;
}

std::optional<Missing> chi_square_needs(const Premises& premises) {
  const std::string kind = "hold-out-chi-square";
  return first_missing({missing_gaussian(premises, kind), missing_zero_mean(premises, kind),
                        missing_no_offset(premises, kind), missing_data(premises, kind)});
}

double chi_square_multiple(const Premises& premises) {
  return 1 / centred_factor(premises.n, premises.delta.value());
}

// n Lhat / chi2_{n,delta}
Certificate chi_square(const FixedSetting& setting) {
  require_granted(chi_square_needs(premises_of(setting)));
  const double x = centred_factor(setting.evidence.n, setting.delta.at("quantile"));
  const double empirical = empirical_cost(setting);
  Certificate c =
      fixed_certificate(setting, "hold-out-chi-square",
                        {fixed_event(setting, "quantile", "quantile")}, gaussian_law(false));
  c.assumptions.push_back({"zero-mean"});
  finish(c, empirical, empirical * (1 / x - 1));
  return c;
}

}  // namespace

FixedKind hold_out_scale_free_kind() {
  return {"hold-out-scale-free",
          "Gaussian, any mean, nothing known of the scale",
          {"chernoff"},
          scale_free_needs,
          scale_free,
          /*compares=*/false,
          /*dominated_by=*/"hold-out-chi-square",
          scale_free_multiple,
          /*multiplies=*/true};
}

FixedKind hold_out_chi_square_kind() {
  return {"hold-out-chi-square",
          "Gaussian, zero mean, no offset, nothing known of the scale, exact quantile",
          {"quantile"},
          chi_square_needs,
          chi_square,
          /*compares=*/false,
          /*dominated_by=*/"",
          chi_square_multiple,
          /*multiplies=*/true};
}

}  // namespace loopcert
