// Faults of sensors, as they show in a log: a value that stays while everything moves, a value that
// comes back again and again far from its neighbours, one end of the range reached too often, a
// single sample far off.
#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <map>

#include "inspect_common.hpp"
#include "inspection/sensors.hpp"

namespace loopcert {
namespace {

// One measured signal: an episode to a row.
struct Channel {
  std::string name;
  Matrix values;
};

struct Fault {
  double p = 1;      // of as much by chance, corrected for where it was looked for
  std::string text;  // empty: none
};

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double binomial_upper(Index count, Index trials, double p) {
  if (count <= 0) return 1;
  using boost::math::binomial_distribution;
  return boost::math::cdf(boost::math::complement(
      binomial_distribution<>(static_cast<double>(trials), p), static_cast<double>(count - 1)));
}

std::string place(const Channel& c, Index episode, Index step) {
  return fmt::format("{} in episode {} at step {}", c.name, episode + 1, step);
}

// A run of equal samples, against the share of equal neighbours elsewhere: rounding makes some.
Fault stuck(const Channel& c) {
  const Index n = c.values.rows(), steps = c.values.cols();
  Index longest = 1, row = 0, at = 0, equal = 0;
  for (Index i = 0; i < n; ++i)
    for (Index t = 1, run = 1; t < steps; ++t) {
      run = c.values(i, t) == c.values(i, t - 1) ? run + 1 : 1;
      equal += run > 1;
      if (run > longest) longest = run, row = i, at = t - run + 1;
    }
  const Index pairs = n * (steps - 1), elsewhere = equal - (longest - 1);
  const double share =
      (static_cast<double>(elsewhere) + 1) / (static_cast<double>(pairs - longest + 1) + 2);
  const double p =
      corrected(std::pow(share, static_cast<double>(longest - 1)), static_cast<double>(pairs));
  return {p, fmt::format("{} stands still: {} samples are equal from step {} of episode {} on",
                         c.name, longest, at, row + 1)};
}

// One value that is again and again far from both neighbours: 0, -1, 9999.
Fault dropped(const Channel& c) {
  std::vector<double> changes;
  for (Index i = 0; i < c.values.rows(); ++i)
    for (Index t = 1; t < c.values.cols(); ++t)
      changes.push_back(std::abs(c.values(i, t) - c.values(i, t - 1)));
  const double usual = median_of(changes);
  const double far = 6 * usual;
  if (!(far > 0)) return {};
  std::map<double, Index> counts;
  Index jumps = 0;
  for (Index i = 0; i < c.values.rows(); ++i)
    for (Index t = 1; t + 1 < c.values.cols(); ++t) {
      const double here = c.values(i, t);
      if (std::abs(here - c.values(i, t - 1)) < far || std::abs(here - c.values(i, t + 1)) < far)
        continue;
      ++jumps;
      ++counts[here];
    }
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == counts.end() || most->second < 3) return {};
  // Two jumps that land on one value by chance: at most as often as a value is at a rounding step
  // within the jumps' reach, here one in ten.
  const double p = corrected(binomial_upper(most->second - 1, jumps - 1, 0.1),
                             static_cast<double>(counts.size()));
  return {p, fmt::format("{} drops out: {} samples of exactly {} are far from both neighbours",
                         c.name, most->second, small(most->first))};
}

// The end of the range against the next value before it: a tail thins out. What rests from the
// start on has not been moved yet.
Fault saturated(const Channel& c) {
  Fault worst;
  for (const double sign : {1.0, -1.0}) {
    std::map<double, Index> counts;  // the end comes first
    for (Index i = 0; i < c.values.rows(); ++i) {
      Index t = 0;
      while (t < c.values.cols() && c.values(i, t) == c.values(i, 0)) ++t;
      for (; t < c.values.cols(); ++t) ++counts[-sign * c.values(i, t)];
    }
    if (counts.size() < 4) continue;
    const auto end = counts.begin(), next = std::next(end);
    if (end->second < 3) continue;
    const double p = corrected(binomial_upper(end->second, end->second + next->second, 0.5), 2);
    if (p < worst.p)
      worst = {p, fmt::format("{} saturates: {} samples are exactly {}, the {} of all, and {} the "
                              "next value",
                              c.name, end->second, small(-sign * end->first),
                              sign > 0 ? "largest" : "smallest", next->second)};
  }
  return worst;
}

// A sample far from both neighbours on the same side, there and back at once: an edge, as a
// setpoint makes, is none. In robust deviations of a sample from the mean of its neighbours.
Fault spikes(const Channel& c) {
  std::vector<double> gaps;
  const auto rise = [&](Index i, Index t) { return c.values(i, t) - c.values(i, t - 1); };
  for (Index i = 0; i < c.values.rows(); ++i)
    for (Index t = 1; t + 1 < c.values.cols(); ++t)
      gaps.push_back(0.5 * std::abs(rise(i, t) - rise(i, t + 1)));
  if (gaps.size() < 20) return {};
  const double deviation = 1.4826 * median_of(gaps);
  if (!(deviation > 0)) return {};
  double largest = 0;
  Index row = 0, at = 0, count = 0;
  for (Index i = 0; i < c.values.rows(); ++i)
    for (Index t = 1; t + 1 < c.values.cols(); ++t) {
      const double there = rise(i, t), back = -rise(i, t + 1);
      const double size = there * back > 0 ? std::min(std::abs(there), std::abs(back)) : 0;
      count += size > 6 * deviation;
      if (size > largest) largest = size, row = i, at = t;
    }
  // Of a fatter tail than a Gaussian one: Student's with four degrees of freedom.
  const double p =
      corrected(student_two_sided(largest / deviation, 4), static_cast<double>(gaps.size()));
  return {p, fmt::format("{} has spikes: {} is {} deviations from its neighbours ({} are beyond 6)",
                         c.name, place(c, row, at), small(largest / deviation), count)};
}

std::vector<Channel> channels_of(const Problem& problem, const Rollouts& logs) {
  const Sizes s = problem.sizes();
  std::vector<Channel> channels;
  for (Index i = 0; i < s.n_x; ++i) {
    Channel c{problem.data.states.empty()
                  ? fmt::format("{}[{}]", problem.system.plant.has_state() ? "x" : "y", i)
                  : problem.data.states[static_cast<size_t>(i)].name,
              Matrix(logs.x.rows(), s.T + 1)};
    for (Index t = 0; t <= s.T; ++t) c.values.col(t) = logs.x.col(t * s.n_x + i);
    channels.push_back(std::move(c));
  }
  return channels;
}

}  // namespace

