// Gaussian, zero mean, ||Sigma_w|| <= scale_bound: the exact cumulant under scale I.
#include <cmath>

#include "fixed_list.hpp"
#include "loopcert/certificate/cumulant.hpp"
#include "loopcert/core/text.hpp"

namespace loopcert {
namespace {

std::optional<Missing> hold_out_needs(const Premises& premises) {
  const std::string kind = "hold-out";
  return first_missing({missing_gaussian(premises, kind), missing_zero_mean(premises, kind),
                        missing_scale_bound(premises, kind), missing_data(premises, kind)});
}

// inf_lambda (log(1/delta)/n + Lambda_up(lambda))/lambda
Certificate hold_out(const FixedSetting& setting) {
  require_granted(hold_out_needs(premises_of(setting)));
  const double scale = *setting.assumptions.scale_bound;
  const Index d_w = setting.evidence.moments.mean.size();
  const WeightedResponse y =
      weighted_response(setting.system.cost, setting.system.sizes(), setting.response);
  const GaussianTrajectory up =
      gaussian_trajectory(y.M, y.m, Vector::Zero(d_w), scale * Matrix::Identity(d_w, d_w));
  const double rate =
      std::log(1 / setting.delta.at("chernoff")) / static_cast<double>(setting.evidence.n);
  const Complexity margin = general_complexity(
      rate, [&](double lambda) { return exact_gaussian_cgf(up, lambda); }, INFINITY);
  Certificate c = fixed_certificate(setting, "hold-out", {chernoff_event(setting)},
                                    gaussian_iid_sentence(false));
  c.lambda = margin.lambda;
  c.assumptions.push_back(zero_mean_sentence());
  c.assumptions.push_back("No eigenvalue of the covariance of a trajectory exceeds " +
                          number_text(scale) + ".");
  finish(c, empirical_cost(setting), margin.value);
  return c;
}

}  // namespace

FixedKind hold_out_kind() {
  return {"hold-out",
          "Gaussian, zero mean, ||Sigma_w|| <= scale_bound, exact cumulant",
          {"chernoff"},
          hold_out_needs,
          hold_out};
}

}  // namespace loopcert
