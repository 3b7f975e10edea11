// Clopper and Pearson's upper end for the episodes that broke a limit.
#include "certificate/limits.hpp"
#include "loopcert/core/error.hpp"
#include "measurement/measured_limits.hpp"

namespace loopcert {

Certificate certificate_of_violations(const MatrixView& violations, bool each, double delta) {
  const Index n = violations.rows();
  // The worst row, whichever the episodes show: only its own count can make the claim false.
  const Index failures = each ? static_cast<Index>(violations.colwise().sum().maxCoeff())
                              : (violations.array() > 0).rowwise().any().count();
  Certificate c;
  c.kind = "measured-count";
  c.functional = {each ? "violation-each" : "violation"};
  c.value = binomial_upper(failures, n, delta);
  c.terms = {{"violation", c.value}};
  c.events = {
      {"count",
       delta,
       {"count", {{"violations", static_cast<double>(failures)}, {"n", static_cast<double>(n)}}}}};
  c.confidence = confidence_of(c.events);
  c.assumptions = {{"episodes-fixed"}};
  c.n = n;
  check_certificate(c);
  return c;
}

Certificate measure_limits(const Problem& problem, const LoggedEpisodes& episodes) {
  if (!problem.limits) throw_input_error("limits", "nothing", "limits to count violations of");
  const Limits& limits = *problem.limits;
  return certificate_of_violations(episodes.violations, limits.each, limits.delta);
}

}  // namespace loopcert
