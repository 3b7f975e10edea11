// A bound on the kurtosis, any law: E l^2 <= kappa L^2, and among costs l >= 0 with these two
// moments the one that is 0 or kappa L has the heaviest lower tail.
#include <fmt/format.h>

#include <cmath>

#include "certificate/bernoulli.hpp"
#include "certificate/premises.hpp"
#include "core/text.hpp"
#include "kinds/fixed_list.hpp"
#include "tails/tail_list.hpp"

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

std::vector<Statement> more(const Assumptions& assumptions) {
  return {{"kurtosis", {{"kurtosis", *assumptions.kurtosis}}}};
}

// L <= Lhat/x
double margin(const FixedSetting& setting, double empirical, double delta) {
  const double x = lower_factor(*setting.assumptions.kurtosis, setting.evidence.n, delta);
  return empirical * (1 / x - 1);
}

}  // namespace

Tail fourth_moment_tail() {
  return {"hold-out-fourth-moment",
          "any law with a bound on the kurtosis",
          {"chernoff", 0, {"chernoff"}},
          fourth_moment_needs,
          {"any-law"},
          more,
          margin,
          nullptr,
          /*dominated_by=*/"hold-out-scale-free"};
}

}  // namespace loopcert
