// From `limits` and `signals` of run.json to what a page shows. A file may hold anything: what has
// another form is left out.
#include <cmath>

#include "certificate/record_json.hpp"
#include "core/json_fields.hpp"
#include "delivery/describe_parts.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

bool flag_at(const json& tree, const char* key) {
  return tree.contains(key) && tree[key].is_boolean() && tree[key].get<bool>();
}

// Numbers of a list, of `count` of them when it is given; nothing when it is another list.
Vector vector_at(const json& tree, const char* key, Index count = -1) {
  if (!tree.contains(key) || !tree[key].is_array()) return {};
  const json& list = tree[key];
  if (count >= 0 && list.size() != static_cast<size_t>(count)) return {};
  Vector values(static_cast<Index>(list.size()));
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_number()) return {};
    values(static_cast<Index>(i)) = list[i].get<double>();
  }
  return values.allFinite() ? values : Vector();
}

std::optional<report::LimitsFacts::Row> row_facts(const json& tree) {
  constexpr double most = 1e9;
  if (!tree.is_object()) return {};
  report::LimitsFacts::Row row;
  row.always = !tree.contains("steps");
  const Vector steps = row.always ? Vector(Vector::Zero(2)) : vector_at(tree, "steps", 2);
  if (steps.size() == 0 || !(steps(0) >= 0 && steps(1) >= steps(0) && steps(1) <= most)) return {};
  row.name = text_at(tree, "name");
  row.low = number_at(tree, "low");
  row.high = number_at(tree, "high");
  row.first = static_cast<Index>(steps(0));
  row.last = static_cast<Index>(steps(1));
  row.x = vector_at(tree, "x");
  row.u = vector_at(tree, "u");
  const Index count = row.last - row.first + 1;
  row.bounds = vector_at(tree, "bounds", count);
  row.probabilities = vector_at(tree, "probabilities", count);
  row.shares = vector_at(tree, "shares", count);
  row.lqr_probabilities = vector_at(tree, "lqr_probabilities", count);
  row.lqr_shares = vector_at(tree, "lqr_shares", count);
  row.prices = vector_at(tree, "prices", count);
  return row;
}

}  // namespace

std::optional<report::LimitsFacts> limits_facts(const json& record) {
  if (!record.contains("limits") || !record["limits"].is_object()) return std::nullopt;
  const json& tree = record["limits"];
  report::LimitsFacts facts;
  if (tree.contains("rows") && tree["rows"].is_array())
    for (const json& row : tree["rows"])
      if (auto found = row_facts(row)) facts.rows.push_back(std::move(*found));
  facts.asked = number_at(tree, "probability");
  facts.each = flag_at(tree, "each");
  if (tree.contains("certificate") && tree["certificate"].is_object())
    facts.certificate = certificate_facts(certificate_from_json(tree["certificate"]));
  if (tree.contains("joint")) facts.together = number_at(tree["joint"], "confidence");
  if (tree.contains("episodes")) {
    facts.law = number_at(tree["episodes"], "law");
    facts.data = number_at(tree["episodes"], "data");
    facts.lqr_law = number_at(tree["episodes"], "lqr_law");
    facts.lqr_data = number_at(tree["episodes"], "lqr_data");
  }
  return facts;
}

std::vector<report::SignalFacts> signal_facts(const json& record) {
  std::vector<report::SignalFacts> facts;
  if (!record.contains("signals") || !record["signals"].is_array()) return facts;
  for (const json& s : record["signals"])
    facts.push_back({text_at(s, "name"), number_at(s, "expected").value_or(NAN),
                     number_at(s, "rms").value_or(NAN), number_at(s, "level_95").value_or(NAN),
                     number_at(s, "level_99").value_or(NAN)});
  return facts;
}

}  // namespace loopcert
