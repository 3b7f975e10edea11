#include "recompute.hpp"

#include <algorithm>

#include "certificate/certificate_choice.hpp"
#include "certificate/deployment.hpp"
#include "certificate/from_problem.hpp"
#include "certificate/limits.hpp"
#include "certificate/portfolio.hpp"
#include "certificate/record_arrays.hpp"
#include "controller/closed_loop.hpp"
#include "controller/controller_trees.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/json_fields.hpp"
#include "core/sha256.hpp"
#include "learning/priors.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "response/coloured.hpp"
#include "response/space.hpp"
#include "workflow/freshness.hpp"

namespace loopcert {

using nlohmann::json;

std::string text_input(const json& inputs, const char* key) {
  if (!has_text(inputs, key)) throw_input_error(std::string("inputs.") + key, "nothing", "a text");
  return text_at(inputs, key);
}

void check_hash(const std::string& what, const std::string& found, const std::string& recorded) {
  if (found != recorded)
    throw InputError(what +
                     ": not the one that the certificate was computed from: its SHA-256 is " +
                     found.substr(0, 16) + "..., recorded is " + recorded.substr(0, 16) + "...");
}

namespace {

// A file beside the certificate, by a plain name: a certificate must not lead elsewhere.
std::string read_beside(const std::filesystem::path& certificate, const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos || name == ".." || name == ".")
    throw_input_error("inputs", "'" + name + "'", "the name of a file next to the certificate");
  return read_file(certificate.parent_path() / name, largest_record);
}

}  // namespace

std::string read_checked(const std::filesystem::path& certificate, const json& inputs,
                         const std::string& role) {
  const std::string bytes = read_beside(certificate, text_input(inputs, role.c_str()));
  check_hash(role, sha256_hex(bytes), text_input(inputs, (role + "_sha256").c_str()));
  return bytes;
}

