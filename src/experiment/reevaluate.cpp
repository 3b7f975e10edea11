#include <fmt/format.h>

#include <cmath>

#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/file.hpp"
#include "loopcert/core/sha256.hpp"
#include "loopcert/experiment/certificate_files.hpp"
#include "loopcert/response/lqr.hpp"

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

// The controller that `inputs` names under `role`, from the file beside the certificate.
Response controller_response(const json& inputs, const std::string& role,
                             const std::filesystem::path& path, const Problem& problem) {
  const std::string bytes = read_beside(path, text_input(inputs, role.c_str()));
  check_hash(role, sha256_hex(bytes), text_input(inputs, (role + "_sha256").c_str()));
  const json tree = json::parse(bytes, nullptr, false);
  if (tree.is_discarded()) throw_input_error(role, "no valid JSON", "a controller file");
  const Controller controller = controller_from_json(tree);
  const auto used = controller.provenance.find("data_sha256");
  if (used != controller.provenance.end() && used->second == text_input(inputs, "data_sha256"))
    throw_input_error("data", "the very trajectories that the " + role + " was learned from",
                      "fresh ones");
  if (controller.K.rows() != problem.sizes().d_u() || controller.K.cols() != problem.sizes().d_w())
    throw_input_error(role, "another size", "that of the problem");
  return closed_loop_response(problem.system, controller);
}

Certificate recompute_fixed(const Certificate& recorded, const std::filesystem::path& path,
                            const Problem& problem, const Evidence& evidence) {
  const json& inputs = recorded.inputs;
  const FixedKind& kind = fixed_kind(recorded.kind);
  const Response response = controller_response(inputs, "controller", path, problem);
  std::optional<Response> baseline;
  if (kind.compares)
    baseline = text_input(inputs, "baseline") == "lqr"
                   ? lqr_response(problem.system)
                   : controller_response(inputs, "baseline", path, problem);
  const Assumptions assumptions = assumptions_of(problem);
  return kind.evaluate({problem.system, response, assumptions, evidence,
                        deltas_of(problem, kind.events), baseline ? &*baseline : nullptr});
}

Certificate recompute(const Certificate& recorded, const std::filesystem::path& path,
                      const Problem& problem, const Disturbances& data) {
  const json& inputs = recorded.inputs;
  if (recorded.subject.starts_with("controller"))
    return recompute_fixed(recorded, path, problem, data.n() > 0 ? evidence_of(data) : Evidence{});
  const Evidence evidence = evidence_of(data);
  const Assumptions assumptions = assumptions_of(problem);
  const CertificateKind& kind = certificate_kind(recorded.kind);
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  const std::string bytes = read_beside(path, text_input(inputs, "posterior"));
  check_hash("posterior", sha256_hex(bytes), text_input(inputs, "posterior_sha256"));
  const Posterior posterior = at_place("posterior", [&] { return parse_posterior(bytes); });
  const Prior prior = make_prior(problem, space);
  if (inputs.value("prior", json()) !=
      json{{"center", problem.learning.prior_center}, {"scale", prior.scale}})
    throw_input_error("inputs.prior", "another prior", "that of the problem");
  const Setting setting{problem.system, space, assumptions, evidence,
                        deltas_of(problem, kind.events)};
  return evaluate_certificate(kind, setting, prior, posterior);
}

// The first thing in which two records differ; "" when they agree.
std::string difference(const Certificate& a, const Certificate& b) {
  const auto near = [](double x, double y) {
    return std::abs(x - y) <= 1e-9 * std::max(1.0, std::abs(y));
  };
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

Certificate read_certificate(const std::filesystem::path& path) {
  const json tree = parse_certificate_file(path);
  return at_place(path.string(), [&] { return certificate_from_json(tree); });
}

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
    // A certificate without events may stand on no data at all.
    if (result.recorded.n > 0 || data.n() > 0) check_disturbances(data, problem.sizes());
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
