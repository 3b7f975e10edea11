// One fixed response on fresh data under an envelope of the covariance: the exact cumulant under U,
//   L <= Lhat + inf_lambda (log(1/delta)/n + sum_i f(lambda s_i) + …)/lambda,
// s_i the spectrum of M U M', or without an offset the quantile of n such costs. U may come from
// all data, on an event that holds for every response (docs/theory/fixed-response.md,
// chi-square.md).
#include <algorithm>
#include <cmath>

#include "certificate/complexity.hpp"
#include "certificate/cumulant.hpp"
#include "certificate/gamma_sum.hpp"
#include "certificate/premises.hpp"
#include "kinds/fixed_list.hpp"

namespace loopcert {
namespace {

Certificate certificate_under(const EnvelopeKind& part, const FixedSetting& setting) {
  const Sizes sizes = setting.system.sizes();
  const Envelope envelope =
      make_envelope(part, setting.assumptions, setting.all ? *setting.all : setting.evidence, sizes,
                    setting.delta);
  const MeanCost cost = mean_cost(setting, setting.averaged.value_or(part.averages));
  const WeightedResponse& y = cost.y;
  const GaussianTrajectory up =
      gaussian_trajectory(y.M, y.m, Vector::Zero(sizes.d_w()), envelope.U);
  const Index n = setting.evidence.n;
  const double delta = setting.delta.at("chernoff");
  const Complexity chernoff = general_complexity(
      std::log(1 / delta) / static_cast<double>(n),
      [&](double lambda) { return exact_gaussian_cgf(up, lambda); }, INFINITY);
  double margin = chernoff.value;
  if (y.m.isZero(0.0)) margin = quantile_margin(up.s, n, delta, 2 * chernoff.lambda, margin);
  // Where data give U, L <= tr(M U M') + |m|^2 on the same event.
  if (!envelope.events.empty()) margin = std::min(margin, up.risk() - cost.mean);

  std::vector<Event> events = {fixed_event(setting, "chernoff", "chernoff")};
  events.insert(events.end(), envelope.events.begin(), envelope.events.end());
  Certificate c = fixed_certificate(setting, part.hold_out.name, std::move(events), {});
  c.assumptions = {{"controller-fixed"}};
  c.assumptions.insert(c.assumptions.end(), envelope.assumptions.begin(),
                       envelope.assumptions.end());
  c.assumptions.push_back({"model"});
  c.lambda = chernoff.lambda;
  if (cost.averaged) add_white(setting, c);
  finish(c, cost.empirical, cost.mean - cost.empirical + margin);
  return c;
}

}  // namespace

FixedResponseKind hold_out_under(const EnvelopeKind& envelope) {
  const auto needs = [&envelope](const Premises& premises) -> std::optional<Missing> {
    if (premises.n >= 1) return envelope.needs(premises);
    return Missing{"trajectories", "none", "fresh ones: a hold-out certificate requires them"};
  };
  const auto evaluate = [&envelope, needs](const FixedSetting& setting) {
    const Index n = setting.all && setting.evidence.n > 0 ? setting.all->n : setting.evidence.n;
    require_granted(needs({setting.assumptions, setting.system.sizes(), n, false}));
    return certificate_under(envelope, setting);
  };
  std::vector<std::string> events = {"chernoff"};
  events.insert(events.end(), envelope.events.begin(), envelope.events.end());
  FixedResponseKind kind{envelope.hold_out.name, envelope.hold_out.about, events, needs, evaluate};
  kind.least_factor = envelope.least_factor;
  kind.dominated_by = envelope.dominated_by;
  kind.shared = envelope.events;
  if (!envelope.events.empty()) kind.weights = {3, 1};
  return kind;
}

}  // namespace loopcert
