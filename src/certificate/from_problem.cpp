#include "certificate/from_problem.hpp"
#include "certificate/premises.hpp"
#include "controller/closed_loop.hpp"
#include "response/lqr.hpp"

namespace loopcert {

Evidence evidence_if_any(const Disturbances& data) {
  return data.n() > 0 ? evidence_of(data) : Evidence{};
}

Deltas deltas_of(const Problem& problem, const std::vector<std::string>& events) {
  return split_delta(events, problem.certificate.delta, problem.certificate.parts);
}

Response baseline_response(const Problem& problem) {
  return problem.baseline ? closed_loop_response(problem.system, problem.baseline->controller)
                          : lqr_response(problem.system);
}

double total_delta(const Problem& problem) {
  const CertificateOptions& options = problem.certificate;
  if (options.delta) return *options.delta;
  if (options.parts.empty()) return 0.05;
  double total = 0;
  for (const auto& [event, delta] : options.parts) total += delta;
  return total;
}

}  // namespace loopcert
