// Is the problem of a certificate the reviewer's own? Plant, cost and assumptions are compared;
// what was asked of the program (method, kind, delta) is in the verdict.
#include <algorithm>
#include <cmath>

#include "formats/outputs.hpp"
#include "verdict/check.hpp"

namespace verify {
namespace {

json zeros(long rows, long cols) {
  return json(std::vector<std::vector<double>>(
      static_cast<size_t>(rows), std::vector<double>(static_cast<size_t>(cols), 0.0)));
}

// A number times I, a diagonal or a matrix: as a matrix.
json matrix_from(const json& value, long size) {
  if (value.is_array() && !value.empty() && value[0].is_array()) return value;
  json matrix = zeros(size, size);
  for (long i = 0; i < size; ++i) {
    const auto k = static_cast<size_t>(i);
    matrix[k][k] = value.is_array() ? value.at(k) : value;
  }
  return matrix;
}

// The forms that a covariance may have in a problem file (docs/problem-file.md).
json covariance_from(const json& value, long n, long T) {
  const long size = (T + 1) * n;
  if (!value.is_object()) return matrix_from(value, size);
  json matrix = zeros(size, size);
  const auto put = [&](long row, long col, const json& entry) {
    matrix[static_cast<size_t>(row)][static_cast<size_t>(col)] = entry;
  };
  if (value.contains("ar1")) {
    const double c = value["ar1"].get<double>(), variance = value.at("variance").get<double>();
    std::vector<double> lagged = {variance};
    while (static_cast<long>(lagged.size()) < T) lagged.push_back(lagged.back() * c);
    for (long s = 0; s <= T; ++s)
      for (long t = 0; t <= T; ++t)
        for (long i = 0; i < n && (s == t || (s > 0 && t > 0)); ++i)
          put(s * n + i, t * n + i, lagged[static_cast<size_t>(std::abs(s - t))]);
    return matrix;
  }
  for (long t = 0; t <= T; ++t) {
    const json part = matrix_from(value.at(t == 0 ? "x0" : "w"), n);
    for (long i = 0; i < n; ++i)
      for (long j = 0; j < n; ++j)
        put(t * n + i, t * n + j, part.at(static_cast<size_t>(i)).at(static_cast<size_t>(j)));
  }
  return matrix;
}

// Per step, or one matrix for all of them.
json step_of(const json& value, long t) {
  const bool each = value.at(0).is_array() && value.at(0).at(0).is_array();
  return each ? value.at(static_cast<size_t>(t)) : value;
}

// Equal numbers. Of a weight the certificate's diagonal may be larger by 2e-12, which raises a
// cost, and its other entries are the mean of the two that rounding may have made.
bool same(const json& own, const json& found, bool weight) {
  if (own.size() != found.size()) return false;
  for (size_t i = 0; i < own.size(); ++i)
    for (size_t j = 0; j < own[i].size(); ++j) {
      const double a = own[i][j].get<double>(), b = found.at(i).at(j).get<double>();
      if (a == b) continue;
      if (!weight) return false;
      const double unit =
          std::sqrt(own[i].at(i).get<double>()) * std::sqrt(own[j].at(j).get<double>());
      if (!(std::abs(a - b) <= 2e-12 * unit) || (i == j && b < a)) return false;
    }
  return true;
}

// Which part of a plant is estimated, and from what: as numbers, whatever form they have.
json identification(const json& system) {
  json rows = system.value("identify", json(false));
  if (rows.is_array()) std::sort(rows.begin(), rows.end());
  const bool stated = system.contains("A");
  return {rows,
          system.value("lags", 1),
          system.value("offset", false),
          stated,
          stated ? system["A"].size() : system.value("states", size_t{0}),
          stated ? system.at("B").at(0).size() : system.value("inputs", size_t{0})};
}

// C = I without a delay, at every step: the state itself.
bool measures_state(const json& system) {
  if (!system.contains("A") || system.value("delay", 0.0) != 0) return false;
  if (!system.contains("C")) return true;
  const bool each = system["C"].at(0).at(0).is_array();
  for (const json& C : each ? system["C"] : json::array({system["C"]}))
    for (size_t i = 0; i < C.size(); ++i)
      for (size_t j = 0; j < C[i].size(); ++j)
        if (C.size() != C[i].size() || C[i][j] != (i == j ? 1 : 0)) return false;
  return true;
}

// A and B of one step as an exponential says, within its rounding.
void require_sampled(const json& own, const json& found, long n, long n_u) {
  const Mat A(matrix_of(own.at("A"), n, n, "system.A")),
      B(matrix_of(own.at("B"), n, n_u, "system.B"));
  const Held step = held(A, B, own.at("dt").get<double>());
  const auto near = [](const Mat& a, const Mat& b) {
    return size_of(a - b) <= 1e-10 * std::max(1.0, size_of(a));
  };
  if (!near(step.A, Mat(matrix_of(found.at("A"), n, n, "system.A"))) ||
      !near(step.B, Mat(matrix_of(found.at("B"), n, n_u, "system.B"))))
    throw Refuted{"problem: system.A and B are not those of --problem over a step"};
}

// The same form with the same numbers, 1 and 1.0 alike.
void require_same_form(const json& own, const json& found) {
  if (own == found) return;
  for (const auto& [key, value] : own.items())
    if (!found.contains(key) || found[key] != value)
      throw Refuted{"problem: system." + key + " is not that of --problem"};
  throw Refuted{"problem: system has keys that --problem has not"};
}

}  // namespace

void require_own(const Record& record, const json& own) {
  check_keys(own, problem_keys, "problem", "problem file");
  const Problem& p = record.problem;
  const bool difference = is_difference_kind(record.chosen.empty() ? record.kind : record.chosen);
  const auto require = [](bool equal, const std::string& place) {
    if (!equal) throw Refuted{"problem: " + place + " is not that of --problem"};
  };
  require(own.at("horizon") == p.tree.at("horizon"), "horizon");
  const json &system = own.at("system"), &cost = own.at("cost"), &found = p.tree;
  const bool estimated = p.unknown || system.value("identify", json(false)) != false;
  require(!estimated || identification(system) == identification(found["system"]),
          "system.identify");
  const bool stated = found["system"].contains("A");
  require(estimated || (is_of_outputs(system) && !measures_state(system)) == p.outputs, "system");
  if (p.outputs) require_same_form(system, found["system"]);
  const bool sampled = !p.outputs && system.value("continuous", false);
  if (sampled) require_sampled(system, found["system"], p.n_x, p.n_u);
  json offset = p.outputs ? zeros(p.T, p.n_x) : system.value("d", zeros(p.T, p.n_x));
  if (!offset.at(0).is_array()) offset = json(std::vector<json>(static_cast<size_t>(p.T), offset));
  require(p.outputs || same(offset, found["system"].value("d", zeros(p.T, p.n_x)), false),
          "system.d");
  for (long t = 0; t < p.T; ++t) {
    for (const char* key : {"A", "B"})
      require(!stated || p.outputs || sampled ||
                  same(step_of(system.at(key), t), step_of(found["system"][key], t), false),
              std::string("system.") + key);
    for (const char* key : {"Q", "R"})
      require(same(matrix_from(step_of(cost.at(key), t), *key == 'Q' ? p.n_x : p.n_u),
                   step_of(found["cost"][key], t), !difference),
              std::string("cost.") + key);
  }
  json reference = cost.value("reference", zeros(p.T + 1, p.n_x));
  if (!reference.at(0).is_array())
    reference = json(std::vector<json>(static_cast<size_t>(p.T + 1), reference));
  require(same(reference, found["cost"].value("reference", zeros(p.T + 1, p.n_x)), false),
          "cost.reference");
  const bool infinite = p.unknown && p.unknown->infinite;
  require(!infinite || !cost.contains("P"), "cost.P");
  const json last = cost.contains("P") ? cost["P"] : step_of(cost.at("Q"), p.T - 1);
  require(infinite || same(matrix_from(last, p.n_x), found["cost"]["P"], !difference), "cost.P");
  require(same_baseline(parse_baseline(own, seen_in_step(p), p.n_u, p.T), p.baseline), "baseline");
  require(same_limits(parse_limits(own, p.n_x, p.n_u, p.T), p.limits), "limits");
  const json law = own.value("disturbance", json::object());
  const json usual = {{"model", "gaussian"},
                      {"white", false},
                      {"stationary", false},
                      {"zero_mean", true},
                      {"distribution", "gaussian"}};
  for (const char* key :
       {"model", "white", "stationary", "zero_mean", "distribution", "scale_bound", "radius",
        "kurtosis", "covariance_radius", "covariance_radius_delta", "autoregressive"})
    require(
        law.value(key, usual.value(key, json())) == p.law().value(key, usual.value(key, json())),
        std::string("disturbance.") + key);
  // With the noise of measurements the law is that of the states.
  const bool hidden = law.contains("measurement");
  const long n = hidden ? static_cast<long>(step_of(found["system"].at("A"), 0).size()) : p.n_x;
  const auto require_law = [&](const char* key, long numbers) {
    const bool here = law.contains(key);
    require(here == p.law().contains(key) &&
                (!here || same(covariance_from(law[key], numbers, p.T),
                               covariance_from(p.law()[key], numbers, p.T), false)),
            std::string("disturbance.") + key);
  };
  require_law("measurement", p.n_x);
  require_law("covariance", n);
  require_law("covariance_bound", p.n_x);
}

}  // namespace verify
