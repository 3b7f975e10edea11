// A bound on the kurtosis, any law: E l^2 <= kappa L^2, and among costs l >= 0 with these two
// moments the one that is 0 or kappa L has the heaviest lower tail.
#include <fmt/format.h>

#include <cmath>

#include "kinds/fixed_list.hpp"
#include "loopcert/certificate/bernoulli.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/text.hpp"

namespace loopcert {
namespace {

// x < 1 with kl(x/kappa, 1/kappa) = log(1/delta)/n; 0 when there is none.
double lower_factor(double kappa, Index n, double delta) {
  return kappa * kl_lower(1 / kappa, std::log(1 / delta) / static_cast<double>(n));
}

std::optional<Missing> fourth_moment_needs(const Premises& premises) {
  const std::string kind = "hold-out-fourth-moment";
  const Assumptions& assumptions = premises.assumptions;
  if (!assumptions.kurtosis)
    return Missing{"disturbance.kurtosis", "nothing",
                   "a bound on it: certificate '" + kind + "' assumes one"};
  if (assumptions.model == "gaussian" && *assumptions.kurtosis < 3)
    return Missing{"disturbance.kurtosis", number_text(*assumptions.kurtosis),
                   "at least 3, which a Gaussian law has"};
  if (const auto missing = missing_data(premises, kind)) return missing;
  if (!premises.delta || lower_factor(*assumptions.kurtosis, premises.n, *premises.delta) > 0)
    return std::nullopt;
  // kl(0, 1/kappa) = -log(1 - 1/kappa) must exceed log(1/delta)/n.
  const double least =
      std::floor(-std::log(*premises.delta) / -std::log1p(-1 / *assumptions.kurtosis)) + 1;
  return Missing{"trajectories", std::to_string(premises.n),
                 fmt::format("at least {:.0f}: certificate '{}' with kurtosis {} and delta {:.4g} "
                             "has no value with fewer",
                             least, kind, *assumptions.kurtosis, *premises.delta)};
}

// L <= Lhat/x
Certificate fourth_moment(const FixedSetting& setting) {
  Premises premises = premises_of(setting);
  premises.delta = setting.delta.at("chernoff");
  require_granted(fourth_moment_needs(premises));
  const double kappa = *setting.assumptions.kurtosis;
  const double x = lower_factor(kappa, setting.evidence.n, *premises.delta);
  const double empirical = empirical_cost(setting);
  Certificate c =
      fixed_certificate(setting, "hold-out-fourth-moment", {chernoff_event(setting)}, {"any-law"});
  c.assumptions.push_back({"kurtosis", {{"kurtosis", kappa}}});
  finish(c, empirical, empirical * (1 / x - 1));
  return c;
}

}  // namespace

FixedKind hold_out_fourth_moment_kind() {
  return {"hold-out-fourth-moment",
          "any law with a bound on the kurtosis",
          {"chernoff"},
          fourth_moment_needs,
          fourth_moment,
          /*compares=*/false,
          /*dominated_by=*/"hold-out-scale-free"};
}

}  // namespace loopcert