Check inspect_sensors(const Problem& problem, const Rollouts& logs) {
  Check check;
  check.name = "sensors";
  check.assumption = "what was logged is what there was";
  const std::vector<Channel> channels = channels_of(problem, logs);
  if (logs.x.rows() * problem.sizes().T < 40) {
    check.meaning = "Too few samples to tell a fault from chance.";
    return check;
  }
  Fault worst;
  std::vector<std::string> found;
  const double looks = 4 * static_cast<double>(channels.size());
  for (const Channel& c : channels)
    for (Fault fault : {stuck(c), dropped(c), saturated(c), spikes(c)}) {
      fault.p = corrected(fault.p, looks);
      if (fault.p < doubtful_below && !fault.text.empty()) found.push_back(fault.text);
      if (fault.p < worst.p) worst = fault;
    }
  check.p_value = worst.p;
  check.verdict = judge(worst.p, true);
  if (found.empty()) {
    check.meaning = fmt::format("No signal stands still, drops out, saturates or has spikes: {}.",
                                p_text(worst.p));
    return check;
  }
  for (const std::string& text : found) check.meaning += (check.meaning.empty() ? "" : "; ") + text;
  check.meaning += fmt::format(": {}.", p_text(worst.p));
  check.advice =
      "Leave these episodes out, or mend the log: what a faulty sensor writes becomes a "
      "disturbance "
      "that the plant never had.";
  return check;
}

}  // namespace loopcert
