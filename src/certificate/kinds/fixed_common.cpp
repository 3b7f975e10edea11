#include "certificate/premises.hpp"
#include "core/linalg.hpp"
#include "kinds/fixed_list.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

bool has_offset(const Response& response) {
  return !response.phi_x.isZero(0.0) || !response.phi_u.isZero(0.0);
}

}  // namespace

Premises premises_of(const FixedSetting& setting) {
  return {setting.assumptions, setting.system.sizes(), setting.evidence.n,
          setting.system.cost.has_reference() || has_offset(setting.response) ||
              (setting.baseline && has_offset(*setting.baseline))};
}

std::optional<Missing> missing_data(const Premises& premises, const std::string& kind) {
  if (premises.n >= 1) return std::nullopt;
  return Missing{"trajectories", "none", "fresh ones: certificate '" + kind + "' requires them"};
}

std::optional<Missing> missing_no_offset(const Premises& premises, const std::string& kind) {
  if (!premises.offset) return std::nullopt;
  return Missing{"response", "an offset (system.d, cost.reference, or a feedforward k)",
                 "none: certificate '" + kind + "' requires a cost without one"};
}

std::optional<Missing> missing_baseline(const FixedSetting& setting, const std::string& kind) {
  if (setting.baseline) return std::nullopt;
  return Missing{"baseline", "none",
                 "a controller to compare with: certificate '" + kind + "' needs one"};
}

double empirical_cost(const FixedSetting& setting) {
  return response_risk(setting.system, setting.response, setting.evidence.moments);
}

// K becomes its blocks on the diagonal; of steps with one law, their mean. Each has a root.
MeanCost mean_cost(const FixedSetting& setting, bool averaged) {
  const Sizes sizes = setting.system.sizes();
  MeanCost c{weighted_response(setting.system.cost, sizes, setting.response),
             empirical_cost(setting)};
  c.mean = c.empirical;
  if (!averaged || !c.y.m.isZero(0.0)) return c;
  const Index n_w = sizes.n_w, T = sizes.T;
  const auto step = [&](const Matrix& A, Index t) { return A.block(t * n_w, t * n_w, n_w, n_w); };
  const Matrix K = c.y.M.transpose() * c.y.M, &second = setting.evidence.moments.second;
  Matrix alike = Matrix::Zero(n_w, n_w);
  for (Index t = 1; t <= T; ++t) alike += step(K, t) / static_cast<double>(T);
  c.averaged = true;
  c.mean = 0;
  c.y.M = Matrix::Zero(sizes.d_w(), sizes.d_w());
  for (Index t = 0; t <= T; ++t) {
    const Matrix part = t > 0 && setting.assumptions.stationary ? alike : Matrix(step(K, t));
    c.mean += part.cwiseProduct(step(second, t)).sum();
    c.y.M.block(t * n_w, t * n_w, n_w, n_w) = scaled_root(part);
  }
  c.y.m = Vector::Zero(sizes.d_w());
  return c;
}

void add_white(const FixedSetting& setting, Certificate& c) {
  for (const Statement& statement : c.assumptions)
    if (statement.id == "white") return;
  c.assumptions.push_back({"white"});
  if (setting.assumptions.stationary) c.assumptions.push_back({"stationary"});
}

Event fixed_event(const FixedSetting& setting, const std::string& id,
                  const std::string& statement) {
  return {id, setting.delta.at(id), {statement}};
}

Certificate fixed_certificate(const FixedSetting& setting, const std::string& kind,
                              std::vector<Event> events, const Statement& law) {
  Certificate c;
  c.kind = kind;
  c.n = setting.evidence.n;
  c.events = std::move(events);
  c.confidence = confidence_of(c.events);
  c.assumptions = {{"controller-fixed"}, law, {"model"}};
  return c;
}

void finish(Certificate& c, double empirical, double margin) {
  c.terms = {{"empirical-controller", empirical}, {"margin", margin}};
  c.value = empirical + margin;
  check_certificate(c);
}

}  // namespace loopcert
