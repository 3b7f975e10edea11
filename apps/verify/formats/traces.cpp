#include "formats/traces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace verify {
namespace {

// A step: the weighted mean of its entries in parts of their sizes, and of their absolute values,
// in units of 2^-40. Entry i has weight 1 + frac(i / golden ratio).
struct Step {
  std::int64_t mean;
  double size;
  // How far a copy may be off that was rounded to this part of each entry.
  std::int64_t room(double level) const { return static_cast<std::int64_t>(level * size) + 1; }
};
using Row = std::vector<Step>;

Step step_of(const double* entries, const std::vector<double>& sizes) {
  double mean = 0, size = 0, total = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const double turns = 0.6180339887498949 * static_cast<double>(i);
    const double weight = 1 + (turns - std::floor(turns));
    mean += weight * (entries[i] / sizes[i]);
    size += weight * std::abs(entries[i] / sizes[i]);
    total += weight;
  }
  const auto scaled = [](double x) {
    const double limit = std::ldexp(1, 46);
    return std::isfinite(x) ? std::clamp(std::ldexp(x, 40), -limit, limit) : limit;
  };
  return {std::llround(scaled(mean / total)), scaled(size / total)};
}

// To 6 digits, to single precision, to 12 digits.
const double levels[3] = {std::ldexp(1, -17), std::ldexp(1, -24), std::ldexp(1, -36)};

// Whether the steps of `mine` from `from` on are those of `other` from `there` on, as long as both
// last, at the loosest level, from `first` on, at which they say `needed` bits.
bool same(const Traces& known, const Row& mine, size_t from, const std::vector<std::int64_t>& other,
          size_t there, long needed, int first) {
  const size_t count = std::min(mine.size() - from, other.size() - there);
  for (int level = first; level < 3; ++level) {
    long said = 0;
    for (size_t t = 0; t < count; ++t) {
      const Step& step = mine[from + t];
      int exponent = 0;
      std::frexp(static_cast<double>(step.room(levels[level])) / std::max(step.size, 1.0),
                 &exponent);
      said += std::clamp(-exponent - known.lost[there + t], 0L, known.most[there + t]);
    }
    if (said < needed) continue;
    for (size_t t = 0; t < count; ++t)
      if (std::abs(mine[from + t].mean - other[there + t]) > mine[from + t].room(levels[level]))
        return false;
    return true;
  }
  return false;
}

struct Place {
  std::int64_t mean;
  size_t row, step;
  bool operator<(const Place& other) const { return mean < other.mean; }
};

// The places that a step may be a copy of.
std::pair<const Place*, const Place*> near(const std::vector<Place>& places, const Step& step,
                                           double level) {
  const std::int64_t room = step.room(level);
  const auto begin = std::lower_bound(places.begin(), places.end(), Place{step.mean - room, 0, 0});
  const auto end = std::upper_bound(begin, places.end(), Place{step.mean + room, 0, 0});
  return {places.data() + (begin - places.begin()), places.data() + (end - places.begin())};
}

bool is_known(const Traces& known, const Row& mine, const std::vector<Place>& pivots, size_t pivot,
              const std::vector<Place>& places) {
  // Among as many rows as are known, chance alone gives a copy with probability 2^-20.
  long needed = 20;
  for (size_t n = known.rows.size(); n > 0; n /= 2) needed += 2;
  for (auto [at, end] = near(pivots, mine[pivot], levels[0]); at != end; ++at)
    if (same(known, mine, 0, known.rows[at->row], 0, needed, 0)) return true;
  const size_t steps = mine.size(), theirs = known.lost.size();
  for (size_t t = 1; t < steps; ++t) {
    auto [at, end] = near(places, mine[t], levels[1]);
    if (end - at > 64) continue;  // a step that says little
    for (; at != end; ++at) {     // from step 1 of the one that begins later
      const size_t back = std::min(t, at->step) - 1, from = t - back, there = at->step - back;
      const size_t count = std::min(steps - from, theirs - there);
      if (t != at->step && 2 * count >= std::min(steps, theirs) - 1 &&
          same(known, mine, from, known.rows[at->row], there, needed + 10, 1))
        return true;
    }
  }
  return false;
}

}  // namespace

Traces parse_traces(const json& tree) {
  Traces known;
  known.first = tree.at("first").get<std::vector<double>>();
  known.later = tree.at("later").get<std::vector<double>>();
  known.lost = tree.at("lost").get<std::vector<long>>();
  known.most = tree.at("most").get<std::vector<long>>();
  const size_t steps = known.lost.size();
  for (const std::vector<double>* sizes : {&known.first, &known.later})
    for (const double size : *sizes)
      if (!(size > 0)) bad("recordings", "a size that is not positive", "positive ones");
  for (const std::vector<long>* counts : {&known.lost, &known.most})
    for (const long count : *counts)
      if (count < 0 || count > 64) bad("recordings", "other bits", "0 to 64 of them");
  if (steps < 2 || known.most.size() != steps)
    bad("recordings", "other counts", "one for each step, two or more");
  if (known.first.empty() || known.later.size() != known.first.size())
    bad("recordings", "other sizes", "those of x_0 and of w_t");
  for (const json& text : tree.at("rows")) {
    const std::string digits = text.get<std::string>();
    if (digits.size() != 12 * steps || digits.find_first_not_of("0123456789abcdef") != digits.npos)
      bad("recordings", "another text", "12 hexadecimal digits for each step, in small letters");
    std::vector<std::int64_t> row;
    for (size_t t = 0; t < steps; ++t)
      row.push_back(std::stoll(digits.substr(12 * t, 12), nullptr, 16) - (std::int64_t{1} << 47));
    known.rows.push_back(row);
  }
  return known;
}

long known_row(const Traces& known, const Table& data) {
  const size_t n_x = known.first.size();
  if (known.rows.empty() || data.cols % static_cast<long>(n_x) != 0) return -1;
  const size_t steps = static_cast<size_t>(data.cols) / n_x, theirs = known.lost.size();
  const auto says = [&](size_t t) { return std::min(known.most[t], 36 - known.lost[t]); };
  size_t pivot = 0;  // the step that says most
  for (size_t t = 1; t < std::min(steps, theirs); ++t)
    if (says(t) > says(pivot)) pivot = t;
  std::vector<Place> pivots, places;
  for (size_t i = 0; i < known.rows.size(); ++i)
    for (size_t t = 0; t < theirs; ++t) {
      if (t == pivot) pivots.push_back({known.rows[i][t], i, t});
      if (t > 0) places.push_back({known.rows[i][t], i, t});
    }
  std::sort(pivots.begin(), pivots.end());
  std::sort(places.begin(), places.end());
  for (long i = 0; i < data.rows; ++i) {
    Row mine;
    const double* row = &data.values[static_cast<size_t>(i * data.cols)];
    for (size_t t = 0; t < steps; ++t)
      mine.push_back(step_of(row + t * n_x, t == 0 ? known.first : known.later));
    if (is_known(known, mine, pivots, pivot, places)) return i;
  }
  return -1;
}

}  // namespace verify
