// certificate.json, format 2: docs/certificates.md.
#include <algorithm>
#include <array>
#include <limits>

#include "certificate/record_json.hpp"
#include "core/json_fields.hpp"
#include "core/text.hpp"
#include "loopcert/certificate/record.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

constexpr const char* format_name = "loopcert certificate 2";
constexpr const char* former_format = "loopcert certificate 1";
const std::array<std::string, 3> subjects = {"controller", "mean-response", "posterior-average"};

template <class Value>
json or_null(const std::optional<Value>& value) {
  return value ? json(*value) : json();
}
json or_null(const std::string& text) { return text.empty() ? json() : json(text); }
json or_null(Index count) { return count == 0 ? json() : json(count); }

json statement_to_json(const Statement& s) {
  return {{"id", s.id}, {"parameters", json(s.parameters)}};
}

Statement statement_from_json(const json& tree) {
  Statement s{text_field(tree, "id")};
  const json& parameters = field(tree, "parameters");
  if (!parameters.is_object())
    throw_input_error("parameters", parameters.type_name(), "names and numbers");
  for (const auto& [name, value] : parameters.items())
    s.parameters[name] = number_field(parameters, name);
  return s;
}

json event_to_json(const Event& e) {
  return {{"kind", or_null(e.kind)},
          {"fold", or_null(e.fold)},
          {"id", e.id},
          {"delta", e.delta},
          {"choices", e.choices},
          {"statement", statement_to_json(e.statement)}};
}

Event event_from_json(const json& tree) {
  constexpr Index most = 1'000'000'000;
  Event e{text_field(tree, "id"), number_field(tree, "delta"),
          statement_from_json(field(tree, "statement"))};
  e.choices = whole_field(tree, "choices", 1, most);
  e.kind = optional_text(tree, "kind");
  if (!field(tree, "fold").is_null()) e.fold = whole_field(tree, "fold", 1, most);
  return e;
}

json candidate_to_json(const Candidate& c) {
  json needs;
  if (c.needs)
    needs = {{"place", c.needs->place}, {"found", c.needs->found}, {"expected", c.needs->expected}};
  return {{"kind", c.kind},
          {"status", c.status},
          {"delta", c.delta},
          {"chosen", c.chosen},
          {"value", or_null(c.value)},
          {"needs", needs},
          {"dominated_by", or_null(c.dominated_by)},
          {"failure", or_null(c.failure)}};
}

Candidate candidate_from_json(const json& tree) {
  Candidate c{text_field(tree, "kind"),
              text_field(tree, "status"),
              number_field(tree, "delta"),
              flag_field(tree, "chosen"),
              optional_number(tree, "value"),
              std::nullopt,
              optional_text(tree, "dominated_by"),
              optional_text(tree, "failure")};
  if (const json& needs = field(tree, "needs"); !needs.is_null())
    c.needs = {text_field(needs, "place"), text_field(needs, "found"),
               text_field(needs, "expected")};
  return c;
}

Subject subject_of(const std::string& name) {
  const auto found = std::find(subjects.begin(), subjects.end(), name);
  if (found == subjects.end())
    throw_input_error("subject", "'" + name + "'", join({subjects.begin(), subjects.end()}, " | "));
  return static_cast<Subject>(found - subjects.begin());
}

template <class Value, class Function>
json list_of(const std::vector<Value>& values, const Function& to_json) {
  json list = json::array();
  for (const Value& value : values) list.push_back(to_json(value));
  return list;
}

}  // namespace

const std::string& subject_name(Subject subject) {
  return subjects.at(static_cast<std::size_t>(subject));
}

json certificate_to_json(const Certificate& c, const json& inputs) {
  json tree = {{"format", format_name},
               {"kind", c.kind},
               {"chosen", or_null(c.chosen)},
               {"subject", subject_name(c.subject)},
               {"functional", statement_to_json(c.functional)},
               {"oracle", c.oracle},
               {"value", c.value},
               {"confidence", c.confidence},
               {"terms", list_of(c.terms,
                                 [](const Term& t) {
                                   return json{{"id", t.id}, {"value", t.value}};
                                 })},
               {"events", list_of(c.events, event_to_json)},
               {"assumptions", list_of(c.assumptions, statement_to_json)},
               {"n", c.n},
               {"kl", or_null(c.kl)},
               {"lambda", or_null(c.lambda)},
               {"solver",
                {{"status", c.solver.status},
                 {"iterations", c.solver.iterations},
                 {"gradient_norm", c.solver.gradient_norm}}},
               {"all", list_of(c.all, candidate_to_json)},
               {"inputs", inputs}};
  if (!c.lambdas.empty()) tree["lambdas"] = c.lambdas;
  return tree;
}

CertificateRecord record_from_json(const json& tree) {
  if (field(tree, "format") == former_format)
    throw InputError(
        "format: a certificate of version 0.1, whose records hold sentences: learn or certify "
        "again "
        "with this version");
  require_format(tree, format_name);
  Certificate c;
  c.kind = text_field(tree, "kind");
  c.chosen = optional_text(tree, "chosen");
  c.subject = subject_of(text_field(tree, "subject"));
  c.functional = statement_from_json(field(tree, "functional"));
  c.oracle = flag_field(tree, "oracle");
  c.value = number_field(tree, "value");
  c.confidence = number_field(tree, "confidence");
  for (const json& t : list_field(tree, "terms"))
    c.terms.push_back({text_field(t, "id"), number_field(t, "value")});
  for (const json& e : list_field(tree, "events")) c.events.push_back(event_from_json(e));
  for (const json& a : list_field(tree, "assumptions"))
    c.assumptions.push_back(statement_from_json(a));
  c.n = whole_field(tree, "n", 0, std::numeric_limits<Index>::max());
  c.kl = optional_number(tree, "kl");
  c.lambda = optional_number(tree, "lambda");
  if (tree.contains("lambdas"))
    for (const json& lambda : list_field(tree, "lambdas")) {
      if (!lambda.is_number()) throw_input_error("lambdas", lambda.type_name(), "numbers");
      c.lambdas.push_back(lambda.get<double>());
    }
  const json& solver = field(tree, "solver");
  c.solver = {
      text_field(solver, "status"),
      static_cast<int>(whole_field(solver, "iterations", 0, std::numeric_limits<int>::max())),
      number_field(solver, "gradient_norm")};
  for (const json& row : list_field(tree, "all")) c.all.push_back(candidate_from_json(row));
  return {std::move(c), field(tree, "inputs")};
}

Certificate certificate_from_json(const json& tree) { return record_from_json(tree).certificate; }

}  // namespace loopcert
