#include <algorithm>
#include <cmath>

#include "limits/limits_list.hpp"

namespace loopcert {

std::optional<Missing> missing_chance(const LimitsPremises& premises, const std::string& kind) {
  if (!premises.limits.robust) return std::nullopt;
  return Missing{"limits.robust", "true",
                 "false: certificate '" + kind + "' is about a probability"};
}

std::optional<Missing> missing_fresh(const LimitsPremises& premises, const std::string& kind) {
  if (premises.use == UseOfData::whole)
    return Missing{"trajectories", "all were learned from",
                   "fresh ones: certificate '" + kind + "' requires them"};
  if (premises.law.n >= 1) return std::nullopt;
  return Missing{"trajectories", "none", "fresh ones: certificate '" + kind + "' requires them"};
}

LimitsBound bound_of(const LimitsSetting& setting, const std::string& kind, double value,
                     std::vector<Event> events, std::vector<Statement> assumptions, Index n) {
  LimitsBound bound;
  Certificate& c = bound.certificate;
  c.kind = kind;
  c.functional = {setting.limits.each ? "violation-each" : "violation"};
  c.value = std::min(1.0, value);
  c.terms = {{"violation", c.value}};
  c.events = std::move(events);
  c.confidence = confidence_of(c.events);
  c.assumptions = std::move(assumptions);
  c.n = n;
  check_certificate(c);
  bound.rows = Vector::Constant(setting.deployed.m.size(), c.value);
  return bound;
}

LimitsBound bound_by_rows(const LimitsSetting& setting, const std::string& kind, Vector rows,
                          std::vector<Event> events, std::vector<Statement> assumptions, Index n) {
  const double value = setting.limits.each ? rows.maxCoeff() : rows.sum();
  LimitsBound bound = bound_of(setting, kind, value, std::move(events), std::move(assumptions), n);
  bound.rows = std::move(rows);
  return bound;
}

Vector violations(const RowResponses& rows, const Vector& deviations) {
  Vector all(rows.m.size());
  for (Index c = 0; c < all.size(); ++c)
    all(c) = violation(rows.low(c), rows.high(c), rows.m(c), deviations(c));
  return all;
}

Statement fixed_before(const LimitsSetting& setting) {
  return {setting.parts.size() > 1 ? "responses-fixed" : "controller-fixed"};
}

Vector deviations_under(const Matrix& a, const Matrix& U) {
  return (a * U).cwiseProduct(a).rowwise().sum().cwiseMax(0.0).cwiseSqrt();
}

}  // namespace loopcert
