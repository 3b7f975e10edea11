#include "judge.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "sha256.hpp"

namespace verify {
namespace {

std::string digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.12g", value);
  return text;
}

// `recorded` is a double that was computed in double precision: it may fall short of the rigorous
// end by 1e-9 of `size`, and by no more. Stating more than the bound is true and allowed.
void at_most(const std::string& name, const Ball& rigorous, double recorded, double size) {
  const double room = 1e-9 * std::abs(size);
  if (upper(rigorous) <= recorded + room) return;
  if (lower(rigorous) > recorded + room)
    throw Refuted{name + ": the record says " + digits(recorded) + ", it is at least " +
                  digits(lower(rigorous))};
  throw TooWide{"a term"};
}

std::string row_bytes(const Table& data, long row) {
  Table one{1, data.cols, {}};
  for (long j = 0; j < data.cols; ++j) one.values.push_back(data(row, j) + 0.0);  // one zero
  return little_endian(one);
}

// The share of each event is the problem's, fixed before the data were seen.
void check_deltas(const Record& record) {
  const json& options = need(record.problem.tree, "certificate", record.file);
  const bool table =
      options.contains("delta") && options["delta"].is_object() && is_posterior_kind(record.kind);
  for (const Event& event : record.events) {
    const double share = table ? number_at(options["delta"], event.name, record.file)
                               : record.total_delta() / static_cast<double>(record.events.size());
    if (!(event.delta > 0 && event.delta < 1) || std::abs(event.delta - share) > 1e-12 * share)
      throw Refuted{"event " + event.name + ": its delta is not the problem's"};
  }
}

}  // namespace

void check_files(const Record& record, const Controller& controller, const Table& data) {
  if (sha256(record.problem.tree.dump()) != text_at(record.inputs, "problem_sha256", record.file))
    throw Refuted{"problem: its SHA-256 is not the recorded one"};
  if (sha256(little_endian(data)) != text_at(record.inputs, "data_sha256", record.file))
    throw Refuted{"data: their SHA-256 is not the recorded one"};
  if (record.oracle) throw Undecided{"kinds that look at the true law are not supported"};
  if (text_at(record.problem.tree, "certificate.kind", record.file) != record.kind)
    throw Refuted{"kind: not the one that the problem asks for"};
  if (record.kind != "best") check_deltas(record);
  if (data.rows > 0 && data.cols != record.problem.d_w())
    bad("data", "columns", std::to_string(data.cols), std::to_string(record.problem.d_w()));

  const json& tree = record.problem.tree;
  const bool keep = tree.contains("data") && tree["data"].value("repeated", "") == "keep";
  const bool given = record.inputs.contains("controller");  // certify: it must not know the data
  const std::set<std::string> known(controller.learned_from.begin(), controller.learned_from.end());
  std::set<std::string> seen;
  for (long i = 0; i < data.rows; ++i) {
    const std::string bytes = row_bytes(data, i);
    if (!seen.insert(bytes).second && !keep)
      throw Refuted{"data: trajectory " + std::to_string(i + 1) + " repeats an earlier one"};
    if (given && known.contains(sha256(bytes).substr(0, 16)))
      throw Refuted{"data: the controller was learned from trajectory " + std::to_string(i + 1)};
  }
}

namespace {

// All but the first part, which taught.
Table rest_of(const Table& data, double fraction) {
  const double first = std::floor(fraction * static_cast<double>(data.rows));
  if (!(first >= 1 && first < static_cast<double>(data.rows)))
    throw Refuted{"data: no part is left to certify"};
  Table rest = data;
  rest.rows -= static_cast<long>(first);
  rest.values.erase(rest.values.begin(), rest.values.end() - rest.rows * rest.cols);
  return rest;
}

}  // namespace

double check_confidence(const Record& record) {
  Ball left(1);
  for (const Event& event : record.events) left = left - Ball(event.delta);
  at_most("confidence", Ball(record.confidence), lower(left) + 1e-12, 0);
  return lower(left);
}

Table certifying_rows(const Record& record, const Table& data) {
  const json& tree = record.problem.tree;
  Table rows = data;
  const bool learned = record.inputs.contains("deployment");
  const bool assumed = record.kind.starts_with("assumed");  // for any controller
  if (!assumed &&
      (is_posterior_kind(record.kind) ? learned || record.inputs.contains("controller")
                                      : learned == record.inputs.contains("controller")))
    throw Refuted{"inputs: not those of the kind"};
  if (learned && !assumed) {
    const std::string way = text_at(record.inputs, "deployment.way", record.file);
    const bool cross = is_cross_kind(record.kind);
    if (way == "hold-out" && !cross)
      rows = rest_of(data, number_at(tree, "certificate.fraction", record.file));
    else if (way != (cross ? "cross" : "fixed"))
      throw Refuted{"inputs.deployment.way: '" + way + "' does not give this kind"};
  }
  if (record.inputs.contains("posterior") &&
      text_at(tree, "learning.prior.center", record.file) == "split")
    rows = rest_of(data, number_at(tree, "learning.prior.fraction", record.file));
  if (record.n != rows.rows) throw Refuted{"n: not the number of trajectories that certify"};
  return rows;
}

double judge(const Record& record, const Bound& bound) {
  if (record.subject != bound.subject) throw Refuted{"subject: expected " + bound.subject};
  if (record.assumptions.size() != bound.assumptions.size())
    throw Refuted{"assumptions: not those of the kind"};
  for (size_t i = 0; i < bound.assumptions.size(); ++i)
    if (!says(record.assumptions[i], bound.assumptions[i].pattern, bound.assumptions[i].numbers,
              1e-15))
      throw Refuted{"assumptions: expected '" + bound.assumptions[i].pattern + "'"};

  if (record.events.size() != bound.events.size()) throw Refuted{"events: not those of the kind"};
  for (size_t i = 0; i < bound.events.size(); ++i) {
    const Sentence& statement = bound.events[i].statement;
    if (record.events[i].name != bound.events[i].name ||
        !says(record.events[i].statement, statement.pattern, statement.numbers, 1e-5))
      throw Refuted{"event " + bound.events[i].name + ": its statement is another one"};
  }

  if (record.terms.size() != bound.terms.size()) throw Refuted{"terms: not those of the kind"};
  Ball value = max_zero(bound.residual);
  double sum = 0;
  for (size_t i = 0; i < bound.terms.size(); ++i) {
    const ExpectedTerm& term = bound.terms[i];
    if (record.terms[i].name != term.name) throw Refuted{"terms: expected '" + term.name + "'"};
    at_most("term '" + term.name + "'", term.value, record.terms[i].value, record.value);
    value = value + term.value;
    sum += record.terms[i].value;
  }
  if (record.kl.has_value() != bound.kl.has_value()) throw Refuted{"kl: not of this kind"};
  if (bound.kl) at_most("kl", *bound.kl, *record.kl, std::max(1.0, *record.kl));
  at_most("value", value, record.value, record.value);
  if (!(sum <= record.value + 1e-9 * std::abs(record.value)))
    throw Refuted{"value: below the sum of its terms"};
  return upper(value);
}

}  // namespace verify
