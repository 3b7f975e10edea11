#include "loopcert/certificate/record.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "loopcert/core/error.hpp"
#include "loopcert/core/text.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

constexpr const char* format_name = "loopcert certificate 1";

void require(bool holds, const std::string& what) {
  if (!holds) throw NumericsError("certificate refused: " + what);
}

const json& member(const json& tree, const char* key) {
  if (!tree.is_object()) throw_input_error("certificate", tree.type_name(), "an object");
  const auto found = tree.find(key);
  if (found == tree.end()) throw_input_error(key, "nothing", "this key");
  return *found;
}

// Typed access that turns the JSON library's exceptions into one clear line.
template <class Value>
Value get(const json& tree, const char* key) {
  const json& value = member(tree, key);
  try {
    return value.get<Value>();
  } catch (const json::exception&) {
    throw_input_error(key, one_line(value.dump()), "another type");
  }
}

double number(const json& tree, const char* key) {
  const json& value = member(tree, key);
  if (!value.is_number()) throw_input_error(key, one_line(value.dump()), "a number");
  return value.get<double>();
}

Index whole_number(const json& tree, const char* key, Index most) {
  const json& value = member(tree, key);
  const bool whole = value.is_number_integer() &&
                     (!value.is_number_unsigned() || value.get<std::uint64_t>() <= INT64_MAX);
  if (!whole || value.get<Index>() < 0 || value.get<Index>() > most)
    throw_input_error(key, one_line(value.dump()), fmt::format("a whole number up to {}", most));
  return value.get<Index>();
}

std::optional<double> optional_number(const json& tree, const char* key) {
  if (member(tree, key).is_null()) return std::nullopt;
  return number(tree, key);
}

json optional_json(const std::optional<double>& value) {
  return value ? json(*value) : json(nullptr);
}

}  // namespace

void check_certificate(const Certificate& c) {
  require(std::isfinite(c.value), "the value is not finite");
  double sum = 0, size = 0, delta = 0;
  for (const Term& term : c.terms) {
    require(std::isfinite(term.value), "term '" + term.name + "' is not finite");
    sum += term.value;
    size += std::abs(term.value);
  }
  require(!c.terms.empty() && std::abs(sum - c.value) <= 1e-12 * size,
          fmt::format("terms add up to {}, the value is {}", sum, c.value));
  for (const Event& event : c.events) {
    require(event.delta > 0 && event.delta < 1, "delta of event '" + event.name + "'");
    delta += event.delta;
  }
  // Without an event it follows from the assumptions alone: confidence 1, with or without data.
  require(delta < 1 && std::abs(1 - delta - c.confidence) <= 1e-12,
          fmt::format("deltas add up to {}, the confidence is {}", delta, c.confidence));
  require(!c.assumptions.empty(), "no assumptions are stated");
  require(c.n >= (c.events.empty() ? 0 : 1), "no data");
}

json certificate_to_json(const Certificate& c) {
  json terms = json::array(), events = json::array();
  for (const Term& t : c.terms)
    terms.push_back({{"name", t.name}, {"symbol", t.symbol}, {"value", t.value}});
  for (const Event& e : c.events)
    events.push_back({{"name", e.name}, {"delta", e.delta}, {"statement", e.statement}});
  json tree = {{"format", format_name},
               {"kind", c.kind},
               {"chosen", c.chosen.empty() ? json() : json(c.chosen)},
               {"subject", c.subject},
               {"oracle", c.oracle},
               {"value", c.value},
               {"confidence", c.confidence},
               {"terms", terms},
               {"events", events},
               {"assumptions", c.assumptions},
               {"n", c.n},
               {"kl", optional_json(c.kl)},
               {"lambda", optional_json(c.lambda)},
               {"solver",
                {{"status", c.solver.status},
                 {"iterations", c.solver.iterations},
                 {"gradient_norm", c.solver.gradient_norm}}},
               {"all", c.all},
               {"inputs", c.inputs}};
  if (!c.lambdas.empty()) tree["lambdas"] = c.lambdas;
  return tree;
}

Certificate certificate_from_json(const json& tree) {
  if (member(tree, "format") != format_name)
    throw_input_error("format", one_line(tree["format"].dump()),
                      fmt::format("\"{}\"", format_name));
  Certificate c;
  c.kind = get<std::string>(tree, "kind");
  if (!member(tree, "chosen").is_null()) c.chosen = get<std::string>(tree, "chosen");
  c.subject = get<std::string>(tree, "subject");
  c.oracle = get<bool>(tree, "oracle");
  c.value = number(tree, "value");
  c.confidence = number(tree, "confidence");
  const json& terms = member(tree, "terms");
  if (!terms.is_array()) throw_input_error("terms", terms.type_name(), "a list");
  for (const json& t : terms)
    c.terms.push_back(
        {get<std::string>(t, "name"), get<std::string>(t, "symbol"), number(t, "value")});
  const json& events = member(tree, "events");
  if (!events.is_array()) throw_input_error("events", events.type_name(), "a list");
  for (const json& e : events)
    c.events.push_back(
        {get<std::string>(e, "name"), number(e, "delta"), get<std::string>(e, "statement")});
  c.assumptions = get<std::vector<std::string>>(tree, "assumptions");
  c.n = whole_number(tree, "n", std::numeric_limits<Index>::max());
  c.kl = optional_number(tree, "kl");
  c.lambda = optional_number(tree, "lambda");
  if (tree.contains("lambdas")) c.lambdas = get<std::vector<double>>(tree, "lambdas");
  const json& solver = member(tree, "solver");
  c.solver = {get<std::string>(solver, "status"),
              static_cast<int>(whole_number(solver, "iterations", std::numeric_limits<int>::max())),
              number(solver, "gradient_norm")};
  c.all = member(tree, "all");
  if (!c.all.is_array()) throw_input_error("all", c.all.type_name(), "a list");
  c.inputs = member(tree, "inputs");
  return c;
}

}  // namespace loopcert
