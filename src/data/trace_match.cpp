// Which rows share steps with known ones. Candidates come from sorted lists of single steps; each
// is then compared over all steps that the two have in common.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "trace_steps.hpp"

namespace loopcert {
namespace {

// Rounding that a copy may have gone through, in parts of each number: to 6 digits, to single
// precision, to 12 digits.
constexpr std::array<double, 3> levels = {0x1p-17, 0x1p-24, 0x1p-36};

struct Place {
  std::int64_t value;
  Index row, step;
};

// So rare must it be that two rows agree: among as many rows as are known, chance alone gives a
// copy with probability 2^-20.
int bits_needed(Index n) { return 20 + 2 * std::bit_width(static_cast<std::uint64_t>(n)); }

class Matcher {
 public:
  Matcher(const Traces& known, const StepNumbers& rows, bool earlier)
      : known_(known), rows_(rows), earlier_(earlier), needed_(bits_needed(known.n())) {
    const auto says = [&](Index t) { return std::min(known.most[at(t)], 36 - known.lost[at(t)]); };
    for (Index t = 1; t < common(0, 0); ++t)
      if (says(t) > says(pivot_)) pivot_ = t;
    for (Index i = 0; i < known.n(); ++i)
      for (Index t = 0; t < known.steps(); ++t) {
        if (t == pivot_) pivots_.push_back({number(i, t), i, t});
        if (t > 0) places_.push_back({number(i, t), i, t});
      }
    for (std::vector<Place>* list : {&pivots_, &places_})
      std::sort(list->begin(), list->end(),
                [](const Place& a, const Place& b) { return a.value < b.value; });
  }

  // A known row that shares its steps with row i, or -1.
  Index find(Index i) const {
    if (const double level = loosest(i, 0, 0, needed_, 0); level > 0)
      for (const Place& place : near(pivots_, rows_.at(i, pivot_), level))
        if (other(i, place.row) && agree(i, 0, place.row, 0, level)) return place.row;
    for (Index t = 1; t < rows_.steps; ++t) {
      const Range candidates = near(places_, rows_.at(i, t), levels[1]);
      if (candidates.size() > 64) continue;  // a step that says little
      for (const Place& place : candidates)
        if (other(i, place.row) && place.step != t && shifted(i, place.row, place.step - t))
          return place.row;
    }
    return -1;
  }

 private:
  static size_t at(Index t) { return static_cast<size_t>(t); }
  std::int64_t number(Index row, Index t) const {
    return known_.rows[at(row * known_.steps() + t)];
  }
  bool other(Index i, Index row) const { return !earlier_ || row < i; }
  Index common(Index from, Index there) const {
    return std::min(rows_.steps - from, known_.steps() - there);
  }

  // What step t of a known row says when it agrees with `mine` to `level`.
  int bits(const StepNumber& mine, Index t, double level) const {
    int exponent = 0;
    std::frexp(static_cast<double>(trace_room(mine, level)) / std::max(mine.size, 1.0), &exponent);
    return std::clamp(-exponent - known_.lost[at(t)], 0, known_.most[at(t)]);
  }

  // The loosest level, from `first` on, at which row i says enough from its step `from` on, held
  // against known ones from `there` on; 0 when none does.
  double loosest(Index i, Index from, Index there, int needed, size_t first) const {
    for (size_t level = first; level < levels.size(); ++level) {
      int sum = 0;
      for (Index t = 0; t < common(from, there); ++t)
        sum += bits(rows_.at(i, from + t), there + t, levels[level]);
      if (sum >= needed) return levels[level];
    }
    return 0;
  }

  bool agree(Index i, Index from, Index row, Index there, double level) const {
    for (Index t = 0; t < common(from, there); ++t) {
      const StepNumber& mine = rows_.at(i, from + t);
      if (std::abs(mine.value - number(row, there + t)) > trace_room(mine, level)) return false;
    }
    return true;
  }

  // Step t of row i is step t + shift of the known one. Step 0 of either is of another kind.
  bool shifted(Index i, Index row, Index shift) const {
    const Index from = std::max<Index>(1, 1 - shift), there = from + shift;
    if (2 * common(from, there) < std::min(rows_.steps, known_.steps()) - 1) return false;
    const double level = loosest(i, from, there, needed_ + 10, 1);  // 2^10 shifts are possible
    return level > 0 && agree(i, from, row, there, level);
  }

  struct Range {
    const Place *first, *last;
    const Place* begin() const { return first; }
    const Place* end() const { return last; }
    std::ptrdiff_t size() const { return last - first; }
  };
  static Range near(const std::vector<Place>& list, const StepNumber& number, double level) {
    const std::int64_t room = trace_room(number, level);
    const auto below = [](const Place& place, std::int64_t v) { return place.value < v; };
    const auto first = std::lower_bound(list.begin(), list.end(), number.value - room, below);
    const auto last = std::lower_bound(first, list.end(), number.value + room + 1, below);
    return {list.data() + (first - list.begin()), list.data() + (last - list.begin())};
  }

  const Traces& known_;
  const StepNumbers& rows_;
  bool earlier_;
  int needed_;
  Index pivot_ = 0;  // the step that says most
  std::vector<Place> pivots_, places_;
};

}  // namespace

std::vector<Index> known_rows(const Traces& known, const StepNumbers& rows, bool earlier) {
  std::vector<Index> found(static_cast<size_t>(rows.n()), -1);
  if (known.n() == 0) return found;
  const Matcher matcher(known, rows, earlier);
  for (Index i = 0; i < rows.n(); ++i) found[static_cast<size_t>(i)] = matcher.find(i);
  return found;
}

}  // namespace loopcert