namespace {

double colour_of(const json& inputs) {
  const json colour = inputs["deployment"].value("colour", json());
  for (const double a : lqr_colours())
    if (colour == json(a)) return a;
  throw_input_error("inputs.deployment.colour", colour.dump(), "one that auto chooses among");
}

Response response_without_data(const Problem& problem, const LearnMethod& method,
                               const Deployment& deployment) {
  if (deployment.candidates > 1 && !deployment.colour) return baseline_response(problem);
  if (deployment.colour)
    return coloured_response(problem.system, lqr_gains(problem.system), *deployment.colour);
  const LearnCallbacks none;
  const ResponseSpace space = make_response_space(
      problem.system, method.coordinates ? problem.response : around_lqr(problem.response.affine));
  return method.learn({problem, {}, space, {}, none}).response;
}

// A response that claims to owe nothing to data must be the one that its method gives without any.
void check_fixed(const Problem& problem, const LearnMethod& method, const Deployment& deployment) {
  if (deployment.use_of_data != UseOfData::fixed) return;
  if (method.needs_data && deployment.candidates == 1)
    throw_input_error("inputs.deployment.way", "'fixed'",
                      "another way for method " + method.name + ", which uses data");
  const Response expected = response_without_data(problem, method, deployment);
  if (deployment.responses.size() != 1 ||
      !(relative_distance(problem.system, deployment.responses[0], expected) <= 1e-9))
    throw InputError("responses: not the response of method " + method.name + " without data");
}

// A certificate from learn for PAC-Bayes posteriors.
Certificate recompute_posterior(const CertificateRecord& record, const std::filesystem::path& path,
                                const Problem& problem, const ResponseSpace& space,
                                const Disturbances& data) {
  const auto& [recorded, inputs] = record;
  const std::string bytes = read_checked(path, inputs, "posterior");
  const Posterior posterior = at_place("posterior", [&] { return parse_posterior(bytes); });
  if (is_violation(recorded))
    return certify_limits(
               problem,
               {UseOfData::whole, {response_at(problem.system, space.coordinates, posterior.mean)}},
               data)
        .certificate;
  const PriorSetting priors = make_priors(problem, space, data);
  const auto choices = static_cast<Index>(priors.priors.size());
  const auto prior =
      std::find_if(priors.priors.begin(), priors.priors.end(), [&](const Prior& candidate) {
        return inputs.value("prior", json()) == prior_to_json(problem, candidate);
      });
  if (prior == priors.priors.end())
    throw InputError("inputs.prior: not a prior that the problem names");
  if (recorded.kind == "best")
    return best_posterior_certificate(problem, space, priors.certifying, *prior, choices,
                                      posterior);
  const PosteriorKind& kind = posterior_kind(recorded.kind);
  return evaluate_choice(problem, space, priors.certifying, kind, deltas_of(problem, kind.events),
                         *prior, choices, posterior);
}

// The responses that a record is about, and how they met the data.
Deployment deployment_of(const CertificateRecord& record, const std::filesystem::path& path,
                         const Problem& problem, const LearnMethod& method) {
  const json& inputs = record.inputs;
  const std::string bytes = read_checked(path, inputs, "responses");
  Deployment deployment{
      use_of_data_from_name(text_input(inputs["deployment"], "way"), "inputs.deployment.way"),
      at_place("responses", [&] { return parse_responses(problem.system, bytes); })};
  if (method.gated && deployment.use_of_data == UseOfData::fixed) {
    deployment.candidates = auto_candidates(problem);
    const bool fell_back = inputs["deployment"].value("baseline", json(false)) == json(true);
    if (fell_back && !(problem.baseline && problem.baseline->fallback))
      throw_input_error("inputs.deployment.baseline", "true", "nothing: auto may not fall back");
    if (!fell_back) deployment.colour = colour_of(inputs);
  }
  deployment.gated = method.gated && deployment.use_of_data == UseOfData::cross &&
                     problem.certificate.kind == "best";
  deployment.path = at_place("responses", [&] { return parse_path(problem.system, bytes); });
  if (deployment.path.empty()) return deployment;
  if (deployment.use_of_data != UseOfData::hold_out || !problem.limits ||
      deployment.path.back().Phi_u != deployment.responses.at(0).Phi_u ||
      deployment.path.back().phi_u != deployment.responses.at(0).phi_u)
    throw InputError("responses: the path does not end with what was deployed");
  return deployment;
}

// A certificate from learn for responses that parts of the data certify.
Certificate recompute_deployment(const CertificateRecord& record, const std::filesystem::path& path,
                                 const Problem& problem, const Disturbances& data) {
  const auto& [recorded, inputs] = record;
  const LearnMethod& method =
      find_learn_method(text_input(inputs["deployment"], "method"), "inputs.deployment.method");
  const Deployment deployment = deployment_of(record, path, problem, method);
  if (problem.baseline) check_fresh(problem.baseline->controller, data, "the baseline");
  check_fixed(problem, method, deployment);
  if (is_violation(recorded)) {
    if (deployment.path.empty()) return certify_limits(problem, deployment, data).certificate;
    const LimitsPath found = test_path(problem, deployment.path, data);
    if (found.place + 1 != deployment.path.size())
      throw InputError("responses: the path does not lead to what was deployed");
    return found.bound.certificate;
  }
  if (is_difference(recorded)) {
    const std::optional<Certificate> improvement = certified_improvement(problem, deployment, data);
    if (!improvement) throw_input_error("kind", recorded.kind, "one whose assumptions are stated");
    return *improvement;
  }
  const CertificateChoice choice = certificate_choice(recorded.kind);
  if (choice.route == Route::best)
    return best_certificate(
        problem, deployment.path.empty() ? deployable(method) : Deployable::part, deployment, data);
  if (!choice.fixed) throw_input_error("kind", recorded.kind, "a hold-out or cross kind");
  return certify_deployment(problem, deployment, data, *choice.fixed, total_delta(problem));
}

// The controller that `inputs` names under `role`, from the file beside the certificate.
Response controller_response(const json& inputs, const std::string& role,
                             const std::filesystem::path& path, const Problem& problem,
                             const Disturbances& data) {
  const std::string bytes = read_checked(path, inputs, role);
  const Controller controller =
      at_place(role, [&] { return controller_from_json(parse_json(bytes)); });
  check_fresh(controller, data, "the " + role);
  if (controller.K.rows() != problem.sizes().d_u() || controller.K.cols() != problem.sizes().d_y())
    throw InputError(role + ": its size is not that of the problem");
  return closed_loop_response(problem.system, controller);
}

Certificate recompute_fixed(const CertificateRecord& record, const std::filesystem::path& path,
                            const Problem& problem, const Disturbances& data) {
  const auto& [recorded, inputs] = record;
  const Response response = controller_response(inputs, "controller", path, problem, data);
  if (is_violation(recorded))
    return certify_limits(problem, {UseOfData::fixed, {response}}, data).certificate;
  if (recorded.kind == "best") return best_fixed_certificate(problem, response, data);
  const FixedResponseKind& kind = fixed_response_kind(recorded.kind);
  std::optional<Response> baseline;
  if (kind.compares) {
    const std::string name = text_input(inputs, "baseline");
    if (name == "problem" && problem.baseline)
      check_fresh(problem.baseline->controller, data, "the baseline");
    baseline = name == "lqr"       ? lqr_response(problem.system)
               : name == "problem" ? baseline_response(problem)
                                   : controller_response(inputs, "baseline", path, problem, data);
  }
  const Assumptions& assumptions = problem.disturbance;
  return kind.evaluate({problem.system, response, assumptions, evidence_if_any(data),
                        deltas_for(kind, total_delta(problem), 1),
                        baseline ? &*baseline : nullptr});
}

}  // namespace

Certificate recompute_certificate(const CertificateRecord& record,
                                  const std::filesystem::path& path, const Problem& problem,
                                  const Disturbances& data) {
  const json& inputs = record.inputs;
  if (inputs.contains("controller")) return recompute_fixed(record, path, problem, data);
  if (inputs.contains("deployment")) return recompute_deployment(record, path, problem, data);
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  return recompute_posterior(record, path, problem, space, data);
}

}  // namespace loopcert
