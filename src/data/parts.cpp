#include "loopcert/data/parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "loopcert/core/error.hpp"

namespace loopcert {

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
    std::vector<Index> inside, outside;
    for (Index i = 0; i < data.n(); ++i) (i % folds == k ? inside : outside).push_back(i);
    splits.push_back({{select_rows(data, outside)}, {select_rows(data, inside)}});
  }
  return splits;
}

}  // namespace loopcert
