#include "data/parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "data/fingerprint.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// What a response was learned from does not certify it, also where the problem keeps repeated
// recordings.
void check_apart(const Split& split) {
  const std::vector<Index> shared =
      shared_rows(row_fingerprints(split.certifying.data), row_fingerprints(split.learning.data));
  if (!shared.empty())
    throw InputError(
        fmt::format("data: {} trajectories are both training data and certification data: each "
                    "recording may be in one part only",
                    shared.size()));
}

}  // namespace

FoldRows fold_rows(Index n, Index folds, Index fold) {
  FoldRows rows;
  for (Index i = 0; i < n; ++i) (i % folds == fold ? rows.inside : rows.outside).push_back(i);
  return rows;
}

Split split_first(const Disturbances& data, double fraction) {
  const auto first = static_cast<Index>(std::floor(fraction * static_cast<double>(data.n())));
  if (first < 1 || first >= data.n())
    throw_input_error(
        "data", fmt::format("{} trajectories", data.n()),
        fmt::format("enough to learn from {} of them and to certify on the rest", fraction));
  std::vector<Index> rows(static_cast<size_t>(data.n()));
  std::iota(rows.begin(), rows.end(), Index{0});
  Split split{{select_rows(data, {rows.begin(), rows.begin() + first})},
              {select_rows(data, {rows.begin() + first, rows.end()})}};
  if (first_repeated(data)) check_apart(split);
  return split;
}

std::vector<Split> split_folds(const Disturbances& data, Index folds) {
  if (data.n() < 2 * folds)
    throw_input_error("data", fmt::format("{} trajectories", data.n()),
                      fmt::format("at least {} for {} folds", 2 * folds, folds));
  const bool repeated = first_repeated(data).has_value();
  std::vector<Split> splits;
  for (Index k = 0; k < folds; ++k) {
    const FoldRows rows = fold_rows(data.n(), folds, k);
    splits.push_back({{select_rows(data, rows.outside)}, {select_rows(data, rows.inside)}});
    if (repeated) check_apart(splits.back());
  }
  return splits;
}

}  // namespace loopcert
