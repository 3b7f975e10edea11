// A known plant under disturbances of unknown colour, w_t = Phi (w_{t-1}, ..., w_{t-p}) + v_t: what
// a response costs at most for every Phi, every covariance of v and of the first steps that the
// data leave. The events hold for all responses at once (docs/theory/identified-cost.md).
#include <cmath>

#include "certificate/autoregressive.hpp"
#include "certificate/filled_spectrum.hpp"
#include "certificate/wishart.hpp"
#include "kinds/fixed_list.hpp"

namespace loopcert {
namespace {

const std::vector<std::string> set_events = {"model", "noise", "start"};

std::optional<Missing> missing_colour(const Premises& premises, const std::string& kind) {
  if (!premises.assumptions.autoregressive)
    return Missing{"disturbance.autoregressive", "nothing",
                   "a number of steps: certificate '" + kind +
                       "' assumes that disturbances follow from so many before them"};
  const Index d_s = (*premises.assumptions.autoregressive + 1) * premises.sizes.n_w;
  if (premises.n > d_s) return std::nullopt;
  return Missing{"trajectories", std::to_string(premises.n),
                 "more than " + std::to_string(d_s) +
                     ", the numbers of the first steps, for "
                     "certificate '" +
                     kind + "'"};
}

std::optional<Missing> needs_of(const Premises& premises, const std::string& kind) {
  return first_missing({missing_data(premises, kind), missing_gaussian(premises, kind),
                        missing_zero_mean(premises, kind), missing_colour(premises, kind)});
}

// What nothing but sizes says of the envelopes: above these factors other kinds are smaller. A mean
// cost on fresh trajectories bears more, for the envelopes only say how far it may stray.
constexpr double hopeless = 3, hopeless_with_mean = 5;

// The factors on the second moment of the start and on the covariance of v, with V_0 = 0.35 V.
std::optional<Missing> too_loose(const Premises& premises, double hopeless_factor) {
  const double each = premises.delta.value_or(0.05) / 10;
  const Index p = *premises.assumptions.autoregressive, n_w = premises.sizes.n_w;
  const Index N = premises.n * (premises.sizes.T - p);
  const double q_0 = wishart_floor((p + 1) * n_w, premises.n, each);
  const double b_sq =
      1.35 * (2 * std::log(1 / each) + std::log(1 + 1 / 0.35) * static_cast<double>(n_w * n_w * p));
  const double noise = wishart_floor(n_w, N, each) - b_sq / static_cast<double>(N);
  if (hopeless_factor * std::min(q_0, noise) > 1) return std::nullopt;
  return Missing{"trajectories", std::to_string(premises.n),
                 "more of them: with so few the colour is too uncertain to be of use"};
}

}  // namespace

std::vector<Event> autoregressive_events(const AutoregressiveModel& model, const Deltas& delta) {
  const auto lags = static_cast<double>(model.lags);
  return {{"model", delta.at("model"), {"model-ellipsoid", {{"beta", model.set.beta}}}},
          {"noise",
           delta.at("noise"),
           {"noise-floor",
            {{"q", model.set.q}, {"transitions", static_cast<double>(model.set.transitions)}}}},
          {"start", delta.at("start"), {"start-floor", {{"q", model.q_0}, {"lags", lags}}}}};
}

std::vector<Statement> autoregressive_assumptions(const AutoregressiveModel& model, Index n_w) {
  std::vector<Statement> list = {gaussian_law(true),
                                 {"autoregressive", {{"lags", static_cast<double>(model.lags)}}}};
  if (!model.support.whole())
    list.push_back({"support",
                    {{"directions", static_cast<double>(model.support.size())},
                     {"states", static_cast<double>(n_w)}}});
  list.push_back({"model"});
  return list;
}

namespace {

struct Identified {
  AutoregressiveModel model;
  WeightedResponse y;
  ColouredLoop coloured;
  Expansion expansion;
};

Identified identify(const FixedSetting& setting) {
  const Evidence& all = setting.all ? *setting.all : setting.evidence;
  const Sizes sizes = setting.system.sizes();
  Identified found;
  found.model =
      autoregressive_model(all, sizes, *setting.assumptions.autoregressive, setting.delta);
  found.y = weighted_response(setting.system.cost, sizes, setting.response);
  found.coloured = coloured_loop(found.model, found.y.M, sizes);
  found.expansion = expand(found.coloured.loop, found.model.set);
  return found;
}

Certificate evaluate_identified(const FixedSetting& setting) {
  require_granted(needs_of(premises_of(setting), "identified"));
  const Identified found = identify(setting);
  const Evidence& all = setting.all ? *setting.all : setting.evidence;
  Certificate c;
  c.kind = "identified";
  c.n = all.n;
  c.events = autoregressive_events(found.model, setting.delta);
  c.confidence = confidence_of(c.events);
  c.assumptions = autoregressive_assumptions(found.model, setting.system.sizes().n_w);
  c.terms = {{"identified-nominal", found.expansion.nominal},
             {"identified-error", found.expansion.sup + found.expansion.rest},
             {"offset", found.y.m.squaredNorm()}};
  for (const Term& term : c.terms) c.value += term.value;
  c.lambda = found.expansion.nu;
  check_certificate(c);
  return c;
}

std::optional<Missing> hold_out_needs(const Premises& premises) {
  const std::string kind = "hold-out-identified";
  return first_missing({needs_of(premises, kind), missing_no_offset(premises, kind)});
}

Certificate evaluate_hold_out(const FixedSetting& setting) {
  Premises premises = premises_of(setting);
  if (setting.all) premises.n = setting.all->n;
  require_granted(hold_out_needs(premises));
  const Identified found = identify(setting);
  const double empirical = empirical_cost(setting);
  const FilledBound bound =
      filled_bound(spectrum_caps(found.coloured, found.y.M, found.expansion), empirical,
                   setting.evidence.n, setting.delta.at("chernoff"));
  std::vector<Event> events = {fixed_event(setting, "chernoff", "chernoff")};
  for (Event& event : autoregressive_events(found.model, setting.delta))
    events.push_back(std::move(event));
  Certificate c = fixed_certificate(setting, "hold-out-identified", std::move(events), {});
  c.assumptions = autoregressive_assumptions(found.model, setting.system.sizes().n_w);
  c.assumptions.insert(c.assumptions.begin(), {"controller-fixed"});
  c.lambda = bound.lambda;
  finish(c, empirical, bound.value - empirical);
  return c;
}

}  // namespace

FixedResponseKind identified_kind() {
  FixedResponseKind kind{
      "identified", "Gaussian, zero mean, autoregressive: the colour from the same trajectories",
      set_events, [](const Premises& premises) { return needs_of(premises, "identified"); },
      evaluate_identified};
  kind.shared = set_events;
  kind.worthwhile = [](const Premises& premises) { return too_loose(premises, hopeless); };
  return kind;
}

FixedResponseKind hold_out_identified_kind() {
  FixedResponseKind kind{"hold-out-identified",
                         "Gaussian, zero mean, autoregressive: the mean cost of fresh "
                         "trajectories, the colour from all of them",
                         {"chernoff", "model", "noise", "start"},
                         hold_out_needs,
                         evaluate_hold_out};
  kind.shared = set_events;
  kind.weights = {27, 1, 1, 1};
  kind.worthwhile = [](const Premises& premises) {
    return too_loose(premises, hopeless_with_mean);
  };
  return kind;
}

}  // namespace loopcert
