// Element-wise work on a matrix, cut into panels of columns. The cuts depend on the size alone, and
// sums are added panel by panel, so the bits are the same for any number of threads.
#pragma once

#include <algorithm>
#include <array>

#include "core/team.hpp"

namespace loopcert {

struct Panel {
  Index first = 0;  // column
  Index count = 0;
  Index number = 0;  // 0 … most_panels - 1
};

inline constexpr Index most_panels = 32;

// One panel below some ten thousand entries: threads would cost more than they bring.
inline Index panel_count(Index entries, Index columns) {
  return entries < 16384 ? 1 : std::min(most_panels, columns);
}

template <class Job>
void for_panels(Team& team, Index entries, Index columns, const Job& job) {
  const Index panels = panel_count(entries, columns);
  const Index width = (columns + panels - 1) / panels;
  team.for_each(panels, [&](Index number) {
    const Index first = std::min(number * width, columns);
    if (const Index count = std::min(width, columns - first); count > 0)
      job(Panel{first, count, number});
  });
}

// The sum of job(panel) over the panels.
template <class Job>
double sum_panels(Team& team, Index entries, Index columns, const Job& job) {
  std::array<double, most_panels> parts{};
  for_panels(team, entries, columns,
             [&](const Panel& panel) { parts[static_cast<size_t>(panel.number)] = job(panel); });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

// The entries of a panel, one after the other.
inline auto entries(Matrix& A, const Panel& panel) {
  return Eigen::Map<Eigen::ArrayXd>(A.data() + panel.first * A.rows(), panel.count * A.rows());
}
inline auto entries(const Matrix& A, const Panel& panel) {
  return Eigen::Map<const Eigen::ArrayXd>(A.data() + panel.first * A.rows(),
                                          panel.count * A.rows());
}

}  // namespace loopcert
