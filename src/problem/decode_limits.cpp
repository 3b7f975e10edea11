// [limits]: docs/problem-file.md.
#include <fmt/format.h>

#include "arrays.hpp"
#include "loopcert/core/error.hpp"
#include "sections.hpp"

namespace loopcert {
namespace {

constexpr Index most_rows = 100'000;  // at steps: the solver holds a square matrix of them

Vector unit(Index size, Index i) { return Vector::Unit(size, i); }

std::pair<double, double> interval(const Node& node) {
  const Vector ends = vector_of(node, 2);
  return {ends(0), ends(1)};
}

// One pair for all of them, or one each.
std::vector<std::pair<double, double>> intervals(const Node& node, Index count) {
  if (list_depth(node) == 1) return std::vector(static_cast<size_t>(count), interval(node));
  std::vector<std::pair<double, double>> all;
  for (const Node& item : items(node, "[low, high], or one pair each"))
    all.push_back(interval(item));
  if (static_cast<Index>(all.size()) != count)
    throw_input_error(node.path, fmt::format("{} pairs", all.size()),
                      fmt::format("[low, high] for all, or {} of them", count));
  return all;
}

// What rows are on beside inputs: x, states; y, what is measured. One of them.
std::optional<Node> signals_in(const Table& table) {
  const auto x = table.find("x"), y = table.find("y");
  if (x && y) refuse(*y, "either x or y");
  return x ? x : y;
}

LimitRow decode_row(const Node& node, const Sizes& s, size_t number_of_row) {
  if (!node.value->is_object()) refuse(node, "a table with x, u, min, max, steps");
  const Table table(node, {"name", "x", "y", "u", "min", "max", "steps"});
  LimitRow row;
  row.name = fmt::format("row {}", number_of_row);
  if (const auto name = table.find("name")) row.name = text(*name);
  row.x = Vector::Zero(s.n_x);
  row.u = Vector::Zero(s.n_u);
  if (const auto x = signals_in(table)) row.x = vector_of(*x, s.n_x);
  if (const auto u = table.find("u")) row.u = vector_of(*u, s.n_u);
  if (const auto low = table.find("min")) row.low = number(*low);
  if (const auto high = table.find("max")) row.high = number(*high);
  const bool inputs = !row.u.isZero(0.0);
  row.first = inputs ? 0 : 1;  // x_0 is nobody's choice
  row.last = inputs ? s.T - 1 : s.T;
  if (const auto steps = table.find("steps")) {
    const std::vector<Node> ends = items(*steps, "[first, last]");
    if (ends.size() != 2) refuse(*steps, "[first, last]");
    row.first = integer(ends[0]);
    row.last = integer(ends[1]);
  }
  return row;
}

BoundedSet decode_set(const Table& table, const Assumptions& disturbance, Index n_w) {
  const auto box = table.find("box"), steps = table.find("step_radius");
  if (box && steps) refuse(*steps, "either box or step_radius");
  if (box && box->value->is_array()) return {"box", vector_of(*box, n_w)};
  if (box) return {"box", Vector::Constant(n_w, positive_number(*box))};
  if (steps) return {"steps", Vector::Constant(1, positive_number(*steps))};
  if (!disturbance.radius)
    throw_input_error("limits.robust", "true without a set",
                      "limits.box, limits.step_radius or disturbance.radius");
  return {"radius", Vector::Constant(1, *disturbance.radius)};
}

void decode_surety(const Table& table, const Assumptions& disturbance, Index n_w, Limits& limits) {
  const auto probability = table.find("probability"), each = table.find("each"),
             robust = table.find("robust");
  limits.each = each.has_value();
  if (probability && each) refuse(*each, "either probability or each");
  if (probability) limits.probability = number(*probability);
  if (each) limits.probability = number(*each);
  if (robust && boolean(*robust)) {
    if (probability || each) refuse(*robust, "false, or neither probability nor each");
    limits.robust = decode_set(table, disturbance, n_w);
    if (!(limits.robust->size.array() >= 0).all())
      throw_input_error("limits.box", "a negative number", "numbers that are not negative");
  } else {
    for (const char* key : {"box", "step_radius"})
      if (const auto node = table.find(key)) refuse(*node, "nothing, or robust = true");
  }
}

// Without a last step a row holds at every one, and nothing can be said of all of them together.
void take_for_ever(const Table& table, Limits& limits) {
  if (const auto probability = table.find("probability"))
    throw InputError(probability->path +
                     ": of any violation in an episode, and this horizon is infinite: sooner or "
                     "later there is one; use limits.each, the probability at a step");
  limits.each = true;
  for (LimitRow& row : limits.rows) row.first = row.last = 0;
}

// What an identified plant cannot promise, or promises by its own certificate.
void check_identified(const Table& table, const Limits& limits) {
  if (limits.robust)
    throw InputError("limits.robust: needs a plant that is known, and this one is identified");
  if (const auto delta = table.find("delta"))
    throw InputError(delta->path +
                     ": limits of a plant that is identified hold together with its certificate: "
                     "certificate.delta is for both");
  if (limits.kind != "limits-best" && limits.kind != "limits-envelope")
    throw_input_error("limits.kind", "'" + limits.kind + "'",
                      "limits-envelope, the one for a plant that is identified");
}

}  // namespace

const std::vector<std::string>& limits_kind_names() {
  static const std::vector<std::string> names = {"limits-best",      "limits-envelope",
                                                 "limits-tolerance", "limits-count",
                                                 "limits-assumed",   "limits-robust"};
  return names;
}

std::optional<Limits> decode_limits(const Table& root, const Assumptions& disturbance,
                                    const Plant& plant, const std::optional<ModelOptions>& model) {
  if (!root.find("limits")) return std::nullopt;
  const Sizes s = plant.sizes();
  const bool outputs = !plant.has_state();
  const Table table = root.table("limits", {"u", "x", "y", "rows", "probability", "each", "robust",
                                            "box", "step_radius", "delta", "kind"});
  Limits limits;
  const auto add = [&](const std::optional<Node>& node, const char* key, Index count, Index first,
                       Index last) {
    if (!node) return;
    const auto ends = intervals(*node, count);
    for (Index i = 0; i < count; ++i) {
      const bool input = *key == 'u';
      limits.rows.push_back(
          {fmt::format("{}{}", key, i), input ? Vector::Zero(s.n_x) : Vector(unit(s.n_x, i)),
           input ? Vector(unit(s.n_u, i)) : Vector::Zero(s.n_u), ends[static_cast<size_t>(i)].first,
           ends[static_cast<size_t>(i)].second, first, last});
    }
  };
  add(table.find("u"), "u", s.n_u, 0, s.T - 1);
  if (outputs) {
    add(signals_in(table), "y", s.n_x, 1, s.T);
  } else {
    add(table.find("x"), "x", s.n_x, 1, s.T);
    add(table.find("y"), "y", s.n_x, 1, s.T);  // what is measured: the states
  }
  if (const auto node = table.find("rows")) {
    size_t count = 0;
    for (const Node& item : items(*node, "a list of rows")) {
      if (model && model->infinite && item.value->is_object() && item.value->contains("steps"))
        throw InputError(item.path + ".steps: an infinite horizon has no steps to choose from");
      limits.rows.push_back(decode_row(item, s, ++count));
    }
  }
  decode_surety(table, disturbance, s.n_w, limits);
  if (const auto node = table.find("delta")) limits.delta = number(*node);
  if (const auto node = table.find("kind")) limits.kind = choice(*node, limits_kind_names());
  if (model && model->infinite) take_for_ever(table, limits);
  if (model) check_identified(table, limits);
  check_limits(limits, s);
  if (limits.count() > most_rows)
    throw_input_error("limits", fmt::format("{} rows at steps", limits.count()),
                      fmt::format("at most {}", most_rows));
  return limits;
}

// Every row written out: a problem and its file have one hash, whatever short forms it used.
nlohmann::json limits_section(const Limits& limits) {
  nlohmann::json rows = nlohmann::json::array();
  for (const LimitRow& row : limits.rows) {
    nlohmann::json tree = {{"name", row.name},
                           {"x", list_from_vector(row.x)},
                           {"u", list_from_vector(row.u)},
                           {"steps", {row.first, row.last}}};
    if (std::isfinite(row.low)) tree["min"] = row.low;
    if (std::isfinite(row.high)) tree["max"] = row.high;
    rows.push_back(std::move(tree));
  }
  nlohmann::json section = {{"rows", rows}, {"delta", limits.delta}, {"kind", limits.kind}};
  if (!limits.robust) {
    section[limits.each ? "each" : "probability"] = limits.probability;
    return section;
  }
  section["robust"] = true;
  if (limits.robust->shape == "box") section["box"] = list_from_vector(limits.robust->size);
  if (limits.robust->shape == "steps") section["step_radius"] = limits.robust->size(0);
  return section;
}

}  // namespace loopcert
