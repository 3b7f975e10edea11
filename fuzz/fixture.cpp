#include "fixture.hpp"

#include "certificate/from_problem.hpp"
#include "certificate/record_arrays.hpp"
#include "certificate/record_json.hpp"
#include "controller/closed_loop.hpp"
#include "controller/controller_trees.hpp"
#include "core/sha256.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/data/law.hpp"
#include "problem/problem_json.hpp"
#include "workflow/learn_run.hpp"
#include "workflow/record_files.hpp"

namespace loopcert::fuzz {

Problem small_problem(const std::string& method, const std::string& kind) {
  return problem_from_json({{"name", "small"},
                            {"horizon", 2},
                            {"system", {{"A", {{0.9}}}, {"B", {{1.0}}}}},
                            {"cost", {{"Q", {1.0}}, {"R", {1.0}}}},
                            {"disturbance", {{"scale_bound", 0.1}, {"covariance", 0.1}}},
                            {"learning", {{"method", method}}},
                            {"certificate", {{"kind", kind}, {"delta", 0.05}}}});
}

Disturbances small_data() {
  return sample_disturbances(*small_problem("lqr", "hold-out").disturbance.law, {1, 0}, 12);
}

HonestRun posterior_run() {
  const LearnRun run = run_learn(small_problem("pac-bayes", "data-driven"), small_data());
  return {"posterior", "posterior.npz", format_posterior(*run.posterior),
          certificate_to_json(*run.certificate, run.inputs),
          controller_to_json(run.controller).dump()};
}

HonestRun responses_run() {
  const LearnRun run = run_learn(small_problem("ridge", "cross"), small_data());
  return {"responses", "responses.npz", format_responses(run.deployment.value()),
          certificate_to_json(*run.certificate, run.inputs),
          controller_to_json(run.controller).dump()};
}

// As `loopcert certify` makes it.
HonestRun controller_run() {
  const Problem problem = small_problem("lqr", "hold-out");
  const Disturbances data = small_data();
  const Disturbances none{Matrix(0, problem.sizes().d_w())};
  const Controller lqr = run_learn(small_problem("lqr", "assumed-scale"), none).controller;
  const Response response = closed_loop_response(problem.system, lqr);
  const FixedResponseKind& kind = fixed_response_kind("hold-out");
  const Assumptions& assumptions = problem.disturbance;
  const Certificate certificate =
      kind.evaluate({problem.system, response, assumptions, evidence_if_any(data),
                     deltas_of(problem, kind.events)});
  const std::string content = controller_to_json(lqr).dump(1) + "\n";
  nlohmann::json inputs = certificate_inputs(problem_inputs(problem), hashes_of(data));
  inputs["controller"] = "controller.json";
  inputs["controller_sha256"] = sha256_hex(content);
  return {"controller", "controller.json", content, certificate_to_json(certificate, inputs),
          content};
}

}  // namespace loopcert::fuzz
