#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loopcert/core/error.hpp"
#include "loopcert/core/file.hpp"
#include "loopcert/core/json.hpp"
#include "loopcert/experiment/certificate_files.hpp"
#include "recompute.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

json parse_certificate_file(const std::filesystem::path& path) {
  const std::string text = read_file(path, largest_file);
  return at_place(path.string(), [&] { return parse_json(text); });
}

Problem problem_of(const json& inputs) {
  if (!inputs.is_object() || !inputs.contains("problem"))
    throw_input_error("inputs.problem", "nothing", "the problem");
  return at_place("inputs.problem", [&] { return problem_from_json(inputs["problem"]); });
}

// One row of a portfolio's list: everything equal, values up to rounding.
bool same_entry(json a, const json& b) {
  if (!a.is_object() || !a.contains("value")) return false;
  if (a["value"].is_number() && b.at("value").is_number() &&
      std::abs(a["value"].get<double>() - b["value"].get<double>()) <=
          1e-9 * std::max(1.0, std::abs(b["value"].get<double>())))
    a["value"] = b["value"];
  return a == b;
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
  if (a.all.size() != b.all.size()) return "all";
  for (size_t i = 0; i < b.all.size(); ++i)
    if (!same_entry(a.all[i], b.all[i]))
      return "all: '" + b.all[i].at("kind").get<std::string>() + "'";
  if (!near(a.value, b.value))
    return fmt::format("value: {} recorded, {} recomputed", a.value, b.value);
  if (std::abs(a.confidence - b.confidence) > 1e-12) return "confidence";
  const auto same = [](const std::optional<double>& x, const std::optional<double>& y, double by) {
    return x.has_value() == y.has_value() &&
           (!x || std::abs(*x - *y) <= by * std::max(1.0, std::abs(*y)));
  };
  if (!same(a.kl, b.kl, 1e-9)) return "kl";
  if (!same(a.lambda, b.lambda, 1e-4)) return "lambda";  // flat minimum, and any lambda is valid
  if (a.lambdas.size() != b.lambdas.size()) return "lambdas";
  for (size_t k = 0; k < a.lambdas.size(); ++k)
    if (!same(a.lambdas[k], b.lambdas[k], 1e-4)) return "lambdas";
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
    result.recomputed = recompute_certificate(result.recorded, path, problem, data);
    result.disagreement = difference(result.recorded, result.recomputed);
    result.agrees = result.disagreement.empty();
    return result;
  });
}

}  // namespace loopcert
