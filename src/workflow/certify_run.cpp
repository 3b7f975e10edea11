#include "workflow/certify_run.hpp"

#include "certificate/certificate_choice.hpp"
#include "certificate/from_problem.hpp"
#include "certificate/portfolio.hpp"
#include "certificate/record_json.hpp"
#include "controller/closed_loop.hpp"
#include "controller/fit.hpp"
#include "loopcert/core/error.hpp"
#include "response/lqr.hpp"
#include "system/doubts.hpp"
#include "workflow/freshness.hpp"
#include "workflow/record_files.hpp"

namespace loopcert {
namespace {

// A controller that fits the problem and was not learned from these trajectories.
void check_usable(const NamedController& named, const Problem& problem, const Disturbances& data) {
  check_fits(named.name, named.controller, problem.sizes(), "the problem");
  check_fresh(named.controller, data, named.name);
}

bool is_lqr(const NamedController& named) {
  return named.name == "lqr" && named.controller.K.size() == 0;
}

// nullptr for the portfolio.
const FixedResponseKind* kind_of(const std::string& name, const Disturbances& data, bool baseline) {
  const FixedResponseKind* kind = name == "best" ? nullptr : &fixed_response_kind(name);
  if (data.n() == 0 && !(kind && kind->events.empty()))
    throw_input_error("data", "no trajectories", "some for certificate '" + name + "'");
  if (baseline && !(kind && kind->compares))
    throw InputError("baseline: certificate '" + name + "' uses no baseline");
  return kind;
}

}  // namespace

CertifyRun run_certify(Problem problem, const NamedController& controller, const Disturbances& data,
                       const std::string& kind_name,
                       const std::optional<NamedController>& baseline) {
  require_known_plant(problem, "certify");
  check_stated_colour(problem);
  const FixedResponseKind* kind = kind_of(kind_name, data, baseline.has_value());
  const bool compares = kind && kind->compares;
  const bool given = baseline && !is_lqr(*baseline);  // a controller of one's own
  const bool own = compares && !baseline && problem.baseline;
  if (data.n() > 0) check_disturbances(data, problem.sizes());
  check_usable(controller, problem, data);
  if (given) check_usable(*baseline, problem, data);
  if (own) check_fresh(problem.baseline->controller, data, "the baseline");

  problem.certificate.kind = kind_name;
  problem.certificate.delta = total_delta(problem);
  problem.certificate.parts.clear();
  const Response response = closed_loop_response(problem.system, controller.controller);
  const Response other = given ? closed_loop_response(problem.system, baseline->controller)
                         : own ? baseline_response(problem)
                               : lqr_response(problem.system);
  CertifyRun run;
  run.certificate = with_likely_mistake(problem.system.plant, [&] {
    return kind ? kind->evaluate({problem.system, response, problem.disturbance,
                                  evidence_if_any(data), deltas_for(*kind, total_delta(problem), 1),
                                  compares ? &other : nullptr})
                : best_fixed_certificate(problem, response, data);
  });
  run.inputs = certificate_inputs(problem_inputs(problem), hashes_of(data));
  run.controller_file =
      add_controller(run.inputs, "controller", "controller.json", controller.controller);
  if (given)
    run.baseline_file =
        add_controller(run.inputs, "baseline", "baseline.json", baseline->controller);
  else if (compares)
    run.inputs["baseline"] = own ? "problem" : "lqr";
  run.warnings = data_warnings(problem, data, {&run.certificate});
  run.logged_cost = logged_cost(problem.system, data);
  run.signals = report_signals(problem, response, data);
  run.limits = report_limits(problem, response, lqr_response(problem.system), data);
  if (run.limits && (data.n() > 0 || problem.limits->robust))
    run.limits->bound = certify_limits(problem, {UseOfData::fixed, {response}}, data);
  run.problem = std::move(problem);
  run.controller = controller.controller;
  run.data = data;
  return run;
}

nlohmann::json certify_run_to_json(const CertifyRun& run) {
  nlohmann::json record = certificate_to_json(run.certificate, run.inputs);
  add_looks(record, run.warnings, run.logged_cost);
  add_limits(record, run.limits, run.signals, &run.certificate);
  return record;
}

}  // namespace loopcert
