#include "measurement/logged_episodes.hpp"

#include "certificate/limits.hpp"
#include "core/check.hpp"
#include "inspection/logged_cost.hpp"
#include "loopcert/core/error.hpp"
#include "system/unseen.hpp"

namespace loopcert {

Vector logged_costs(const Problem& problem, const Rollouts& rollouts) {
  const Sizes s = problem.sizes();
  if (problem.identifies() && problem.model->infinite)
    throw_input_error("horizon", "\"infinite\"", "a number of steps: costs are per episode");
  const Plant& plant = problem.system.plant;
  if (plant.G_x.size() > 0 && unseen_outputs(plant) == 0)
    throw_input_error("cost.of", "\"states\"", "\"outputs\": no log has states");
  check_at_least("episodes", rollouts.x.rows(), 1);
  check_size("x", rollouts.x, rollouts.x.rows(), s.d_x());
  check_size("u", rollouts.u, rollouts.x.rows(), s.d_u());
  check_finite("x", rollouts.x);
  check_finite("u", rollouts.u);
  const Vector costs = costs_of_paths(problem.system, rollouts);
  return costs.cwiseMax(0.0);  // rounding of a semidefinite form
}

Matrix logged_violations(const Limits& limits, const Sizes& s, const Rollouts& rollouts) {
  const std::vector<LimitAt> places = limits_at_steps(limits);
  Matrix violations(rollouts.x.rows(), static_cast<Index>(places.size()));
  for (size_t c = 0; c < places.size(); ++c) {
    const LimitRow& row = limits.rows[static_cast<size_t>(places[c].row)];
    Vector value = rollouts.x.middleCols(places[c].t * s.n_x, s.n_x) * row.x;
    if (!row.u.isZero(0.0)) value += rollouts.u.middleCols(places[c].t * s.n_u, s.n_u) * row.u;
    for (Index i = 0; i < value.size(); ++i)
      violations(i, static_cast<Index>(c)) = value(i) <= row.high && value(i) >= row.low ? 0 : 1;
  }
  return violations;
}

Certificate certificate_of_violations(const Matrix& violations, bool each, double delta) {
  const Index n = violations.rows();
  check_at_least("episodes", n, 1);
  // The worst row, whichever the episodes show: only its own count can make the claim false.
  const Index failures = each ? static_cast<Index>(violations.colwise().sum().maxCoeff())
                              : (violations.array() > 0).rowwise().any().count();
  const auto count = static_cast<double>(failures);
  Certificate c;
  c.kind = "measured-count";
  c.functional = {each ? "violation-each" : "violation"};
  c.value = binomial_upper(failures, n, delta);
  c.terms = {{"violation", c.value}};
  c.events = {{"count", delta, {"count", {{"violations", count}, {"n", static_cast<double>(n)}}}}};
  c.confidence = confidence_of(c.events);
  c.assumptions = {{"episodes-fixed"}};
  c.n = n;
  check_certificate(c);
  return c;
}

}  // namespace loopcert
