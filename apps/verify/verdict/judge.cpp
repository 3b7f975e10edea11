#include "verdict/judge.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "verdict/words.hpp"

namespace verify {
namespace {

std::string digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.12g", value);
  return text;
}

// `recorded` was computed in double precision: it may fall short of the rigorous end by 1e-9 of
// `size`, and by no more. Stating more than the bound is true and allowed.
void at_most(const std::string& name, const Ball& rigorous, double recorded, double size) {
  const double room = 1e-9 * std::abs(size);
  if (upper(rigorous) <= recorded + room) return;
  if (lower(rigorous) > recorded + room)
    throw Refuted{name + ": the record says " + digits(recorded) + ", it is at least " +
                  digits(lower(rigorous))};
  throw TooWide{"a term"};
}

// The same id and parameters, their numbers equal up to a share of `tolerance`.
bool says(const Statement& found, const Statement& expected, double tolerance) {
  const auto equal = [&](const auto& a, const auto& b) {
    return a.first == b.first && std::abs(a.second - b.second) <= tolerance * std::abs(b.second);
  };
  return found.id == expected.id &&
         std::equal(found.parameters.begin(), found.parameters.end(), expected.parameters.begin(),
                    expected.parameters.end(), equal);
}

bool is_same(const Event& found, const Event& expected) {
  return found.id == expected.id && found.kind == expected.kind && found.fold == expected.fold &&
         found.choices == expected.choices && says(found.statement, expected.statement, 1e-5);
}

std::string row_bytes(const Table& data, long row) {
  Table one{1, data.cols, {}};
  for (long j = 0; j < data.cols; ++j) one.values.push_back(data(row, j) + 0.0);  // one zero
  return little_endian(one);
}

// The share of each event is the problem's, fixed before the data were seen.
void check_deltas(const Record& record) {
  if (is_limits_kind(record.kind) && !record.problem.unknown) {
    for (const Event& event : record.events) {
      const double share = upper(record.problem.limits->delta * share_of(event, record.events));
      if (!(std::abs(event.delta - share) <= 1e-12 * share))
        throw Refuted{"event " + word(event.id) + ": its delta is not the problem's"};
    }
    return;
  }
  const json delta = record.problem.option("/certificate").value("delta", json());
  // A radius of the user's comes with a delta of his own.
  const bool given = record.kind == "data-driven-given-radius";
  const bool parted =
      delta.is_object() && (is_posterior_kind(record.kind) || record.problem.unknown);
  for (const Event& event : record.events) {
    if (given && event.id == "covariance") {
      if (event.delta != record.assumed("covariance_radius_delta", 0))
        throw Refuted{"event covariance: its delta is not the problem's"};
      continue;
    }
    const Ball share = parted  ? Ball(delta.at(event.id).get<double>())
                       : given ? Ball(record.problem.total_delta)
                               : record.problem.total_delta * share_of(event, record.events);
    if (!(event.delta > 0 && event.delta < 1 && event.delta <= upper(share) * (1 + 1e-12) &&
          event.delta >= lower(share) * (1 - 1e-12)))
      throw Refuted{"event " + word(event.id) + ": its delta is not the problem's"};
  }
}

// All but the first part, which taught: no trajectory of it is among the others.
Table rest_of(const Table& data, double fraction) {
  const double first = std::floor(fraction * static_cast<double>(data.rows));
  if (!(first >= 1 && first < static_cast<double>(data.rows)))
    throw Refuted{"data: no trajectory is left for the certificate"};
  Table rest = data;
  rest.rows -= static_cast<long>(first);
  rest.values.erase(rest.values.begin(), rest.values.end() - rest.rows * rest.cols);
  Table taught = data;
  taught.rows = static_cast<long>(first);
  require_apart(taught, rest);
  return rest;
}

// The kind that was asked for. With the method that knows the law an oracle stands in for a kind
// that is none, all data for the folds of a response that was learned from none, and a certificate
// on the difference to a baseline comes beside the one that was asked for.
void check_kind(const Record& record) {
  if (is_limits_kind(record.kind)) {
    if (!record.problem.limits) throw Refuted{"kind: the problem has no limits"};
    // An identified plant has one kind, whichever of the two was asked for.
    const std::string& wanted = record.problem.limits->kind;
    if (wanted != record.kind &&
        !(record.problem.unknown && wanted == "limits-best" && record.kind == "limits-envelope"))
      throw Refuted{"kind: not the one that the problem requests"};
    return;
  }
  const json& asked = record.problem.option("/certificate/kind");
  if (asked == record.kind || (record.problem.unknown && asked == "best")) return;
  const bool beside =
      (record.is_deployed() && record.kind == "best" && is_difference_kind(record.chosen)) ||
      (record.problem.unknown && record.kind == "identified-improvement");
  const bool oracle =
      record.kind == "oracle" && record.problem.option("/learning/method") == "oracle-pac-bayes";
  if (oracle || beside) return;
  if (record.use_of_data() != "fixed" || !record.kind.starts_with("hold-out") ||
      asked != "cross" + record.kind.substr(8))
    throw Refuted{"kind: not the one that the problem requests"};
}

}  // namespace

