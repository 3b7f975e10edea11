#include "calibration/coverage_statistics.hpp"

#include <fmt/format.h>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr double allowance_level = 0.01;
constexpr double judge_confidence = 0.999;

const std::vector<std::pair<CoverageRule, std::string>>& rule_names() {
  static const std::vector<std::pair<CoverageRule, std::string>> names = {
      {CoverageRule::below, "below"},     {CoverageRule::at_most, "at-most"},
      {CoverageRule::exact, "exact"},     {CoverageRule::fails, "fails"},
      {CoverageRule::refused, "refused"},
  };
  return names;
}

}  // namespace

Interval clopper_pearson(Index successes, Index trials, double confidence) {
  check_at_least("trials", trials, 1);
  check_probability("confidence", confidence);
  const auto k = static_cast<double>(successes), n = static_cast<double>(trials);
  const double tail = (1 - confidence) / 2;
  Interval interval;
  // P(X >= k) = tail at the lower end and P(X <= k) = tail at the upper: quantiles of beta laws.
  if (k > 0) interval.low = quantile(boost::math::beta_distribution<>(k, n - k + 1), tail);
  if (k < n)
    interval.high = quantile(complement(boost::math::beta_distribution<>(k + 1, n - k), tail));
  return interval;
}

Index violations_allowed(Index sets, double delta) {
  check_at_least("sets", sets, 1);
  check_probability("delta", delta);
  const boost::math::binomial_distribution<> count(static_cast<double>(sets), delta);
  Index low = -1, high = sets;  // P(X <= low) <= level < P(X <= high) = 1
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    (cdf(count, static_cast<double>(middle)) <= allowance_level ? low : high) = middle;
  }
  return low;
}

CoverageRule coverage_rule(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [rule, rule_name] : rule_names()) {
    if (rule_name == name) return rule;
    known.push_back(rule_name);
  }
  throw_input_error("rule", "'" + name + "'", join(known, " | ") + did_you_mean(name, known));
}

std::string coverage_rule_name(CoverageRule rule) {
  for (const auto& [known, name] : rule_names())
    if (known == rule) return name;
  throw NumericsError("no such rule");
}

CoverageVerdict judge(CoverageRule rule, const CoverageCounts& counts, double delta) {
  const Interval wide = clopper_pearson(counts.violations, counts.sets, judge_confidence);
  const bool above = wide.low > delta;
  if (counts.failed > 0)
    return {false, fmt::format("numerical failure on {} data sets", counts.failed)};
  if (rule == CoverageRule::refused)
    return counts.refused == counts.sets
               ? CoverageVerdict{true, "refused"}
               : CoverageVerdict{false, fmt::format("refused only {} times", counts.refused)};
  if (rule == CoverageRule::fails)
    return above ? CoverageVerdict{true, "fails"} : CoverageVerdict{false, "did not fail"};
  if (counts.refused > 0) return {false, fmt::format("refused {} data sets", counts.refused)};
  if (above) return {false, "above delta"};
  if (rule == CoverageRule::at_most) return {true, "not above delta"};
  if (rule == CoverageRule::exact)
    return wide.high >= delta ? CoverageVerdict{true, "delta"}
                              : CoverageVerdict{false, "below delta"};
  return counts.violations <= violations_allowed(counts.sets, delta)
             ? CoverageVerdict{true, "below delta"}
             : CoverageVerdict{false, "not shown to be below delta"};
}

}  // namespace loopcert
