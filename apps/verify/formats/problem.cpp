#include "formats/outputs.hpp"

#include <algorithm>
#include <functional>

namespace verify {

Table matrix_of(const json& value, long rows, long cols, const std::string& place) {
  const std::string expected = std::to_string(rows) + " x " + std::to_string(cols) + " numbers";
  Table table{rows, cols, {}};
  if (!value.is_array() || static_cast<long>(value.size()) != rows)
    bad(place, "another shape", expected);
  for (const json& row : value) {
    if (!row.is_array() || static_cast<long>(row.size()) != cols)
      bad(place, "another shape", expected);
    for (const json& entry : row) table.values.push_back(entry.get<double>());
  }
  return table;
}

long whole(const json& value, long largest, const std::string& place, long least) {
  if (!value.is_number_integer() || value < least || value > largest)
    bad(place, value.is_number() ? value.dump() : word(value.dump()),
        "a whole number up to " + std::to_string(largest));
  return value.get<long>();
}

void check_keys(const json& table, const std::string& known, const std::string& place,
                const std::string& file, const std::string& prefix) {
  if (!table.is_object()) bad(place, "no table", "keys of a " + file);
  for (const auto& [key, value] : table.items()) {
    const std::string name = prefix + key;
    if (key.find_first_of(". ") != key.npos || known.find(" " + name + " ") == known.npos)
      bad(place, "the unknown key " + word(key), "keys of a " + file);
    if (known.find(" " + name + ".") == known.npos) continue;
    for (const json& inner : value.is_array() ? value : json::array({value}))
      if (name != "certificate.delta" || inner.is_object())
        check_keys(inner, known, name, file, name + ".");
  }
}

const std::string problem_keys =
    " name horizon system system.A system.B system.C system.d system.delay system.impulse"
    " system.step system.transfer system.G system.continuous system.dt system.test_only "
    "system.identify"
    " system.states system.inputs system.lags system.offset cost cost.Q cost.R cost.P cost.of"
    " cost.reference response"
    " response.affine response.start response.basis response.basis_matrix disturbance"
    " disturbance.model"
    " disturbance.scale_bound disturbance.covariance_bound disturbance.covariance_radius"
    " disturbance.covariance_radius_delta disturbance.radius disturbance.kurtosis"
    " disturbance.white disturbance.stationary disturbance.zero_mean disturbance.covariance"
    " disturbance.mean disturbance.measurement disturbance.distribution"
    " disturbance.autoregressive learning "
    "learning.method learning.gamma"
    " learning.posterior learning.prior learning.prior.center learning.prior.scale"
    " learning.prior.fraction learning.prior.method learning.prior.covariance learning.prior.mean"
    " learning.prior.deviation learning.prior.rows learning.prior.columns learning.prior.full"
    " certificate certificate.kind certificate.delta certificate.fraction"
    " certificate.folds certificate.delta.pac_bayes certificate.delta.covariance"
    " certificate.delta.mean certificate.delta.chernoff"
    " certificate.delta.quantile certificate.delta.spread certificate.delta.difference"
    " certificate.delta.model certificate.delta.noise certificate.delta.start data data.states"
    " data.outputs data.inputs data.disturbances data.layout data.pattern data.episode data.step "
    "data.time"
    " data.period data.axes data.variables data.last_input data.longer data.gap data.repeated"
    " limits limits.u limits.x limits.y limits.rows limits.rows.name limits.rows.x"
    " limits.rows.y limits.rows.u limits.rows.min limits.rows.max limits.rows.steps"
    " limits.probability limits.each"
    " limits.robust limits.box limits.step_radius limits.delta limits.kind baseline baseline.gain"
    " baseline.pid baseline.pid.p baseline.pid.i baseline.pid.d baseline.pid.filter baseline.pid.dt"
    " baseline.lead-lag baseline.lead-lag.gain baseline.lead-lag.lead baseline.lead-lag.lag"
    " baseline.lead-lag.dt baseline.state-space baseline.state-space.A baseline.state-space.B"
    " baseline.state-space.C baseline.state-space.D baseline.controller baseline.setpoint"
    " baseline.offset baseline.fallback ";

namespace {

void check_symmetric(const Table& table, const std::string& place) {
  for (long i = 0; i < table.rows; ++i)
    for (long j = 0; j < i; ++j)
      if (table(i, j) != table(j, i)) bad(place, "another matrix", "a symmetric one");
}

void one_of(const json& value, const std::vector<const char*>& known, const std::string& place) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return;
  std::string names;
  for (const char* name : known) names += (names.empty() ? "" : ", ") + std::string(name);
  bad(place, word(value.is_string() ? value.get<std::string>() : value.dump()), "one of " + names);
}

// Above 0 and below 1: a share of the data, a probability.
void part_of_one(const json& value, const std::string& place) {
  if (!value.is_number() || !(value > 0 && value < 1))
    bad(place, word(value.dump()), "a number between 0 and 1");
}

// Also those that the kind does not rest on: a problem that loopcert would refuse is none.
void check_options(Problem& p) {
  one_of(p.option("/response/start"), {"min-norm", "lqr", "zero-input"}, "response.start");
  one_of(p.option("/response/basis"), {"orthonormal", "input", "cost", "given"}, "response.basis");
  one_of(p.option("/disturbance/model"), {"gaussian", "bounded", "any"}, "disturbance.model");
  part_of_one(p.option("/certificate/fraction"), "certificate.fraction");
  part_of_one(p.option("/learning/prior/fraction"), "learning.prior.fraction");
  if (whole(p.option("/certificate/folds"), 1'000'000'000, "certificate.folds") < 2)
    bad("certificate.folds", p.option("/certificate/folds").dump(), "at least 2");
  const json delta = p.option("/certificate").value("delta", json(0.05));
  for (const json& part : delta.is_object() ? delta : json::array({delta})) {
    part_of_one(part, "certificate.delta");
    p.total_delta += part.get<double>();
  }
}

// One matrix for all steps, or one for each, through make(table).
template <class Make>
auto steps(const json& value, long T, long rows, long cols, const std::string& place,
           const Make& make) {
  const bool each = value.is_array() && !value.empty() && value[0].is_array() &&
                    !value[0].empty() && value[0][0].is_array();
  if (each && static_cast<long>(value.size()) != T) bad(place, "another count", "one a step");
  std::vector<std::decay_t<decltype(make(Table()))>> list;
  for (long t = 0; t < T; ++t)
    list.push_back(t > 0 && !each ? list[0]
                                  : make(matrix_of(each ? value[static_cast<size_t>(t)] : value,
                                                   rows, cols, place)));
  return list;
}

// system.identify and what belongs to it; n_x and n_u are known by now.
Unknown unknown_of(const Problem& p) {
  const json &system = p.option("/system"), &rows = system.at("identify");
  Unknown found;
  found.infinite = p.tree.at("horizon") == "infinite";
  found.offset = system.value("offset", false);
  found.lags = system.contains("lags") ? whole(system["lags"], 1000, "system.lags", 1) : 1;
  found.listed = rows.is_array();
  if (!found.listed && rows != true) bad("system.identify", word(rows.dump()), "true, or rows");
  for (long i = 0; i < p.n_x && !found.listed; ++i) found.rows.push_back(i);
  for (size_t i = 0; i < rows.size() && found.listed; ++i) {
    found.rows.push_back(whole(rows[i], p.n_x, "system.identify", 1) - 1);
    if (i > 0 && found.rows[i] <= found.rows[i - 1])
      bad("system.identify", "another order", "rows that increase");
  }
  if (found.rows.empty()) bad("system.identify", "no row", "true, or rows");
  if (found.listed && !system.contains("A")) bad("system.A", "nothing", "the rows that are known");
  if (found.lags > 1 && (!found.infinite || found.listed || system.contains("A")))
    bad("system.lags", "more than one", "an infinite horizon, and no row that is known");
  if (p.law().contains("autoregressive"))
    bad("disturbance.autoregressive", "lags", "none where the plant is identified");
  if (found.lags * (p.n_x + p.n_u) > 300) bad("problem", "its size", "lags (n_x + n_u) up to 300");
  return found;
}

// States and inputs, as numbers or as those of B.
void read_sizes(Problem& p) {
  const json& system = p.option("/system");
  const bool estimated = system.contains("identify");
  for (const char* key : {"states", "inputs", "lags", "offset"})
    if (!estimated && system.contains(key))
      bad("system." + std::string(key), "it", "none where the plant is known");
  if (estimated && system.contains("A") != system.contains("B"))
    bad("system", "one of A and B", "both or none");
  if (estimated && system.contains("states") == system.contains("A"))
    bad("system", "another form", "A and B, or states and inputs");
  if (estimated && !system.contains("A")) {
    p.n_x = whole(system["states"], 2000, "system.states", 1);
    p.n_u = whole(system.at("inputs"), 2000, "system.inputs", 1);
    return;
  }
  const json* B = &p.option("/system/B");  // rows of the first matrix
  while (B->at(0).at(0).is_array()) B = &B->at(0);
  p.n_x = static_cast<long>(B->size());
  p.n_u = static_cast<long>(B->at(0).size());
}

// One A, B and d for all steps, where there are any.
void read_known_rows(Problem& p) {
  const json& system = p.option("/system");
  if (system.contains("A")) {
    p.A = {matrix_of(system["A"], p.n_x, p.n_x, "system.A")};
    p.B = {matrix_of(system["B"], p.n_x, p.n_u, "system.B")};
  } else if (system.contains("d")) {
    bad("system.d", "an offset", "none without A and B");
  }
  for (long t = 1; t < p.T; ++t)
    for (long i = 0; i < p.n_x; ++i)
      if (p.d(t, i) != p.d(0, i)) bad("system.d", "several", "one for all steps");
}

}  // namespace

Problem parse_problem(const json& tree) {
  Problem p;
  p.tree = tree;
  check_keys(tree, problem_keys, "problem", "problem file");
  check_options(p);
  p.outputs = is_of_outputs(p.option("/system"));
  if (!p.outputs) read_sizes(p);
  if (p.option("/system").contains("identify")) p.unknown = unknown_of(p);
  const bool infinite = p.unknown && p.unknown->infinite;  // a law is one of (x_0, w_0)
  p.T = infinite ? 1 : whole(tree.at("horizon"), 10000, "horizon");
  if (p.outputs && p.T > 0) read_outputs(p);
  if (p.law().contains("autoregressive"))  // at least one step follows from those before it
    p.lags = whole(p.law()["autoregressive"], p.T - 1, "disturbance.autoregressive", 1);
  if (p.T < 1 || p.d_w() > 2000 || p.d_u() > 2000)
    bad("problem", "its size", "(T + 1) n_x and T n_u up to 2000");
  const auto weight = [](const Table& table) {
    check_symmetric(table, "cost");
    const std::optional<Mat> sound = semidefinite(Mat(table));
    if (!sound) throw Undecided{"an eigenvalue of a weight is negative, or too small to tell"};
    return *sound;
  };
  p.Q = steps(p.option("/cost/Q"), p.T, p.n_x, p.n_x, "cost.Q", weight);
  p.R = steps(p.option("/cost/R"), p.T, p.n_u, p.n_u, "cost.R", weight);
  if (infinite && tree["cost"].contains("P")) bad("cost.P", "a weight", "none without a last step");
  p.P =
      infinite ? Mat(p.n_x, p.n_x) : weight(matrix_of(p.option("/cost/P"), p.n_x, p.n_x, "cost.P"));
  p.d = {p.T, p.n_x, std::vector<double>(static_cast<size_t>(p.T * p.n_x), 0.0)};
  if (tree["system"].contains("d") && !p.outputs)
    p.d = matrix_of(tree["system"]["d"], p.T, p.n_x, "system.d");
  if (p.unknown) {
    read_known_rows(p);
  } else if (p.outputs) {
    p.has_offset = size_of(output_offset(p)) > 0;
    output_map(p);  // what is wrong with the form is said now
  } else {
    p.A = steps(p.option("/system/A"), p.T, p.n_x, p.n_x, "system.A", std::identity());
    p.B = steps(p.option("/system/B"), p.T, p.n_x, p.n_u, "system.B", std::identity());
  }
  p.reference = {p.T + 1, p.n_x, std::vector<double>(static_cast<size_t>(p.d_w()))};
  if (tree["cost"].contains("reference")) {
    if (p.unknown) bad("cost.reference", "it", "none where the plant is identified");
    p.reference = matrix_of(tree["cost"]["reference"], p.T + 1, p.n_x, "cost.reference");
  }
  for (const Table* table : {&p.d, &p.reference})
    for (const double value : table->values) p.has_offset = p.has_offset || value != 0;
  p.affine = p.option("/response/affine").get<bool>();
  p.limits = parse_limits(tree, p.n_x, p.n_u, p.T);
  p.baseline = parse_baseline(tree, seen_in_step(p), p.n_u, p.T);
  if (unseen_of(p) > 0 &&
      (!p.outputs || p.law().value("white", false) || p.law().value("stationary", false) ||
       p.lags > 0 || (p.limits && !p.limits->set.empty())))
    bad("system.test_only", "it", "none beside what is assumed of single steps");
  if (p.baseline && p.unknown) bad("baseline", "it", "none where the plant is identified");
  return p;
}

namespace {

Mat symmetric_of(const json& value, long d, const std::string& place) {
  if (value.is_number()) return value.get<double>() * identity(d);
  if (!value.at(0).is_array())
    return diagonal_matrix(transpose(Mat(matrix_of(json::array({value}), 1, d, place))));
  const Table table = matrix_of(value, d, d, place);
  check_symmetric(table, place);
  return Mat(table);
}

}  // namespace

Mat covariance_of(const Problem& problem, const std::string& key) {
  const std::string place = "disturbance." + key;
  if (!problem.law().contains(key)) throw Refuted{"assumptions: the kind needs " + place};
  const std::optional<Mat> C = semidefinite(symmetric_of(problem.law()[key], problem.d_w(), place));
  if (!C) throw Refuted{"assumptions: " + place + " has a negative eigenvalue"};
  return *C;
}

}  // namespace verify