void require_apart(const Table& taught, const Table& certifying) {
  std::set<std::string> known;
  for (long i = 0; i < taught.rows; ++i) known.insert(row_bytes(taught, i));
  for (long i = 0; i < certifying.rows; ++i)
    if (known.contains(row_bytes(certifying, i)))
      throw Refuted{"data: a trajectory is used for training and for certification"};
}

void require_fresh(const Controller& controller, const Table& rows, const std::string& role) {
  const std::set<std::string> known(controller.learned_from.begin(), controller.learned_from.end());
  Table image = rows;
  for (const char* mirrored : {"", ", mirrored"}) {  // where the costs are the same
    for (long i = 0; i < rows.rows && !known.empty(); ++i)
      if (known.contains(sha256(row_bytes(image, i)).substr(0, 16)))
        throw Refuted{"data: the " + role + " was learned from trajectory " +
                      std::to_string(i + 1) + mirrored};
    if (const long i = known_row(controller.seen, image); i >= 0)
      throw Refuted{"data: the " + role + " was learned from trajectory " + std::to_string(i + 1) +
                    mirrored + ", or from a part of it"};
    for (double& value : image.values) value = -value;
  }
}

void check_problem(const Record& record) {
  if (sha256(record.problem.tree.dump()) != record.input("/problem_sha256"))
    throw Refuted{"problem: its SHA-256 is not the recorded one"};
  check_kind(record);
  // No law has less; a problem that says so is none, whatever the kind rests on.
  for (const auto& [key, least] :
       {std::pair("scale_bound", 0.0), {"radius", 0.0}, {"kurtosis", 2.0}})
    if (record.problem.law().contains(key)) record.assumed(key, std::nextafter(least, least - 1));
  if (!record.is_portfolio()) check_deltas(record);
}

void check_files(const Record& record, const Controller& controller, const Table& data) {
  check_problem(record);
  if (sha256(little_endian(data)) != record.input("/data_sha256"))
    throw Refuted{"data: their SHA-256 is not the recorded one"};
  if ((data.rows > 0 || data.cols > 1) && data.cols != record.problem.d_w())
    bad("columns of the data", std::to_string(data.cols), std::to_string(record.problem.d_w()));
  const bool keep = record.problem.tree.value("/data/repeated"_json_pointer, "") == "keep";
  std::set<std::string> seen;
  for (long i = 0; i < data.rows && !keep; ++i)
    if (!seen.insert(row_bytes(data, i)).second)
      throw Refuted{"data: trajectory " + std::to_string(i + 1) + " repeats an earlier one"};
  const Problem& p = record.problem;
  const bool uses_baseline =
      record.is_deployed() || record.inputs.value("baseline", "") == "problem";
  if (uses_baseline && p.baseline && p.baseline->form == "controller")
    require_fresh(parse_controller(p.baseline->controller.dump(), p), data, "baseline");
  // Some hold for every controller.
  const bool given = record.is_given() ||
                     record.inputs.value("/deployment/method"_json_pointer, json()) == "optimum";
  if (given && record.kind != "identified" && !is_uniform_limits_kind(record.kind))
    require_fresh(controller, data, "controller");
}

Ball check_confidence(const Record& record) {
  Ball left(1);
  for (const Event& event : record.events) left = left - event.delta;
  // Above zero even after the 2e-10 that rounding may cost.
  if (!(lower(left) > 1e-9)) throw Refuted{"events: their deltas leave no confidence"};
  if (!(record.confidence <= lower(left) + 1e-12))
    throw Refuted{"confidence: the record says " + digits(record.confidence) +
                  ", its events leave at most " + digits(upper(left))};
  return left;
}

// What certifies a response of its own; n may be that of all of them, which certify envelopes.
static Table limits_rows(const Record& record, const Table& data) {
  Table rows = data;
  if (record.is_given() + record.is_deployed() + record.has_posterior() != 1)
    throw Refuted{"inputs: not those of the kind"};
  const std::string use = record.use_of_data();
  if (use == "hold-out" && (!is_uniform_limits_kind(record.kind) || has_path(record)))
    rows = rest_of(data, record.problem.option("/certificate/fraction").get<double>());
  else if (record.is_deployed() && use != "hold-out" && use != "fixed" && use != "cross" &&
           use != "whole")
    throw Refuted{"inputs.deployment.way: " + word(use) + " is unknown to the checker"};
  const bool of_both = is_uniform_limits_kind(record.kind) || !record.chosen.empty();
  if (record.n != rows.rows && !(of_both && record.n == data.rows))
    throw Refuted{"n: not the number of certification trajectories"};
  return rows;
}

