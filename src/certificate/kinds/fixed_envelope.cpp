// One fixed response on fresh data under an envelope of the covariance: the exact cumulant under U,
//   L <= Lhat + inf_lambda (log(1/delta)/n + sum_i f(lambda s_i) + …)/lambda,
// s_i the spectrum of M U M'. U may come from the same data, on its own event
// (docs/theory/fixed-response.md).
#include "loopcert/certificate/fixed_envelope.hpp"

#include <algorithm>
#include <cmath>

#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"
#include "loopcert/certificate/complexity.hpp"
#include "loopcert/certificate/cumulant.hpp"
#include "loopcert/certificate/tails.hpp"
#include "loopcert/risk/risk.hpp"

namespace loopcert {
namespace {

Certificate hold_out_under(const std::string& kind, const EnvelopeKind& part,
                           const FixedSetting& setting) {
  const Sizes sizes = setting.system.sizes();
  const Envelope envelope =
      make_envelope(part, setting.assumptions, setting.evidence, sizes, setting.delta);
  const WeightedResponse y = weighted_response(setting.system.cost, sizes, setting.response);
  const GaussianTrajectory up =
      gaussian_trajectory(y.M, y.m, Vector::Zero(sizes.d_w()), envelope.U);
  const double delta = setting.delta.at("chernoff");
  const double rate = std::log(1 / delta) / static_cast<double>(setting.evidence.n);
  const Complexity margin = general_complexity(
      rate, [&](double lambda) { return exact_gaussian_cgf(up, lambda); }, INFINITY);

  Certificate c;
  c.kind = kind;
  c.n = setting.evidence.n;
  c.lambda = margin.lambda;
  c.terms = {{"empirical-controller",
              response_risk(setting.system, setting.response, setting.evidence.moments)},
             {"margin", margin.value}};
  for (const Term& term : c.terms) c.value += term.value;
  c.events = {{"chernoff", delta, {"chernoff"}}};
  c.events.insert(c.events.end(), envelope.events.begin(), envelope.events.end());
  c.confidence = confidence_of(c.events);
  c.assumptions = {{"controller-fixed"}};
  c.assumptions.insert(c.assumptions.end(), envelope.assumptions.begin(),
                       envelope.assumptions.end());
  c.assumptions.push_back({"model"});
  check_certificate(c);
  return c;
}

// The one under the scale came first, and has the short name.
std::string name_of(const EnvelopeKind& envelope) {
  return envelope.name == "scale" ? "hold-out" : "hold-out-" + envelope.name;
}

template <EnvelopeKind (*envelope)()>
std::optional<Missing> needs_of(const Premises& premises) {
  if (premises.n >= 1) return envelope().needs(premises);
  return Missing{"trajectories", "none", "fresh ones: a hold-out certificate rests on them"};
}

template <EnvelopeKind (*envelope)()>
Certificate evaluate(const FixedSetting& setting) {
  require_granted(
      needs_of<envelope>({setting.assumptions, setting.system.sizes(), setting.evidence.n, false}));
  const EnvelopeKind part = envelope();
  return hold_out_under(name_of(part), part, setting);
}

template <EnvelopeKind (*envelope)()>
FixedKind kind_of(const std::string& about, double (*least_factor)(const Premises&) = nullptr) {
  const EnvelopeKind part = envelope();
  std::vector<std::string> events = {"chernoff"};
  events.insert(events.end(), part.events.begin(), part.events.end());
  return {name_of(part),      about, events, needs_of<envelope>,
          evaluate<envelope>, false, "",     least_factor};
}

// lambda_min of a standard Wishart over n is at most chi2_{n-d+1}/n, the inverse of a diagonal
// entry of its inverse: no floor q is above that quantile.
double largest_floor(Index d, Index n, double delta) {
  const Index free = n - d + 1;
  return centred_factor(free, delta) * static_cast<double>(free) / static_cast<double>(n);
}

// M Sigma_hat M'/q has trace Lhat/q. The margin is smallest when its d_w eigenvalues are equal, and
// then it is (1 - x) Lhat/q with x of n d_w samples (docs/theory/portfolio.md).
double least_under(double q, const Premises& premises) {
  const Index samples = premises.n * premises.sizes.d_w();
  return 1 + (1 - scale_free_factor(samples, premises.delta.value() / 2)) / q;
}

double least_relative(const Premises& premises) {
  return least_under(largest_floor(premises.sizes.d_w(), premises.n, *premises.delta / 2),
                     premises);
}

double least_white(const Premises& premises) {
  const auto [n_x, n_u, T] = premises.sizes;
  const bool shared = premises.assumptions.stationary;
  const double each = *premises.delta / 2 / static_cast<double>(shared ? 2 : T + 1);
  double q = largest_floor(n_x, premises.n, each);
  if (shared) q = std::max(q, largest_floor(n_x, premises.n * T, each));
  return least_under(q, premises);
}

}  // namespace

FixedKind hold_out_kind() {
  return kind_of<scale_envelope>("Gaussian, zero mean, ||Sigma_w|| <= scale_bound, exact cumulant");
}

FixedKind hold_out_relative_kind() {
  return kind_of<relative_envelope>("Gaussian, zero mean, covariance from the same trajectories",
                                    least_relative);
}

FixedKind hold_out_white_kind() {
  return kind_of<white_envelope>(
      "Gaussian, zero mean, independent steps, covariance from the same trajectories", least_white);
}

FixedKind hold_out_known_kind() {
  return kind_of<known_envelope>("Gaussian, zero mean, Sigma_w <= covariance_bound");
}

}  // namespace loopcert
