#include "loopcert/data/parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "loopcert/core/error.hpp"

namespace loopcert {

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
        fmt::format("enough to learn from {} of them and certify on the rest", fraction));
  return {{{data.w.topRows(first)}}, {{data.w.bottomRows(data.n() - first)}}};
}

std::vector<Split> split_folds(const Disturbances& data, Index folds) {
  if (data.n() < 2 * folds)
    throw_input_error("data", fmt::format("{} trajectories", data.n()),
                      fmt::format("at least {} for {} folds", 2 * folds, folds));
  std::vector<Split> splits;
  for (Index k = 0; k < folds; ++k) {
    const FoldRows rows = fold_rows(data.n(), folds, k);
    splits.push_back({{select_rows(data, rows.outside)}, {select_rows(data, rows.inside)}});
  }
  return splits;
}

}  // namespace loopcert
