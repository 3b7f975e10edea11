// Two controllers in linear loops with Gaussian disturbances: L_a/L_b <= (mean_a/mean_b)/x.
#include "measurement/measured_kind.hpp"
#include "measurement/ratio_of_two.hpp"

namespace loopcert {
namespace {

const std::string any_mean = "measured-ratio-any-mean", centred = "measured-ratio";

std::vector<Statement> assumes(const MeasureOptions& options) {
  return {fixed_episodes(true), gaussian_loop(options)};
}

}  // namespace

MeasuredKind measured_ratio_any_mean_kind() {
  return {any_mean,
          "two controllers, linear loops, Gaussian disturbances, any mean",
          "cost-ratio",
          {"ratio-quantile"},
          [](const MeasurePremises& p) { return missing_gaussian_loop(p, any_mean); },
          [](const MeasureOptions&) {
            return std::vector<Statement>{fixed_episodes(true), {"linear-gaussian"}};
          },
          [](const Samples& s, const MeasureOptions&, double delta) {
            return mean_of(s.a) / mean_of(s.b) / scale_free_ratio_of_two(s.n_a(), s.n_b(), delta);
          },
          1,
          centred};
}

MeasuredKind measured_ratio_kind() {
  return {centred,
          "two controllers, linear loops, Gaussian disturbances of mean zero",
          "cost-ratio",
          {"ratio-quantile"},
          [](const MeasurePremises& p) { return missing_zero_mean_loop(p, centred); },
          assumes,
          [](const Samples& s, const MeasureOptions&, double delta) {
            return mean_of(s.a) / mean_of(s.b) / centred_ratio_of_two(s.n_a(), s.n_b(), delta);
          }};
}

}  // namespace loopcert
