#include "formats/baseline.hpp"

#include "formats/problem.hpp"

namespace verify {
namespace {

// A matrix; or a number, or a diagonal, where there is an input for every measurement.
Table gain_of(const json& value, long n_u, long n_y, const std::string& place) {
  if (value.is_array() && !value.empty() && value[0].is_array())
    return matrix_of(value, n_u, n_y, place);
  if (n_u != n_y) bad(place, "another shape", "a matrix with a row for each input");
  const json row = value.is_number()
                       ? json(std::vector<double>(static_cast<size_t>(n_u), value.get<double>()))
                       : value;
  const Table diagonal = matrix_of(json::array({row}), 1, n_u, place);
  Table gain{n_u, n_y, std::vector<double>(static_cast<size_t>(n_u * n_y))};
  for (long i = 0; i < n_u; ++i) gain(i, i) = diagonal(0, i);
  return gain;
}

Table number_of(const json& value, const std::string& place) {
  return matrix_of(json::array({json::array({value})}), 1, 1, place);
}

long rows_of(const json& value) { return value.is_array() ? std::ssize(value) : 0; }

// Keys of each form: g a gain, n a number.
const std::map<std::string, std::map<std::string, char>> forms = {
    {"gain", {{"", 'g'}}},
    {"pid", {{"p", 'g'}, {"i", 'g'}, {"d", 'g'}, {"filter", 'n'}, {"dt", 'n'}}},
    {"lead-lag", {{"gain", 'g'}, {"lead", 'n'}, {"lag", 'n'}, {"dt", 'n'}}},
    {"state-space", {{"A", 'A'}, {"B", 'B'}, {"C", 'C'}, {"D", 'g'}}}};

Table value_of(char holds, const json& value, long n_u, long n_y, long n_z,
               const std::string& place) {
  if (holds == 'n') return number_of(value, place);
  if (holds == 'A') return matrix_of(value, n_z, n_z, place);
  if (holds == 'B') return matrix_of(value, n_z, n_y, place);
  if (holds == 'C') return matrix_of(value, n_u, n_z, place);
  return gain_of(value, n_u, n_y, place);
}

void check_values(const Baseline& b) {
  const auto number = [&](const char* key, double otherwise, bool zero) {
    const auto found = b.values.find(key);
    const double value = found == b.values.end() ? otherwise : found->second(0, 0);
    if (!(value > 0 || (zero && value == 0)))
      bad(std::string("baseline.") + key, "another number", "one above zero");
  };
  number("dt", 1, false);
  for (const char* key : {"filter", "lead", "lag"}) number(key, 0, true);
  for (const char* key : {"gain", "lead", "lag"})
    if (b.form == "lead-lag" && !b.values.contains(key))
      bad("baseline.lead-lag", "too little", "gain, lead and lag");
  for (const char* key : {"A", "B", "C"})
    if (b.form == "state-space" && !b.values.contains(key))
      bad("baseline.state-space", "too little", "A, B and C");
}

}  // namespace

std::optional<Baseline> parse_baseline(const json& problem, long n_y, long n_u, long T) {
  if (!problem.contains("baseline")) return std::nullopt;
  const json& tree = problem["baseline"];
  Baseline b;
  for (const auto& [key, value] : tree.items()) {
    if (key == "setpoint" || key == "offset" || key == "fallback") continue;
    if (!b.form.empty()) bad("baseline", "two controllers", "one");
    b.form = key;
  }
  b.fallback = tree.value("fallback", false);
  const auto zero = [](long rows, long cols) {
    return Table{rows, cols, std::vector<double>(static_cast<size_t>(rows * cols))};
  };
  b.setpoint = zero(T, n_y);
  b.offset = zero(1, n_u);
  if (b.form == "controller") {
    if (tree.contains("setpoint") || tree.contains("offset"))
      bad("baseline", "a setpoint or an offset", "none beside a file");
    b.controller = tree["controller"];
    return b;
  }
  if (!forms.contains(b.form)) bad("baseline", word(b.form), "a form of controller");
  if (tree.contains("setpoint")) {
    json rows = tree["setpoint"];
    if (rows.is_number()) rows = json::array({rows});
    if (rows_of(rows) > 0 && !rows[0].is_array())
      rows = json(std::vector<json>(static_cast<size_t>(T), rows));
    b.setpoint = matrix_of(rows, T, n_y, "baseline.setpoint");
  }
  if (tree.contains("offset")) {
    const json& row = tree["offset"];
    b.offset = matrix_of(json::array({row.is_number() ? json::array({row}) : row}), 1, n_u,
                         "baseline.offset");
  }
  const json& given = tree[b.form];
  const long n_z = b.form == "state-space" ? rows_of(given.at("A")) : 0;
  if (n_z > 1000) bad("baseline.state-space.A", "its size", "up to 1000");
  for (const auto& [key, holds] : forms.at(b.form)) {
    const std::string place = "baseline." + b.form + (key.empty() ? "" : "." + key);
    if (key.empty())
      b.values[key] = value_of(holds, given, n_u, n_y, n_z, place);
    else if (given.contains(key))
      b.values[key] = value_of(holds, given[key], n_u, n_y, n_z, place);
  }
  check_values(b);
  return b;
}

void put_baseline_file(json& problem, const std::filesystem::path& file) {
  if (!problem.is_object() || !problem.contains("baseline")) return;
  json& tree = problem["baseline"];
  if (!tree.is_object() || !tree.contains("file")) return;
  const std::filesystem::path path = file.parent_path() / tree["file"].get<std::string>();
  if (path.extension() != ".json") bad("baseline.file", "another format", "a .json file");
  tree["controller"] = in_file(path, [&] { return parse_json(read_bytes(path)); });
  tree.erase("file");
}

namespace {

bool same(const Table& a, const Table& b) {
  return a.rows == b.rows && a.cols == b.cols && a.values == b.values;
}

// Equal gains; what else a file says of itself may have been written anew.
bool same_file(const json& a, const json& b) {
  if (a.is_null() || b.is_null()) return a == b;
  for (const char* key : {"K", "k", "horizon", "n_x", "n_u", "learned_from"})
    if (a.value(key, json()) != b.value(key, json())) return false;
  return true;
}

}  // namespace

bool same_baseline(const std::optional<Baseline>& a, const std::optional<Baseline>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  if (a->form != b->form || a->fallback != b->fallback || a->values.size() != b->values.size() ||
      !same(a->setpoint, b->setpoint) || !same(a->offset, b->offset) ||
      !same_file(a->controller, b->controller))
    return false;
  for (const auto& [key, value] : a->values)
    if (!b->values.contains(key) || !same(value, b->values.at(key))) return false;
  return true;
}

}  // namespace verify
