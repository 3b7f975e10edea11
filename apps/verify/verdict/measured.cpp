// Certificates from measured costs: no problem, no controller, no model.
#include <algorithm>
#include <cmath>

#include "verdict/check.hpp"
#include "verdict/words.hpp"

namespace verify {
namespace {

const std::string known_inputs =
    " measure measure.kind measure.delta measure.gaussian measure.any_mean measure.paired"
    " measure.largest measure.kurtosis measure.each costs costs_sha256 against against_sha256"
    " violations violations_sha256 ";

// What was assumed before any cost was seen.
struct Assumed {
  std::string kind;
  double delta = 0;
  bool gaussian = false, any_mean = false, paired = false;
  std::optional<double> largest, kurtosis;
};

Assumed assumed_by(const Record& record) {
  const json& tree = record.inputs.at("measure");
  Assumed a;
  a.kind = tree.at("kind").get<std::string>();
  a.delta = tree.at("delta").get<double>();
  a.gaussian = tree.at("gaussian").get<bool>();
  a.any_mean = tree.at("any_mean").get<bool>();
  a.paired = tree.at("paired").get<bool>();
  if (!tree.at("largest").is_null()) a.largest = tree["largest"].get<double>();
  if (!tree.at("kurtosis").is_null()) a.kurtosis = tree["kurtosis"].get<double>();
  if (!(a.delta > 0 && a.delta < 1)) throw Refuted{"inputs.measure.delta: no probability"};
  if (a.largest && !(*a.largest > 0)) throw Refuted{"inputs.measure.largest: not above zero"};
  if (a.kurtosis && !(*a.kurtosis > 1)) throw Refuted{"inputs.measure.kurtosis: not above one"};
  if (a.kind != record.kind) throw Refuted{"kind: not the one that was asked for"};
  return a;
}

void check_numbers(const Table& table, const Record& record, const std::string& role) {
  if (sha256(little_endian(table)) != record.input(("/" + role + "_sha256").c_str()))
    throw Refuted{role + ": their SHA-256 is not the recorded one"};
  if (table.values.empty()) throw Refuted{role + ": none"};
}

void check_column(const Table& table, const Record& record, const std::string& role,
                  const std::optional<double>& largest) {
  check_numbers(table, record, role);
  if (std::min(table.rows, table.cols) != 1)
    throw Refuted{role + ": not one number for each episode"};
  for (const double cost : table.values) {
    if (cost < 0) throw Refuted{role + ": one is below zero"};
    if (largest && cost > *largest)
      throw Refuted{role + ": one exceeds the largest that is stated"};
  }
}

Ball mean_of(const std::vector<double>& values) {
  Ball sum;
  for (const double value : values) sum = sum + value;
  return sum / static_cast<long>(values.size());
}

// The kinds for one controller: whether they are granted for n episodes with this delta, their
// parts of delta, what they rest on, and the bound.
struct Kind {
  std::string name, event;
  bool granted;
  double parts;
  std::string dominated_by;
};

std::vector<Kind> kinds_for_one(const Assumed& a) {
  return {{"measured-scale-free", "chernoff", a.gaussian, 4, "measured-chi-square"},
          {"measured-chi-square", "quantile", a.gaussian && !a.any_mean, 4, ""},
          {"measured-bounded", "betting", a.largest.has_value(), 1, ""},
          {"measured-fourth-moment", "chernoff", a.kurtosis.has_value(), 1, ""}};
}

// Whether the fourth moment has a value: kl(0, 1/kappa) > log(1/delta)/n.
bool has_value(const Assumed& a, long n, double delta) {
  const Ball excess = -log(1 - 1 / Ball(*a.kurtosis)) - log(1 / Ball(delta)) / n;
  if (lower(excess) > 0) return true;
  if (upper(excess) <= 0) return false;
  throw TooWide{"the number of costs that a kurtosis takes"};
}

// The portfolio's shares follow from what is assumed, n and delta: Refuted when the record's do
// not. What is left is the chosen kind's record.
Record member(const Record& record, const Assumed& a) {
  std::vector<Kind> taking;
  const std::vector<Kind> kinds = kinds_for_one(a);
  double parts = 0;
  for (const Kind& kind : kinds) {
    bool takes = kind.granted;
    if (kind.name == "measured-fourth-moment" && takes) takes = has_value(a, record.n, a.delta);
    for (const Kind& better : kinds)
      if (better.name == kind.dominated_by && better.granted) takes = false;
    if (!takes) continue;
    taking.push_back(kind);
    parts += kind.parts;
  }
  if (record.events.size() != taking.size()) throw Refuted{"events: not those of the portfolio"};
  Record chosen = record;
  chosen.events.clear();
  for (size_t i = 0; i < taking.size(); ++i) {
    const Event& event = record.events[i];
    const Ball share = a.delta * Ball(taking[i].parts) / Ball(parts);
    if (event.kind != taking[i].name || !(std::abs(event.delta - upper(share)) <= 1e-12))
      throw Refuted{"event " + word(event.id) + ": its share is not the portfolio's"};
    if (event.kind != record.chosen) continue;
    chosen.events.push_back(event);
    chosen.events.back().kind.clear();
  }
  if (chosen.events.size() != 1) throw Refuted{"chosen: not a kind of the portfolio"};
  chosen.kind = record.chosen;
  return chosen;
}

Statement loop(bool any_mean) {
  return {any_mean ? "linear-gaussian" : "linear-gaussian-zero-mean"};
}

std::vector<Ball> scaled(const std::vector<double>& costs, double J) {
  std::vector<Ball> numbers;
  for (const double cost : costs) numbers.push_back(cost / Ball(J));
  return numbers;
}

Event event_of(const std::string& id) { return {id, {id}}; }

Bound bound_of_one(const Record& record, const Assumed& a, const std::vector<double>& costs) {
  const auto n = static_cast<long>(costs.size());
  const Ball mean = mean_of(costs);
  Bound bound;
  bound.assumptions = {{"costs-fixed"}};
  const double delta = record.events.at(0).delta;
  Ball value;
  if (record.kind == "measured-chi-square" || record.kind == "measured-scale-free") {
    const bool centred = record.kind == "measured-chi-square";
    if (!a.gaussian || (centred && a.any_mean)) record.lacks("a Gaussian loop");
    bound.assumptions.push_back(loop(!centred));
    bound.events = {event_of(centred ? "quantile" : "chernoff")};
    value = mean / (centred ? chi_square_below(n, delta) : scale_free_below(n, delta));
  } else if (record.kind == "measured-bounded") {
    if (!a.largest) record.lacks("a largest cost");
    bound.assumptions.push_back({"largest-cost", {{"largest", *a.largest}}});
    bound.events = {event_of("betting")};
    value = *a.largest * betting_upper(scaled(costs, *a.largest), delta);
  } else if (record.kind == "measured-fourth-moment") {
    if (!a.kurtosis) record.lacks("a bound on the kurtosis");
    if (!has_value(a, n, delta)) throw Refuted{"n: too few costs for this kind"};
    bound.assumptions.push_back({"cost-kurtosis", {{"kurtosis", *a.kurtosis}}});
    bound.events = {event_of("chernoff")};
    value = mean / fourth_moment_factor(n, delta, *a.kurtosis);
  } else {
    throw Undecided{"kind " + word(record.kind) + " is unknown to the checker"};
  }
  bound.terms = {{"empirical-controller", mean}, {"margin", value - mean}};
  return bound;
}

Bound bound_of_two(const Record& record, const Assumed& a, const std::vector<double>& costs,
                   const std::vector<double>& against) {
  const auto n_a = static_cast<long>(costs.size()), n_b = static_cast<long>(against.size());
  const Ball mean = mean_of(costs), other = mean_of(against);
  const auto delta = [&](size_t i) { return record.events.at(i).delta; };
  Bound bound;
  bound.assumptions = {{"costs-of-two"}};
  if (record.kind == "measured-ratio" || record.kind == "measured-ratio-any-mean") {
    const bool centred = record.kind == "measured-ratio";
    if (!a.gaussian || (centred && a.any_mean)) record.lacks("Gaussian loops");
    if (!(lower(other) > 0)) throw Refuted{"against: zeros alone"};
    bound.functional = "cost-ratio";
    bound.assumptions.push_back(loop(!centred));
    bound.events = {event_of("ratio-quantile")};
    const Ball ratio = mean / other;
    const Ball value = ratio / (centred ? chi_square_ratio_of_two(n_a, n_b, delta(0))
                                        : scale_free_ratio_of_two(n_a, n_b, delta(0)));
    bound.terms = {{"empirical-ratio", ratio}, {"margin", value - ratio}};
    return bound;
  }
  if (!a.largest) record.lacks("a largest cost");
  const double J = *a.largest;
  bound.functional = "cost-difference";
  bound.size = J;
  Ball value;
  if (record.kind == "measured-difference") {
    bound.events = {event_of("betting"), event_of("betting-against")};
    std::vector<Ball> turned = scaled(against, J);
    for (Ball& number : turned) number = 1 - number;
    value = J * (betting_upper(scaled(costs, J), delta(0)) - (1 - betting_upper(turned, delta(1))));
  } else if (record.kind == "measured-paired" && a.paired && n_a == n_b) {
    bound.assumptions = {{"pairs-fixed"}};
    bound.events = {event_of("betting-pairs")};
    std::vector<Ball> numbers;
    for (size_t i = 0; i < costs.size(); ++i)
      numbers.push_back((1 + (costs[i] - Ball(against[i])) / J) / 2);
    value = J * (2 * betting_upper(numbers, delta(0)) - 1);
  } else {
    throw Refuted{"kind: not one for these costs"};
  }
  bound.assumptions.push_back({"largest-cost", {{"largest", J}}});
  bound.terms = {{"empirical-difference", mean - other}, {"margin", value - (mean - other)}};
  return bound;
}

// Episodes that break a row, or those of the worst row at a step.
Bound bound_of_count(const Record& record, const Table& violations) {
  const bool each = record.inputs.at("measure").at("each").get<bool>();
  long failures = 0;
  std::vector<long> of_row(static_cast<size_t>(violations.cols));
  for (long i = 0; i < violations.rows; ++i) {
    bool any = false;
    for (long j = 0; j < violations.cols; ++j) {
      const double broken = violations(i, j);
      if (broken != 0 && broken != 1) throw Refuted{"violations: a number other than 0 and 1"};
      any = any || broken == 1;
      of_row[static_cast<size_t>(j)] += broken == 1;
    }
    failures += any;
  }
  if (each) failures = *std::max_element(of_row.begin(), of_row.end());
  const double n = static_cast<double>(violations.rows);
  Bound bound;
  bound.functional = each ? "violation-each" : "violation";
  bound.assumptions = {{"episodes-fixed"}};
  bound.events = {{"count", {"count", {{"violations", static_cast<double>(failures)}, {"n", n}}}}};
  bound.terms = {{"violation", count_above(failures, violations.rows, record.events.at(0).delta)}};
  return bound;
}

Bound bound_of(const Inputs& in, const Record& record, const Assumed& a) {
  if (record.inputs.contains("against"))
    return bound_of_two(record, a, in.data.values, in.against.values);
  return bound_of_one(record, a, in.data.values);
}

}  // namespace

void check_costs(const Inputs& in) {
  const Record& record = in.record;
  check_keys(record.inputs, known_inputs, "inputs", "certificate");
  if (record.oracle || record.kl || !record.lambda.empty())
    throw Refuted{"oracle, kl, lambda: not of this kind"};
  if (record.events.empty()) throw Refuted{"events: none"};
  if (record.kind == "measured-count") {
    check_numbers(in.data, record, "violations");
    if (record.n != in.data.rows) throw Refuted{"n: not the number of episodes"};
    if (record.events.size() != 1 ||
        record.events[0].delta != record.inputs.at("measure").at("delta").get<double>())
      throw Refuted{"events: not those of the kind"};
    return;
  }
  const Assumed a = assumed_by(record);
  check_column(in.data, record, "costs", a.largest);
  const bool two = record.inputs.contains("against");
  if (two) check_column(in.against, record, "against", a.largest);
  const size_t others = a.paired ? 0 : in.against.values.size();  // a pair counts once
  if (record.n != static_cast<long>(in.data.values.size() + others))
    throw Refuted{"n: not the number of costs"};
  if (record.is_portfolio()) return;  // shares: with the bound
  const double each = a.delta / static_cast<double>(record.events.size());
  for (const Event& event : record.events)
    if (!(std::abs(event.delta - each) <= 1e-12 * each))
      throw Refuted{"event " + word(event.id) + ": its delta is not the one stated"};
}

Verdict check_measured(const Inputs& in, const Ball& confidence) {
  const Record& all = in.record;
  const bool count = all.kind == "measured-count";
  const Assumed a = count ? Assumed{} : assumed_by(all);
  const Record record = all.is_portfolio() ? member(all, a) : all;
  const Bound bound = count ? bound_of_count(record, in.data) : bound_of(in, record, a);
  const double value = judge(record, bound);
  for (const Event& event : all.events) in_words(event.statement);
  std::vector<std::string> lines = {
      (count ? "violations: SHA-256 " : "costs: SHA-256 ") +
      sha256(little_endian(in.data)).substr(0, 16) + ", " +
      std::to_string(count ? in.data.rows : static_cast<long>(in.data.values.size())) +
      " episodes"};
  if (in.record.inputs.contains("against"))
    lines.push_back("against: SHA-256 " + sha256(little_endian(in.against)).substr(0, 16) + ", " +
                    std::to_string(in.against.values.size()) + " episodes");
  for (const Statement& assumed : bound.assumptions)
    lines.push_back("assuming: " + in_words(assumed));
  const std::string what = bound.functional == "cost" ? "" : ", " + in_words({bound.functional});
  return {in_words({bound.subject}) + what, value, lower(confidence), lines};
}

}  // namespace verify
