// Work cut into parts: columns of a matrix, or stretches of a long vector. The cuts depend on the
// sizes alone, and sums are added part by part, so the bits are the same for any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/team.hpp"

namespace loopcert {

struct Part {
  Index first = 0;  // column, or entry of a vector
  Index count = 0;
  Index number = 0;  // 0 … Cut::parts() - 1

  auto operator()(Vector& x) const { return x.segment(first, count); }
  auto operator()(const Vector& x) const { return x.segment(first, count); }
};

struct Cut {
  Index total = 0;
  Index width = 1;

  Index parts() const { return (total + width - 1) / width; }
};

// One part below some ten thousand entries: threads would cost more than they bring.
inline constexpr Index small_part = 1 << 14;
inline constexpr Index most_columns_parts = 32;

inline Cut by_columns(Index entries, Index columns) {
  const Index parts = entries < small_part ? 1 : std::min(most_columns_parts, columns);
  return {columns, std::max<Index>(1, (columns + parts - 1) / std::max<Index>(1, parts))};
}
inline Cut by_columns(const Matrix& A) { return by_columns(A.size(), A.cols()); }

// Stretches that fit the cache.
inline Cut by_length(Index size) { return {size, small_part}; }

template <class Job>
void for_parts(Team& team, const Cut& cut, const Job& job) {
  team.for_each(cut.parts(), [&](Index number) {
    const Index first = number * cut.width;
    job(Part{first, std::min(cut.width, cut.total - first), number});
  });
}

// The sum of job(part) over the parts.
template <class Job>
double sum_parts(Team& team, const Cut& cut, const Job& job) {
  if (cut.total == 0) return 0;
  if (cut.parts() == 1) return job(Part{0, cut.total, 0});
  std::array<double, most_columns_parts> few;
  std::vector<double> many;
  double* sums = few.data();
  if (cut.parts() > most_columns_parts) {
    many.resize(static_cast<size_t>(cut.parts()));
    sums = many.data();
  }
  for_parts(team, cut, [&](const Part& part) { sums[part.number] = job(part); });
  double sum = 0;
  for (Index i = 0; i < cut.parts(); ++i) sum += sums[i];
  return sum;
}

// The entries of some columns, one after the other.
inline auto entries(Matrix& A, const Part& columns) {
  return Eigen::Map<Eigen::ArrayXd>(A.data() + columns.first * A.rows(), columns.count * A.rows());
}
inline auto entries(const Matrix& A, const Part& columns) {
  return Eigen::Map<const Eigen::ArrayXd>(A.data() + columns.first * A.rows(),
                                          columns.count * A.rows());
}

}  // namespace loopcert
