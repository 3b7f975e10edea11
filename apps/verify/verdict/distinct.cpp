// How many trajectories are there really? Copies that differ by rounding, by a sign or by a factor
// point into one direction, which independent draws of a continuous law do with probability zero.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "verdict/judge.hpp"

namespace verify {
namespace {

constexpr double rounding = 1e-12;

// Rows in units of each column, of length one, and how long each was.
struct Rows {
  Table unit;
  std::vector<double> length;
};

Rows unit_rows(const Table& data) {
  Rows rows{data, {}};
  std::vector<double> size(static_cast<size_t>(data.cols));
  for (long i = 0; i < data.rows; ++i)
    for (long j = 0; j < data.cols; ++j)
      size[static_cast<size_t>(j)] = std::max(size[static_cast<size_t>(j)], std::abs(data(i, j)));
  for (long i = 0; i < data.rows; ++i) {
    double squares = 0;
    for (long j = 0; j < data.cols; ++j) {
      double& entry = rows.unit(i, j);
      entry = size[static_cast<size_t>(j)] > 0 ? entry / size[static_cast<size_t>(j)] : 0;
      squares += entry * entry;
    }
    rows.length.push_back(std::sqrt(squares));
    for (long j = 0; j < data.cols && squares > 0; ++j) rows.unit(i, j) /= rows.length.back();
  }
  return rows;
}

bool parallel(const Table& unit, long a, long b) {
  double plus = 0, minus = 0;
  for (long j = 0; j < unit.cols; ++j) {
    plus = std::max(plus, std::abs(unit(a, j) - unit(b, j)));
    minus = std::max(minus, std::abs(unit(a, j) + unit(b, j)));
  }
  return std::min(plus, minus) <= rounding;
}

// How many of the sorted keys have none like it before: `same` tells among those that are near.
template <class Same>
long count_new(const std::vector<double>& keys, double near, const Same& same) {
  std::vector<size_t> order(keys.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  long count = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    bool fresh = true;
    for (size_t j = i; fresh && j-- > 0 && keys[order[i]] - keys[order[j]] <= near;)
      fresh = !same(static_cast<long>(order[i]), static_cast<long>(order[j]));
    count += fresh ? 1 : 0;
  }
  return count;
}

}  // namespace

Distinct distinct(const Table& data) {
  const Rows rows = unit_rows(data);
  std::vector<double> keys;  // |c'u|, the same for u and -u
  for (long i = 0; i < data.rows; ++i) {
    double key = 0;
    for (long j = 0; j < data.cols; ++j)
      key += std::sin(1.0 + static_cast<double>(j)) * rows.unit(i, j);
    keys.push_back(std::abs(key));
  }
  const double near = rounding * static_cast<double>(data.cols + 1);
  Distinct found;
  found.directions =
      count_new(keys, near, [&](long a, long b) { return parallel(rows.unit, a, b); });
  const auto most = std::max_element(rows.length.begin(), rows.length.end());
  found.lengths = count_new(rows.length, data.rows > 0 ? rounding * *most : 0, [&](long a, long b) {
    const double x = rows.length[static_cast<size_t>(a)];
    return std::abs(x - rows.length[static_cast<size_t>(b)]) <= rounding * x;
  });
  found.likely_lengths = data.rows < 2 || likely_on_a_line(rows.length);
  return found;
}

// A law on one line has one direction: its draws have lengths of their own.
void require_draws(const Record& record, const Table& rows, const Distinct& found) {
  if (record.problem.disturbance().at("model") != "gaussian" || rows.rows < 2 ||
      record.kind.starts_with("assumed"))
    return;
  const bool line = found.directions == 1 && found.lengths == rows.rows && found.likely_lengths;
  if (found.directions < rows.rows && !line)
    throw Refuted{"data: " + std::to_string(rows.rows) + " trajectories have only " +
                  std::to_string(found.directions) +
                  " directions, as independent draws of a Gaussian law do not"};
}

}  // namespace verify
