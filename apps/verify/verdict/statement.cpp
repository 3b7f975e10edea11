// What was verified, in full and in the checker's own words.
#include <algorithm>
#include <cmath>

#include "verdict/check.hpp"
#include "verdict/words.hpp"

namespace verify {
namespace {

// "1", or "0.1 to 2"
std::string range(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return shortest(*least) + (*least < *most ? " to " + shortest(*most) : "");
}

std::string range(const Mat& column) {
  std::vector<double> ends;
  for (long i = 0; i < column.rows(); ++i) ends.push_back(upper(column(i, 0)));
  return range(ends);
}

std::string short_hash(const std::string& hash) { return "SHA-256 " + hash.substr(0, 16); }

std::string traces(const std::vector<Mat>& weights) {
  std::vector<double> ends;
  for (const Mat& weight : weights) ends.push_back(upper(trace(weight)));
  return range(ends);
}

}  // namespace

std::vector<std::string> limits_lines(const Record& record) {
  const Limits& limits = *record.problem.limits;
  std::vector<double> low, high;
  for (const LimitRow& row : limits.rows) {
    if (std::isfinite(row.low)) low.push_back(row.low);
    if (std::isfinite(row.high)) high.push_back(row.high);
  }
  std::vector<std::string> lines = {"limits: " + std::to_string(limits.rows.size()) + " rows, " +
                                    std::to_string(limits.count()) + " at steps" +
                                    (low.empty() ? "" : ", lower ends " + range(low)) +
                                    (high.empty() ? "" : ", upper ends " + range(high))};
  if (limits.set == "box") lines.push_back("limits: for entries up to " + range(limits.size));
  if (const Path path = path_of(record); path.place > 0)
    lines.push_back("limits: place " + std::to_string(path.place) + " on a path of " +
                    std::to_string(path.length) + " controllers, each tested with all of delta" +
                    (path.passed ? "" : "; the first does not pass"));
  return lines;
}

std::vector<std::string> first_lines(const Inputs& in) {
  const Problem& p = in.record.problem;
  const bool infinite = p.unknown && p.unknown->infinite;
  return {"problem: " + short_hash(sha256(p.tree.dump())) + ", horizon " +
              (infinite ? "infinite" : std::to_string(p.T)) + ", n_x " + std::to_string(p.n_x) +
              ", n_u " + std::to_string(p.n_u) +
              (in.own.empty() ? "" : ", plant, cost and assumptions as in --problem"),
          "cost: traces of the weights Q " + traces(p.Q) + ", R " + traces(p.R) +
              (infinite ? "" : ", P " + traces({p.P})),
          "controller: " + short_hash(in.controller.hash)};
}

std::vector<std::string> statement(const Inputs& in, const Record& record, const Bound& bound,
                                   const Distinct& found, long certify) {
  const Problem& p = record.problem;
  std::vector<std::string> lines = first_lines(in);
  if (in.data.rows > 0)
    lines.push_back("data: " + short_hash(sha256(little_endian(in.data))) + ", " +
                    std::to_string(in.data.rows) + " trajectories in " +
                    std::to_string(found.directions) + " directions, " + std::to_string(certify) +
                    " certify");
  if (is_difference_kind(record.kind)) {
    const bool own =
        record.is_deployed() ? p.baseline.has_value() : record.input("/baseline") == "problem";
    const bool lqr = !own && record.inputs.value("baseline", "lqr") == "lqr";
    lines.push_back("baseline: " + (own   ? "the " + p.baseline->form + " of this problem"
                                    : lqr ? "LQR of this problem"
                                          : short_hash(record.input("/baseline_sha256"))));
  }
  if (is_limits_kind(record.kind)) {
    const std::vector<std::string> more = limits_lines(record);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  for (const Statement& assumed : bound.assumptions)
    lines.push_back("assuming: " + in_words(assumed));
  for (const Statement& assumed : bound.rounding_assumptions)
    lines.push_back("assuming, for the rounding errors: " + in_words(assumed));
  if (record.oracle)
    lines.push_back("assuming: that law has variances " +
                    range(diagonal(covariance_of(p, "covariance"))) + " and means " +
                    range(block(true_mean(record), 1, 0, p.d_w(), 1)) + ", as the problem states");
  if (record.kind.ends_with("known") || record.kind == "known-covariance" ||
      record.kind == "assumed-covariance" ||
      (record.kind == "limits-assumed" && grants_covariance(p)))
    lines.push_back("assuming: covariance_bound has variances " +
                    range(diagonal(covariance_of(p, "covariance_bound"))));
  return lines;
}

}  // namespace verify
