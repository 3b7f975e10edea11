#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "certificate/record_json.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "data/hash.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/verification/recheck.hpp"
#include "problem/problem_json.hpp"
#include "recompute.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

json parse_certificate_file(const std::filesystem::path& path) {
  const std::string text = read_file(path, largest_record);
  return at_place(path.string(), [&] { return parse_json(text); });
}

Problem problem_of(const json& inputs) {
  if (!inputs.is_object() || !inputs.contains("problem"))
    throw_input_error("inputs.problem", "nothing", "the problem");
  return at_place("inputs.problem", [&] { return problem_from_json(inputs["problem"]); });
}

// Equal up to rounding, which is a part of `size`, and of y.
bool near(double x, double y, double size) {
  return std::abs(x - y) <= 1e-9 * std::max(size, std::abs(y));
}

// Everything equal, numbers up to rounding.
bool same_candidate(Candidate a, const Candidate& b, double size) {
  if (a.value && b.value && near(*a.value, *b.value, size)) a.value = b.value;
  return a == b;
}

bool same_statement(Statement a, const Statement& b) {
  for (auto& [name, value] : a.parameters)
    if (const auto found = b.parameters.find(name);
        found != b.parameters.end() && near(value, found->second, 0))
      value = found->second;
  return a == b;
}

bool same_event(Event a, const Event& b) {
  if (same_statement(a.statement, b.statement)) a.statement = b.statement;
  return a == b;
}

// Of a difference the record does not know how large the two costs are.
double size_of(const Certificate& c) {
  double size = is_difference(c) ? 1 : 0;
  for (const Term& term : c.terms) size += std::abs(term.value);
  return size;
}

}  // namespace

std::string difference(const Certificate& a, const Certificate& b) {
  const double size = size_of(b);
  if (a.chosen != b.chosen) return "chosen";
  if (a.subject != b.subject) return "subject";
  if (a.functional != b.functional) return "functional";
  if (a.oracle != b.oracle) return "oracle";
  if (a.n != b.n) return "n";
  if (a.assumptions != b.assumptions) return "assumptions";
  if (a.terms.size() != b.terms.size()) return "terms";
  for (size_t i = 0; i < a.terms.size(); ++i)
    if (a.terms[i].id != b.terms[i].id || !near(a.terms[i].value, b.terms[i].value, size))
      return fmt::format("term '{}': {} recorded, {} recomputed", b.terms[i].id, a.terms[i].value,
                         b.terms[i].value);
  if (a.events.size() != b.events.size()) return "events";
  for (size_t i = 0; i < a.events.size(); ++i)
    if (!same_event(a.events[i], b.events[i])) return "event '" + b.events[i].id + "'";
  if (a.all.size() != b.all.size()) return "all";
  for (size_t i = 0; i < b.all.size(); ++i)
    if (!same_candidate(a.all[i], b.all[i], size)) return "all: '" + b.all[i].kind + "'";
  if (!near(a.value, b.value, size))
    return fmt::format("value: {} recorded, {} recomputed", a.value, b.value);
  if (std::abs(a.confidence - b.confidence) > 1e-12) return "confidence";
  if (a.kl.has_value() != b.kl.has_value()) return "kl";
  if (a.kl && !near(*a.kl, *b.kl, 1))
    return fmt::format("kl: {} recorded, {} recomputed", *a.kl, *b.kl);
  // The minimum is flat, and any lambda is valid.
  const auto same_lambda = [](double x, double y) { return std::abs(x - y) <= 1e-4 * y; };
  if (a.lambda.has_value() != b.lambda.has_value() ||
      (a.lambda && !same_lambda(*a.lambda, *b.lambda)))
    return "lambda";
  if (!std::equal(a.lambdas.begin(), a.lambdas.end(), b.lambdas.begin(), b.lambdas.end(),
                  same_lambda))
    return "lambdas";
  return "";
}

CertificateRecord read_record(const std::filesystem::path& path) {
  const json tree = parse_certificate_file(path);
  return at_place(path.string(), [&] { return record_from_json(tree); });
}

Certificate read_certificate(const std::filesystem::path& path) {
  return read_record(path).certificate;
}

Problem problem_of_certificate(const std::filesystem::path& path) {
  const CertificateRecord record = read_record(path);
  return at_place(path.string(), [&] { return problem_of(record.inputs); });
}

Reevaluation reevaluate_certificate(const std::filesystem::path& path, const Disturbances& data) {
  const CertificateRecord record = read_record(path);
  return at_place(path.string(), [&] {
    Reevaluation result;
    result.recorded = record.certificate;
    const json& inputs = record.inputs;
    const Problem problem = problem_of(inputs);
    // A certificate without events may stand on no data at all.
    if (result.recorded.n > 0 || data.n() > 0) check_disturbances(data, problem.sizes());
    check_hash("problem", problem_hash(problem), text_input(inputs, "problem_sha256"));
    // Logs are known by what was logged; w follows from it and the problem.
    if (data.from_logs() && inputs.contains("logs_sha256"))
      check_hash("data", logs_hash(data), text_input(inputs, "logs_sha256"));
    else
      check_hash("data", data_hash(data), text_input(inputs, "data_sha256"));
    result.recomputed = recompute_certificate(record, path, problem, data);
    result.disagreement = difference(result.recorded, result.recomputed);
    result.agrees = result.disagreement.empty();
    return result;
  });
}

}  // namespace loopcert