Table certifying_rows(const Record& record, const Table& data) {
  if (is_limits_kind(record.kind)) return limits_rows(record, data);
  const Problem& p = record.problem;
  Table rows = data;
  const bool pac_bayes = is_posterior_kind(record.kind);
  const bool difference = is_difference_kind(record.kind);
  const bool assumed = record.kind.starts_with("assumed");  // for any controller
  const bool uniform = record.kind == "identified";         // for all of them at once
  if (record.is_given() + record.is_deployed() + record.has_posterior() != 1 ||
      (pac_bayes ? record.is_given() : record.has_posterior() && !assumed))
    throw Refuted{"inputs: not those of the kind"};
  if (record.is_deployed() && !assumed && !pac_bayes && !uniform) {
    const std::string use = record.use_of_data();
    const bool cross = record.kind.starts_with("cross") || (difference && use == "cross");
    // Kind best has no share for what was learned from a part, but for a path of controllers.
    if (use == "hold-out" && !cross && (record.chosen.empty() || difference || has_path(record)))
      rows = rest_of(data, p.option("/certificate/fraction").get<double>());
    else if (use != (cross ? "cross" : "fixed"))
      throw Refuted{"inputs.deployment.way: " + word(use) + " does not give this kind"};
  }
  if (record.has_posterior() && p.option("/learning/prior/center") == "split")
    rows = rest_of(data, p.option("/learning/prior/fraction").get<double>());
  // A difference beside what was learned counts all data, and so does a portfolio.
  const bool count_all = record.is_deployed() && (difference || !record.chosen.empty());
  if (record.n != (count_all ? data.rows : rows.rows))
    throw Refuted{"n: not the number of certification trajectories"};
  return rows;
}

Ball sum_of_terms(const Bound& bound) {
  Ball sum;
  for (const ExpectedTerm& term : bound.terms) sum = sum + term.value;
  return sum;
}

double judge(const Record& record, const Bound& bound) {
  if (record.subject != bound.subject) throw Refuted{"subject: expected " + bound.subject};
  if (!says(record.functional, {bound.functional}, 0))
    throw Refuted{"functional: expected " + bound.functional};
  if (record.assumptions.size() != bound.assumptions.size())
    throw Refuted{"assumptions: not those of the kind"};
  for (size_t i = 0; i < bound.assumptions.size(); ++i)
    if (!says(record.assumptions[i], bound.assumptions[i], 1e-15))
      throw Refuted{"assumptions: expected '" + in_words(bound.assumptions[i]) + "'"};
  if (record.events.size() != bound.events.size()) throw Refuted{"events: not those of the kind"};
  for (size_t i = 0; i < bound.events.size(); ++i)
    if (!is_same(record.events[i], bound.events[i]))
      throw Refuted{"event " + bound.events[i].id + ": its statement is another one, expected '" +
                    in_words(bound.events[i].statement) + "'"};
  if (record.terms.size() != bound.terms.size()) throw Refuted{"terms: not those of the kind"};
  double sum = 0, size = bound.size;  // terms may cancel: rounding is of their size
  if (!std::isfinite(size)) throw TooWide{"a cost"};
  for (const Term& term : record.terms) {
    sum += term.value;
    size += std::abs(term.value);
  }
  if (!std::isfinite(size)) throw Refuted{"terms: too large to add"};  // nor is 1e-9 of them a room
  for (size_t i = 0; i < bound.terms.size(); ++i) {
    const ExpectedTerm& term = bound.terms[i];
    if (record.terms[i].id != term.id) throw Refuted{"terms: expected '" + term.id + "'"};
    at_most("term '" + term.id + "'", term.value, record.terms[i].value, size);
  }
  if (record.kl.has_value() != bound.kl.has_value()) throw Refuted{"kl: not of this kind"};
  if (bound.kl) at_most("kl", *bound.kl, *record.kl, std::max(1.0, *record.kl));
  at_most("value", sum_of_terms(bound), record.value, size);
  if (!(sum <= record.value + 1e-9 * size)) throw Refuted{"value: below the sum of its terms"};
  if (!(upper(bound.rounding) <= 1e-5 * size)) throw TooWide{"what the rounding of K and k costs"};
  return upper(sum_of_terms(bound) + bound.rounding);
}

}  // namespace verify
