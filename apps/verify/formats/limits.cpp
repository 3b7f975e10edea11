#include "formats/limits.hpp"

#include <algorithm>
#include <cmath>

namespace verify {
namespace {

using Numbers = std::vector<double>;

constexpr long most_rows = 100'000;  // at steps

double number(const json& value, const std::string& place) {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    bad(place, word(value.dump()), "a finite number");
  return value.get<double>();
}

Numbers numbers(const json& value, long count, const std::string& place) {
  if (!value.is_array() || static_cast<long>(value.size()) != count)
    bad(place, "another shape", std::to_string(count) + " numbers");
  Numbers found;
  for (const json& entry : value) found.push_back(number(entry, place));
  return found;
}

bool is_zero(const Numbers& row) {
  return std::all_of(row.begin(), row.end(), [](double entry) { return entry == 0; });
}

double probability(const json& value, const std::string& place) {
  const double p = number(value, place);
  if (!(p > 0 && p < 1)) bad(place, word(value.dump()), "a number between 0 and 1");
  return p;
}

// limits.u or limits.x: [low, high] of all entries, or of each.
void add_entries(const json& value, long count, const LimitRow& like, bool input,
                 std::vector<LimitRow>& rows) {
  const std::string place = input ? "limits.u" : "limits.x";
  const bool one = value.is_array() && !value.empty() && !value[0].is_array();
  if (!one && (!value.is_array() || static_cast<long>(value.size()) != count))
    bad(place, "another shape", "[low, high], or one pair each");
  for (long i = 0; i < count; ++i) {
    const Numbers ends = numbers(one ? value : value[static_cast<size_t>(i)], 2, place);
    LimitRow row = like;
    (input ? row.u : row.x)[static_cast<size_t>(i)] = 1;
    row.low = ends[0];
    row.high = ends[1];
    rows.push_back(row);
  }
}

LimitRow row_of(const json& tree, long n_x, long n_u, long T) {
  const std::string place = "limits.rows";
  LimitRow row{Numbers(static_cast<size_t>(n_x)), Numbers(static_cast<size_t>(n_u)), -INFINITY,
               INFINITY};
  if (tree.contains("x") && tree.contains("y")) bad(place, "x and y", "one of them");
  for (const char* key : {"x", "y"})  // y: what is measured, the outputs or the states
    if (tree.contains(key)) row.x = numbers(tree[key], n_x, place);
  if (tree.contains("u")) row.u = numbers(tree["u"], n_u, place);
  if (tree.contains("min")) row.low = number(tree["min"], place);
  if (tree.contains("max")) row.high = number(tree["max"], place);
  const bool inputs = !is_zero(row.u);  // where there are none, x_0 is nobody's choice
  row.first = inputs ? 0 : 1;
  row.last = inputs ? T - 1 : T;
  if (tree.contains("steps")) {
    numbers(tree["steps"], 2, place);
    for (const json& step : tree["steps"])
      if (!step.is_number_integer()) bad(place, word(step.dump()), "whole numbers as steps");
    row.first = tree["steps"][0].get<long>();
    row.last = tree["steps"][1].get<long>();
  }
  return row;
}

// What a problem without it says is none: a row of zeros, an interval or steps without anything.
void check_row(const LimitRow& row, long T) {
  if (is_zero(row.x) && is_zero(row.u)) bad("limits.rows", "zeros alone", "another number");
  if (!(row.low < row.high) || (std::isinf(row.low) && std::isinf(row.high)))
    bad("limits.rows", "another interval", "a lower limit below an upper one, or one of them");
  if (row.first < 0 || row.last < row.first || row.last > (is_zero(row.u) ? T : T - 1))
    bad("limits.rows", "other steps", "the first and the last of the horizon's");
}

void read_set(const json& limits, const json& tree, long n_x, Limits& found) {
  const bool box = limits.contains("box"), steps = limits.contains("step_radius");
  if (box && steps) bad("limits.step_radius", "it", "either box or step_radius");
  found.set = box ? "box" : steps ? "steps" : "radius";
  if (box && limits["box"].is_array())
    found.size = numbers(limits["box"], n_x, "limits.box");
  else if (box)
    found.size = Numbers(static_cast<size_t>(n_x), number(limits["box"], "limits.box"));
  else if (steps)
    found.size = {number(limits["step_radius"], "limits.step_radius")};
  else
    found.size = {number(tree.value("/disturbance/radius"_json_pointer, json()),
                         "limits.robust: disturbance.radius")};
  for (const double size : found.size)
    if (!(size >= 0)) bad("limits.box", "a negative number", "others");
}

}  // namespace

long Limits::count() const {
  long total = 0;
  for (const LimitRow& row : rows) total += row.last - row.first + 1;
  return total;
}

std::optional<Limits> parse_limits(const json& tree, long n_x, long n_u, long T) {
  if (!tree.contains("limits")) return std::nullopt;
  const json& limits = tree["limits"];
  Limits found;
  const LimitRow none{Numbers(static_cast<size_t>(n_x)), Numbers(static_cast<size_t>(n_u))};
  LimitRow input = none, state = none;
  input.last = T - 1;
  state.first = 1;
  state.last = T;
  if (limits.contains("u")) add_entries(limits["u"], n_u, input, true, found.rows);
  for (const char* key : {"x", "y"})
    if (limits.contains(key)) add_entries(limits[key], n_x, state, false, found.rows);
  if (limits.contains("rows")) {
    if (!limits["rows"].is_array()) bad("limits.rows", "no list", "a list of rows");
    for (const json& row : limits["rows"]) found.rows.push_back(row_of(row, n_x, n_u, T));
  }
  if (found.rows.empty()) bad("limits", "no row", "u, x, y or rows");
  for (const LimitRow& row : found.rows) check_row(row, T);
  if (found.count() > most_rows) bad("limits", "more rows at steps", "at most 100000");
  const json robust = limits.value("robust", json(false));
  if (!robust.is_boolean()) bad("limits.robust", word(robust.dump()), "true or false");
  found.each = limits.contains("each");
  const int asked = int{found.each} + int{limits.contains("probability")} + int{robust == true};
  if (asked > 1) bad("limits", "more than one", "one of probability, each and robust");
  if (limits.contains("probability"))
    found.target = probability(limits["probability"], "limits.probability");
  if (found.each) found.target = probability(limits["each"], "limits.each");
  if (robust == true)
    read_set(limits, tree, n_x, found);
  else if (limits.contains("box") || limits.contains("step_radius"))
    bad("limits", "a set", "robust = true beside it");
  // For ever nothing can be said of an episode.
  if (asked == 0 && tree.value("horizon", json()) == "infinite") found.each = true;
  if (limits.contains("delta")) found.delta = probability(limits["delta"], "limits.delta");
  if (limits.contains("kind")) found.kind = limits["kind"].get<std::string>();
  const std::vector<std::string> kinds = {"limits-best",  "limits-envelope", "limits-tolerance",
                                          "limits-count", "limits-assumed",  "limits-robust"};
  if (std::find(kinds.begin(), kinds.end(), found.kind) == kinds.end())
    bad("limits.kind", word(found.kind), "a kind of limits");
  return found;
}

bool same_limits(const std::optional<Limits>& a, const std::optional<Limits>& b) {
  if (!a || !b) return !a && !b;
  return a->rows == b->rows && a->target == b->target && a->each == b->each && a->set == b->set &&
         a->size == b->size;
}

}  // namespace verify
