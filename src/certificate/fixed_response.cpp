#include "loopcert/certificate/fixed_response.hpp"

#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "kind_list.hpp"
#include "loopcert/certificate/cumulant.hpp"
#include "loopcert/certificate/fixed_envelope.hpp"
#include "loopcert/core/check.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/text.hpp"
#include "loopcert/risk/risk.hpp"

namespace loopcert {
namespace {

Certificate fixed_certificate(const FixedSetting& setting, const std::string& kind) {
  Certificate c;
  c.kind = kind;
  c.subject = "controller";
  c.n = setting.evidence.n;
  c.events = {{"chernoff", setting.delta.at("chernoff"),
               "the mean cost of the fresh trajectories is not far below its expectation"}};
  c.confidence = 1 - c.events[0].delta;
  c.assumptions = {
      "The controller was fixed before these trajectories were seen.",
      "The trajectories (x_0, w_0, ..., w_{T-1}) are independent draws of one Gaussian "
      "law, the law met after deployment.",
      "The plant, its offset and the cost are as in the problem file."};
  return c;
}

void finish(Certificate& c, double empirical, double margin) {
  c.terms = {{"empirical cost of the controller", "Lhat", empirical}, {"margin", "Comp", margin}};
  c.value = empirical + margin;
  check_certificate(c);
}

Premises premises_of(const FixedSetting& setting) {
  return {setting.assumptions, setting.system.sizes(), setting.evidence.n,
          !setting.response.phi_x.isZero(0.0) || !setting.response.phi_u.isZero(0.0)};
}

std::optional<Missing> hold_out_needs(const Premises& premises) {
  const std::string kind = "hold-out";
  return first_missing({missing_gaussian(premises, kind), missing_zero_mean(premises, kind),
                        missing_scale_bound(premises, kind)});
}

std::optional<Missing> hold_out_scale_free_needs(const Premises& premises) {
  return missing_gaussian(premises, "hold-out-scale-free");
}

// inf_lambda (log(1/delta)/n + Lambda_up(lambda))/lambda with the exact CGF under scale I.
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
  Certificate c = fixed_certificate(setting, "hold-out");
  c.lambda = margin.lambda;
  c.assumptions.push_back("The mean of a trajectory is zero.");
  c.assumptions.push_back("No eigenvalue of the covariance of a trajectory exceeds " +
                          number_text(scale) + ".");
  finish(c, response_risk(setting.system, setting.response, setting.evidence.moments),
         margin.value);
  return c;
}

Certificate hold_out_scale_free(const FixedSetting& setting) {
  require_granted(hold_out_scale_free_needs(premises_of(setting)));
  const double x = scale_free_factor(setting.evidence.n, setting.delta.at("chernoff"));
  const double empirical =
      response_risk(setting.system, setting.response, setting.evidence.moments);
  Certificate c = fixed_certificate(setting, "hold-out-scale-free");
  finish(c, empirical, empirical * (1 / x - 1));
  return c;
}

}  // namespace

double scale_free_factor(Index n, double delta) {
  check_at_least("n", n, 1);
  check_probability("delta", delta);
  const double target = 2 * std::log(1 / delta) / static_cast<double>(n);
  // In u = -log x > 0: exp(-u) - 1 + u = target, increasing in u.
  const auto excess = [&](double u) { return std::expm1(-u) + u - target; };
  double high = std::sqrt(2 * target) + target + 1;
  std::uintmax_t steps = 200;
  const auto bracket = boost::math::tools::toms748_solve(
      excess, 0.0, high, boost::math::tools::eps_tolerance<double>(52), steps);
  return std::exp(-bracket.second);  // the smaller x: the larger bound
}

const std::vector<FixedKind>& fixed_kinds() {
  static const std::vector<FixedKind> kinds = {
      {"hold-out-scale-free",
       "Gaussian, any mean, nothing known of the scale",
       {"chernoff"},
       hold_out_scale_free_needs,
       hold_out_scale_free},
      {"hold-out",
       "Gaussian, zero mean, ||Sigma_w|| <= scale_bound, exact cumulant",
       {"chernoff"},
       hold_out_needs,
       hold_out},
      hold_out_relative_kind(),
      hold_out_white_kind(),
      hold_out_known_kind(),
  };
  return kinds;
}

const FixedKind& fixed_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const FixedKind& kind : fixed_kinds()) {
    if (kind.name == name) return kind;
    known.push_back(kind.name);
  }
  throw_input_error("certificate.kind", "'" + name + "'",
                    join(known, " | ") + did_you_mean(name, known));
}

}  // namespace loopcert
