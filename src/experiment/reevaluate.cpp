#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/file.hpp"
#include "loopcert/core/sha256.hpp"
#include "loopcert/experiment/certificate_choice.hpp"
#include "loopcert/experiment/certificate_files.hpp"
#include "loopcert/experiment/deployment.hpp"
#include "loopcert/experiment/priors.hpp"
#include "portfolio.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

constexpr std::uintmax_t size_limit = std::uintmax_t{1} << 30;

json parse_certificate_file(const std::filesystem::path& path) {
  const json tree = json::parse(read_file(path, size_limit), nullptr, /*allow_exceptions=*/false);
  if (tree.is_discarded()) throw_input_error(path.string(), "no valid JSON", "a certificate file");
  return tree;
}

std::string text_input(const json& inputs, const char* key) {
  if (!inputs.is_object() || !inputs.contains(key) || !inputs[key].is_string())
    throw_input_error(std::string("inputs.") + key, "nothing", "a text");
  return inputs[key].get<std::string>();
}

Problem problem_of(const json& inputs) {
  if (!inputs.is_object() || !inputs.contains("problem"))
    throw_input_error("inputs.problem", "nothing", "the problem");
  return at_place("inputs.problem", [&] { return problem_from_json(inputs["problem"]); });
}

void check_hash(const std::string& what, const std::string& found, const std::string& recorded) {
  if (found != recorded)
    throw_input_error(what, "SHA-256 " + found.substr(0, 16) + "...",
                      recorded.substr(0, 16) + "... as the certificate says");
}

// A file beside the certificate, by a plain name: a certificate must not lead elsewhere.
std::string read_beside(const std::filesystem::path& certificate, const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos || name == ".." || name == ".")
    throw_input_error("inputs", "'" + name + "'", "the name of a file beside the certificate");
  return read_file(certificate.parent_path() / name, size_limit);
}

// A response that claims to owe nothing to data must be the one that its method gives without any.
void check_way(const Problem& problem, const LearnMethod& method, const Deployment& deployment,
               const ResponseSpace& space) {
  for (const char* way : {"hold-out", "cross", "whole"})
    if (deployment.way == way) return;
  if (deployment.way != "fixed")
    throw_input_error("inputs.deployment.way", "'" + deployment.way + "'",
                      "fixed | hold-out | cross | whole");
  const LearnMethod& source = method.gated ? find_learn_method("lqr") : method;
  if (source.needs_data)
    throw_input_error("inputs.deployment.way", "'fixed'",
                      "another way for method " + method.name + ", which uses data");
  const LearnCallbacks none;
  const Response expected = source.learn({problem, {}, space, {}, none}).response;
  const Response& found = deployment.responses.at(0);
  const double size = std::max(1.0, expected.Phi_u.cwiseAbs().maxCoeff());
  if (deployment.responses.size() != 1 ||
      (found.Phi_u - expected.Phi_u).cwiseAbs().maxCoeff() > 1e-9 * size ||
      (found.phi_u - expected.phi_u).cwiseAbs().maxCoeff() > 1e-9 * size)
    throw_input_error("responses", "another response",
                      "that of method " + source.name + ", which uses no data");
}

// A certificate from learn for PAC-Bayes posteriors.
Certificate recompute_posterior(const Certificate& recorded, const std::filesystem::path& path,
                                const Problem& problem, const ResponseSpace& space,
                                const Disturbances& data) {
  const json& inputs = recorded.inputs;
  const std::string bytes = read_beside(path, text_input(inputs, "posterior"));
  check_hash("posterior", sha256_hex(bytes), text_input(inputs, "posterior_sha256"));
  const Posterior posterior = at_place("posterior", [&] { return parse_posterior(bytes); });
  const PriorSetting priors = make_priors(problem, space, data);
  const auto choices = static_cast<Index>(priors.priors.size());
  const auto prior =
      std::find_if(priors.priors.begin(), priors.priors.end(), [&](const Prior& candidate) {
        return inputs.value("prior", json()) == prior_to_json(problem, candidate);
      });
  if (prior == priors.priors.end())
    throw_input_error("inputs.prior", "another prior", "one that the problem names");
  if (recorded.kind == "best")
    return best_posterior_certificate(problem, space, priors.certifying, *prior, choices,
                                      posterior);
  const CertificateKind& kind = certificate_kind(recorded.kind);
  return evaluate_choice(problem, space, priors.certifying, kind, deltas_of(problem, kind.events),
                         *prior, choices, posterior);
}

