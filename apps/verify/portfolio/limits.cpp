// Kind limits-best: shares depend on the problem, on how many trajectories certify and on how many
// rows there are (docs/theory/limits.md).
#include <cmath>

#include "portfolio/portfolio.hpp"

namespace verify {
namespace {

double normal_beyond(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }

// The x beyond which a normal number is so often.
double normal_quantile(double share) {
  double low = -40, high = 40;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (normal_beyond(middle) > share ? low : high) = middle;
  }
  return low;
}

// How often limits may be violated for four of five sets to certify the target.
constexpr double mostly = 0.8;

double worth_of_tolerance(const Limits& limits, long n) {
  const auto C = static_cast<double>(limits.each ? 1 : limits.count());
  const double stretch =
      std::sqrt(chi_square_below(n, mostly) / chi_square_below(n, limits.delta / C));
  return 2 * C * normal_beyond(normal_quantile(limits.target / (2 * C)) * stretch);
}

double worth_of_count(const Limits& limits, long n) {
  long most = -1;
  while (most + 1 < n && upper(count_above(most + 1, n, limits.delta)) <= limits.target) ++most;
  return most < 0 ? 0 : upper(count_above(most, n, mostly));
}

// What each kind with a share of delta gets: eight parts for the better of tolerance and count,
// one for the other, and eight for a matrix above the covariance where structure makes it small: a
// colour does where counting is not better.
std::map<std::string, double> shares_of(const Record& record, long n) {
  const Problem& p = record.problem;
  const Limits& limits = *p.limits;
  const std::string way = record.has_posterior() ? "whole" : record.use_of_data();
  const bool one = way != "whole" && way != "cross";  // response, fixed before the data
  const bool gaussian = grants_gaussian(p), zero_mean = grants_zero_mean(p);
  std::map<std::string, double> weights;
  if (limits.robust()) return weights;
  const bool counts = one && worth_of_count(limits, n) > worth_of_tolerance(limits, n);
  if (gaussian && (one || (way == "cross" && zero_mean)))
    weights["limits-tolerance"] = counts ? 1 : 8;
  if (one) weights["limits-count"] = counts ? 8 : 1;
  if (gaussian && zero_mean && (way == "whole" || grants_white(p) || (p.lags > 0 && !counts)))
    weights["limits-envelope"] = 8;
  double total = 0;
  for (const auto& [kind, weight] : weights) total += weight;
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
