#include "fixed_list.hpp"
#include "loopcert/risk/risk.hpp"

namespace loopcert {
namespace {

bool has_offset(const Response& response) {
  return !response.phi_x.isZero(0.0) || !response.phi_u.isZero(0.0);
}

}  // namespace

Premises premises_of(const FixedSetting& setting) {
  return {setting.assumptions, setting.system.sizes(), setting.evidence.n,
          has_offset(setting.response) || (setting.baseline && has_offset(*setting.baseline))};
}

std::optional<Missing> missing_data(const Premises& premises, const std::string& kind) {
  if (premises.n >= 1) return std::nullopt;
  return Missing{"trajectories", "none", "fresh ones: certificate '" + kind + "' rests on them"};
}

std::optional<Missing> missing_no_offset(const Premises& premises, const std::string& kind) {
  if (!premises.offset) return std::nullopt;
  return Missing{"response", "an offset (system.d, or a feedforward k)",
                 "none: certificate '" + kind + "' needs a cost without one"};
}

std::optional<Missing> missing_baseline(const FixedSetting& setting, const std::string& kind) {
  if (setting.baseline) return std::nullopt;
  return Missing{"baseline", "none",
                 "a controller to compare with: certificate '" + kind + "' needs one"};
}

double empirical_cost(const FixedSetting& setting) {
  return response_risk(setting.system, setting.response, setting.evidence.moments);
}

Event fixed_event(const FixedSetting& setting, const std::string& name,
                  const std::string& statement) {
  return {name, setting.delta.at(name), statement};
}

Event chernoff_event(const FixedSetting& setting) {
  return fixed_event(setting, "chernoff",
                     "the mean cost of the fresh trajectories is not far below its expectation");
}

Certificate fixed_certificate(const FixedSetting& setting, const std::string& kind,
                              std::vector<Event> events, const std::string& law) {
  Certificate c;
  c.kind = kind;
  c.subject = "controller";
  c.n = setting.evidence.n;
  c.events = std::move(events);
  c.confidence = 1;
  for (const Event& event : c.events) c.confidence -= event.delta;
  c.assumptions = {"The controller was fixed before these trajectories were seen.", law,
                   model_sentence()};
  return c;
}

std::string any_law_sentence() {
  return "The trajectories (x_0, w_0, ..., w_{T-1}) are independent draws of one law, the law met "
         "after deployment.";
}

std::string zero_mean_sentence() { return "The mean of a trajectory is zero."; }

void finish(Certificate& c, double empirical, double margin) {
  c.terms = {{"empirical cost of the controller", "Lhat", empirical}, {"margin", "Comp", margin}};
  c.value = empirical + margin;
  check_certificate(c);
}

}  // namespace loopcert