// A certificate from learn for responses that parts of the data certify.
Certificate recompute_deployment(const Certificate& recorded, const std::filesystem::path& path,
                                 const Problem& problem, const ResponseSpace& space,
                                 const Disturbances& data) {
  const json& inputs = recorded.inputs;
  const std::string bytes = read_beside(path, text_input(inputs, "responses"));
  check_hash("responses", sha256_hex(bytes), text_input(inputs, "responses_sha256"));
  const Deployment deployment{text_input(inputs["deployment"], "way"), at_place("responses", [&] {
                                return parse_responses(problem.system, bytes);
                              })};
  const LearnMethod& method =
      find_learn_method(text_input(inputs["deployment"], "method"), "inputs.deployment.method");
  check_way(problem, method, deployment, space);
  if (recorded.subject == "controller minus baseline") {
    const std::optional<Certificate> improvement = certified_improvement(problem, deployment, data);
    if (!improvement) throw_input_error("kind", recorded.kind, "one that is granted");
    return *improvement;
  }
  const CertificateChoice choice = certificate_choice(recorded.kind);
  if (choice.route == Route::best)
    return best_certificate(problem, method, space, deployment, data);
  if (!choice.fixed) throw_input_error("kind", recorded.kind, "a hold-out or cross kind");
  return certify_deployment(problem, deployment, data, *choice.fixed, total_delta(problem));
}

Certificate recompute(const Certificate& recorded, const std::filesystem::path& path,
                      const Problem& problem, const Disturbances& data) {
  const json& inputs = recorded.inputs;
  const Evidence evidence = evidence_of(data);
  const Assumptions assumptions = assumptions_of(problem);
  if (inputs.contains("controller")) {
    const FixedKind& kind = fixed_kind(recorded.kind);
    const std::string bytes = read_beside(path, text_input(inputs, "controller"));
    check_hash("controller", sha256_hex(bytes), text_input(inputs, "controller_sha256"));
    const json tree = json::parse(bytes, nullptr, false);
    if (tree.is_discarded()) throw_input_error("controller", "no valid JSON", "a controller file");
    const Controller controller = controller_from_json(tree);
    const auto used = controller.provenance.find("data_sha256");
    if (used != controller.provenance.end() && used->second == text_input(inputs, "data_sha256"))
      throw_input_error("data", "the very trajectories that the controller was learned from",
                        "fresh ones");
    if (controller.K.rows() != problem.sizes().d_u() ||
        controller.K.cols() != problem.sizes().d_w())
      throw_input_error("controller", "another size", "that of the problem");
    const Response response = closed_loop_response(problem.system, controller);
    return kind.evaluate(
        {problem.system, response, assumptions, evidence, deltas_of(problem, kind.events)});
  }
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  if (inputs.contains("deployment"))
    return recompute_deployment(recorded, path, problem, space, data);
  return recompute_posterior(recorded, path, problem, space, data);
}

// The first thing in which two records differ; "" when they agree.
std::string difference(const Certificate& a, const Certificate& b) {
  const auto near = [](double x, double y) {
    return std::abs(x - y) <= 1e-9 * std::max(1.0, std::abs(y));
  };
  if (a.chosen != b.chosen) return "chosen";
  if (a.subject != b.subject) return "subject";
  if (a.oracle != b.oracle) return "oracle";
  if (a.n != b.n) return "n";
  if (a.assumptions != b.assumptions) return "assumptions";
  if (a.terms.size() != b.terms.size()) return "terms";
  for (size_t i = 0; i < a.terms.size(); ++i)
    if (a.terms[i].name != b.terms[i].name || a.terms[i].symbol != b.terms[i].symbol ||
        !near(a.terms[i].value, b.terms[i].value))
      return fmt::format("term '{}': {} recorded, {} recomputed", b.terms[i].name, a.terms[i].value,
                         b.terms[i].value);
  if (a.events.size() != b.events.size()) return "events";
  for (size_t i = 0; i < a.events.size(); ++i)
    if (a.events[i].name != b.events[i].name || a.events[i].statement != b.events[i].statement ||
        a.events[i].delta != b.events[i].delta)
      return "event '" + b.events[i].name + "'";
  if (!near(a.value, b.value))
    return fmt::format("value: {} recorded, {} recomputed", a.value, b.value);
  if (std::abs(a.confidence - b.confidence) > 1e-12) return "confidence";
  const auto same = [](const std::optional<double>& x, const std::optional<double>& y, double by) {
    return x.has_value() == y.has_value() &&
           (!x || std::abs(*x - *y) <= by * std::max(1.0, std::abs(*y)));
  };
  if (!same(a.kl, b.kl, 1e-9)) return "kl";
  if (!same(a.lambda, b.lambda, 1e-4)) return "lambda";  // flat minimum, and any lambda is valid
  return "";
}

}  // namespace

Problem problem_of_certificate(const std::filesystem::path& path) {
  const json tree = parse_certificate_file(path);
  return at_place(path.string(), [&] { return problem_of(certificate_from_json(tree).inputs); });
}

Reevaluation reevaluate_certificate(const std::filesystem::path& path, const Disturbances& data) {
  const json tree = parse_certificate_file(path);
  return at_place(path.string(), [&] {
    Reevaluation result;
    result.recorded = certificate_from_json(tree);
    const Problem problem = problem_of(result.recorded.inputs);
    check_disturbances(data, problem.sizes());
    check_hash("problem", problem_hash(problem),
               text_input(result.recorded.inputs, "problem_sha256"));
    check_hash("data", data_hash(data), text_input(result.recorded.inputs, "data_sha256"));
    result.recomputed = recompute(result.recorded, path, problem, data);
    result.disagreement = difference(result.recorded, result.recomputed);
    result.agrees = result.disagreement.empty();
    return result;
  });
}

}  // namespace loopcert
