// One fixed response on fresh data under an envelope of the covariance: the exact cumulant under U,
//   L <= Lhat + inf_lambda (log(1/delta)/n + sum_i f(lambda s_i) + …)/lambda,
// s_i the spectrum of M U M'. U may come from the same data, on its own event
// (docs/theory/fixed-response.md).
#include <cmath>

#include "certificate/complexity.hpp"
#include "certificate/cumulant.hpp"
#include "certificate/premises.hpp"
#include "kinds/fixed_list.hpp"

namespace loopcert {
namespace {

Certificate certificate_under(const EnvelopeKind& part, const FixedSetting& setting) {
  const Sizes sizes = setting.system.sizes();
  const Envelope envelope =
      make_envelope(part, setting.assumptions, setting.evidence, sizes, setting.delta);
  const WeightedResponse y = weighted_response(setting.system.cost, sizes, setting.response);
  const GaussianTrajectory up =
      gaussian_trajectory(y.M, y.m, Vector::Zero(sizes.d_w()), envelope.U);
  const double rate =
      std::log(1 / setting.delta.at("chernoff")) / static_cast<double>(setting.evidence.n);
  const Complexity margin = general_complexity(
      rate, [&](double lambda) { return exact_gaussian_cgf(up, lambda); }, INFINITY);

  std::vector<Event> events = {fixed_event(setting, "chernoff", "chernoff")};
  events.insert(events.end(), envelope.events.begin(), envelope.events.end());
  Certificate c = fixed_certificate(setting, part.hold_out.name, std::move(events), {});
  c.assumptions = {{"controller-fixed"}};
  c.assumptions.insert(c.assumptions.end(), envelope.assumptions.begin(),
                       envelope.assumptions.end());
  c.assumptions.push_back({"model"});
  c.lambda = margin.lambda;
  finish(c, empirical_cost(setting), margin.value);
  return c;
}

}  // namespace

FixedResponseKind hold_out_under(const EnvelopeKind& envelope) {
  const auto needs = [&envelope](const Premises& premises) -> std::optional<Missing> {
    if (premises.n >= 1) return envelope.needs(premises);
    return Missing{"trajectories", "none", "fresh ones: a hold-out certificate requires them"};
  };
  const auto evaluate = [&envelope, needs](const FixedSetting& setting) {
    require_granted(
        needs({setting.assumptions, setting.system.sizes(), setting.evidence.n, false}));
    return certificate_under(envelope, setting);
  };
  std::vector<std::string> events = {"chernoff"};
  events.insert(events.end(), envelope.events.begin(), envelope.events.end());
  return {envelope.hold_out.name, envelope.hold_out.about, events, needs, evaluate, false, "",
          envelope.least_factor};
}

}  // namespace loopcert
