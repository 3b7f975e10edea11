// Kind limits-best: shares depend on the problem, on how many trajectories certify and on how many
// rows there are (docs/theory/limits.md).
#include <cmath>

#include "portfolio/portfolio.hpp"

namespace verify {
namespace {

// What each kind with a share of delta gets.
std::map<std::string, double> shares_of(const Record& record, long n) {
  const Problem& p = record.problem;
  const Limits& limits = *p.limits;
  const std::string way = record.has_posterior() ? "whole" : record.use_of_data();
  const bool one = way != "whole" && way != "cross";  // response, fixed before the data
  const bool gaussian = grants_gaussian(p), zero_mean = grants_zero_mean(p);
  std::map<std::string, double> weights;
  if (limits.robust()) return weights;
  if (gaussian && (one || (way == "cross" && zero_mean))) weights["limits-tolerance"] = 8;
  if (gaussian && zero_mean && (grants_white(p) || p.lags > 0)) weights["limits-envelope"] = 8;
  double total = one ? 1 : 0;
  for (const auto& [kind, weight] : weights) total += weight;
  // Without a violation 1 - share^(1/n) is as far as a count gets.
  const double share =
      limits.delta / total / (limits.each ? static_cast<double>(limits.count()) : 1);
  const double least = -std::expm1(std::log(share) / static_cast<double>(n));
  if (one && (!gaussian || least <= limits.target))
    weights["limits-count"] = 1;
  else if (one)
    total -= 1;
  for (auto& [kind, weight] : weights) weight *= limits.delta / total;
  return weights;
}

}  // namespace

std::vector<Record> limits_members(const Record& record, long certifying) {
  const Problem& p = record.problem;
  std::map<std::string, std::vector<Event>> found;
  for (const Event& event : record.events) found[event.kind].push_back(event);
  const std::map<std::string, double> expected = shares_of(record, certifying);
  for (const auto& [kind, delta] : expected) {
    if (!found.contains(kind)) throw Refuted{"event " + kind + ": none has its share of delta"};
    for (const Event& event : found[kind]) {
      const double part = upper(delta * share_of(event, found[kind]));
      if (!(std::abs(event.delta - part) <= 1e-12 * part))
        throw Refuted{"event " + word(kind + ": " + event.id) + ": its delta is not the rule's"};
    }
  }
  if (found.size() != expected.size())
    throw Refuted{"events: a share of delta for a kind that has none"};
  std::vector<Record> members;
  const auto add = [&](const std::string& kind) {
    Record& member = members.emplace_back(record);
    member.kind = kind;
    member.events = found[kind];
    for (Event& event : member.events) event.kind.clear();
  };
  add(record.chosen);
  for (const auto& [kind, delta] : expected)
    if (kind != record.chosen && found[kind][0].id != "kept") add(kind);
  const bool assumed = grants_gaussian(p) && grants_zero_mean(p) &&
                       (grants_covariance(p) || grants_scale(p)) && !p.limits->robust();
  if (assumed && record.chosen != "limits-assumed") add("limits-assumed");
  return members;
}

}  // namespace verify
