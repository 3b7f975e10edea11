// A bound on E J^2/(E J)^2, any law: the cost that is 0 or kappa L is the worst one.
#include <fmt/format.h>

#include <cmath>

#include "certificate/bernoulli.hpp"
#include "core/text.hpp"
#include "measurement/measured_kind.hpp"

namespace loopcert {
namespace {

const std::string name = "measured-fourth-moment";

// x < 1 with kl(x/kappa, 1/kappa) = log(1/delta)/n; 0 when there is none.
double factor(double kappa, Index n, double delta) {
  return kappa * kl_lower(1 / kappa, std::log(1 / delta) / static_cast<double>(n));
}

std::optional<Missing> needs(const MeasurePremises& p) {
  if (!p.options.kurtosis)
    return Missing{"kurtosis", "nothing",
                   "K with E J^2 <= K (E J)^2: certificate '" + name + "' assumes one"};
  if (!(*p.options.kurtosis > 1 && std::isfinite(*p.options.kurtosis)))
    return Missing{"kurtosis", number_text(*p.options.kurtosis),
                   "a number above 1, below which E J^2/(E J)^2 never is"};
  if (factor(*p.options.kurtosis, p.n, p.delta) > 0) return std::nullopt;
  const double least = std::floor(std::log(p.delta) / std::log1p(-1 / *p.options.kurtosis)) + 1;
  return Missing{"costs", std::to_string(p.n),
                 fmt::format("at least {:.0f}: certificate '{}' with kurtosis {} and delta {:.4g} "
                             "has no value with fewer",
                             least, name, *p.options.kurtosis, p.delta)};
}

}  // namespace

MeasuredKind measured_fourth_moment_kind() {
  return {name,
          "any plant and law with a bound on E J^2/(E J)^2",
          "cost",
          {"chernoff"},
          needs,
          [](const MeasureOptions& options) {
            return std::vector<Statement>{fixed_episodes(false),
                                          {"cost-kurtosis", {{"kurtosis", *options.kurtosis}}}};
          },
          [](const Samples& s, const MeasureOptions& options, double delta) {
            return mean_of(s.a) / factor(*options.kurtosis, s.n_a(), delta);
          }};
}

}  // namespace loopcert
