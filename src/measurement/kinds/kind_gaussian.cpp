// A linear loop with Gaussian disturbances: the mean cost times a number of n and delta alone.
#include "certificate/tails.hpp"
#include "measurement/measured_kind.hpp"

namespace loopcert {
namespace {

const std::string scale_free = "measured-scale-free", chi_square = "measured-chi-square";

std::vector<Statement> assumes(const MeasureOptions& options) {
  return {fixed_episodes(false), gaussian_loop(options)};
}

}  // namespace

// L <= Lhat/x, x - 1 - log x = 2 log(1/delta)/n
MeasuredKind measured_scale_free_kind() {
  return {scale_free,
          "linear loop, Gaussian disturbances, any mean",
          "cost",
          {"chernoff"},
          [](const MeasurePremises& p) { return missing_gaussian_loop(p, scale_free); },
          [](const MeasureOptions&) {
            return std::vector<Statement>{fixed_episodes(false), {"linear-gaussian"}};
          },
          [](const Samples& s, const MeasureOptions&, double delta) {
            return mean_of(s.a) / scale_free_factor(s.n_a(), delta);
          },
          4,
          chi_square};
}

// L <= n Lhat/chi2_{n,delta}
MeasuredKind measured_chi_square_kind() {
  return {chi_square,
          "linear loop, Gaussian disturbances of mean zero",
          "cost",
          {"quantile"},
          [](const MeasurePremises& p) { return missing_zero_mean_loop(p, chi_square); },
          assumes,
          [](const Samples& s, const MeasureOptions&, double delta) {
            return mean_of(s.a) / centred_factor(s.n_a(), delta);
          },
          4};
}

}  // namespace loopcert
