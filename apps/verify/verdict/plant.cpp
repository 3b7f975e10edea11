// Certificates of plants that are identified: the record against the logs.
#include <set>

#include "verdict/check.hpp"
#include "verdict/words.hpp"

namespace verify {
namespace {

const std::string known_inputs =
    " problem problem_sha256 logs_sha256 episodes identified identified.bound identified.design"
    " identified.tau identified.nu identified.gains identified.P identified.rise identified.pilot"
    " identified.transitions identified.reply_gain identified.reply_P identified.cost_gain"
    " identified.cost_P identified.below identified.baseline ";
const std::string limits_inputs =
    " identified_limits identified_limits.rows identified_limits.rows.row"
    " identified_limits.rows.step identified_limits.rows.bound identified_limits.rows.tau"
    " identified_limits.rows.nu identified_limits.rows.variance identified_limits.rows.violation"
    " identified_limits.rows.P identified_limits.rows.rise identified_limits.rows.reply_gain"
    " identified_limits.rows.reply_P identified_limits.rows.cost_gain identified_limits.rows.cost_P"
    " identified_limits.rows.mean identified_limits.rows.mean_error"
    " identified_limits.rows.mean_error.bound identified_limits.rows.mean_error.tau"
    " identified_limits.rows.mean_error.nu identified_limits.rows.mean_error.value ";

Table all_of(const Log& log) {  // in one row
  Table row{1, 0, log.y.values};
  row.values.insert(row.values.end(), log.u.values.begin(), log.u.values.end());
  for (double& value : row.values) value += 0.0;  // one zero
  row.cols = std::ssize(row.values);
  return row;
}

// Episodes of one length that differ by rounding, a sign or a factor are copies.
void require_distinct(const Inputs& in) {
  const bool keep = in.record.problem.tree.value("/data/repeated"_json_pointer, "") == "keep";
  std::set<std::string> seen;
  Table rows;
  for (size_t i = 0; i < in.logs.size(); ++i) {
    const Table row = all_of(in.logs[i]);
    if (!seen.insert(little_endian(row)).second && !keep)
      throw Refuted{"logs: episode " + std::to_string(i + 1) + " repeats an earlier one"};
    if (i == 0) rows.cols = row.cols;
    if (row.cols != rows.cols) return;
    rows.values.insert(rows.values.end(), row.values.begin(), row.values.end());
    ++rows.rows;
  }
  if (const long found = distinct(rows).directions; found < rows.rows)
    throw Refuted{"logs: " + std::to_string(rows.rows) + " episodes have only " +
                  std::to_string(found) + " directions, unlike independent ones"};
}

Data starts_of(const Inputs& in) {
  Table starts{0, in.record.problem.n_x, {}};
  for (const Log& log : in.logs) {
    starts.values.insert(starts.values.end(), log.y.values.begin(),
                         log.y.values.begin() + starts.cols);
    ++starts.rows;
  }
  return moments_of(starts);
}

}  // namespace

void check_logs(const Inputs& in) {
  const Record& record = in.record;
  const Problem& p = record.problem;
  const bool infinite = p.unknown->infinite, limits = record.kind == "limits-envelope";
  if (limits != record.inputs.contains("identified_limits"))
    throw Refuted{"inputs.identified_limits: not that of the kind"};
  if (!limits && record.kind != (infinite ? "identified-average" : "identified") &&
      (infinite || record.kind != "identified-improvement"))
    throw Refuted{"kind: not the one of a plant that is identified over this horizon"};
  check_keys(record.inputs, known_inputs + limits_inputs, "inputs",
             "certificate of an identified plant");
  if (record.oracle || !record.lambda.empty())
    throw Refuted{"oracle, lambda: not those of the kind"};
  check_problem(record);
  if (hash_of(in.logs) != record.input("/logs_sha256"))
    throw Refuted{"logs: their SHA-256 is not the recorded one"};
  json episodes = json::array();
  for (const Log& log : in.logs) {
    episodes.push_back(log.steps());
    if (!infinite && log.steps() != p.T) throw Refuted{"logs: an episode of another length"};
  }
  if (episodes != record.inputs.at("episodes"))
    throw Refuted{"logs: not the recorded lengths of episodes"};
  if (record.n != std::ssize(in.logs)) throw Refuted{"n: not the number of episodes"};
  require_distinct(in);
  if (!infinite && record.n > 10) require_likely_mean(starts_of(in));
  require_gains(record, in.controller);
}

Verdict check_plant(const Inputs& in, const Ball& confidence) {
  const Record& record = in.record;
  const Bound bound = plant_bound(record, in.logs);
  const double value = judge(record, bound);
  std::vector<std::string> lines = first_lines(in);
  const json& identified = record.inputs.at("identified");
  lines.push_back("logs: SHA-256 " + record.input("/logs_sha256").substr(0, 16) + ", " +
                  std::to_string(record.n) + " episodes, " +
                  std::to_string(identified.at("transitions").get<long>()) +
                  " transitions after a pilot of " +
                  std::to_string(identified.at("pilot").get<long>()));
  const bool average = record.problem.unknown->infinite;
  if (average) lines.push_back("proved: every plant that the logs allow is stable");
  const bool difference = record.kind == "identified-improvement";
  const bool limits = record.kind == "limits-envelope";
  if (difference) lines.push_back("baseline: no input, u = 0");
  if (limits)
    for (const std::string& line : limits_lines(record)) lines.push_back(line);
  for (const Statement& assumed : bound.assumptions)
    lines.push_back("assuming: " + in_words(assumed));
  const std::string what = limits       ? ", " + in_words({bound.functional})
                           : average    ? ", average cost of a step"
                           : difference ? " minus baseline"
                                        : "";
  return {in_words({bound.subject}) + what, value, lower(confidence), lines};
}

}  // namespace verify
