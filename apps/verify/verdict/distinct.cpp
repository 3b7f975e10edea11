// How many trajectories are there really? Copies that differ by rounding, by a sign or by a factor
// point into one direction, which independent draws of a continuous law do with probability zero.
#include <algorithm>
#include <cmath>

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
  for (long j = 0; j < data.cols; ++j) {
    double size = 0;
    for (long i = 0; i < data.rows; ++i) size = std::max(size, std::abs(data(i, j)));
    for (long i = 0; i < data.rows && size > 0; ++i) rows.unit(i, j) /= size;
  }
  for (long i = 0; i < data.rows; ++i) {
    double squares = 0;
    for (long j = 0; j < data.cols; ++j) squares += rows.unit(i, j) * rows.unit(i, j);
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

long directions_of(const Table& unit) {
  std::vector<std::pair<double, long>> keys;  // |c'u|, the same for u and -u
  for (long i = 0; i < unit.rows; ++i) {
    double key = 0;
    for (long j = 0; j < unit.cols; ++j) key += std::sin(1.0 + static_cast<double>(j)) * unit(i, j);
    keys.emplace_back(std::abs(key), i);
  }
  std::sort(keys.begin(), keys.end());
  const double near = rounding * static_cast<double>(unit.cols + 1);
  long count = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    bool fresh = true;
    for (size_t j = i; fresh && j-- > 0 && keys[i].first - keys[j].first <= near;)
      fresh = !parallel(unit, keys[i].second, keys[j].second);
    count += fresh ? 1 : 0;
  }
  return count;
}

bool all_differ(std::vector<double> lengths) {
  std::sort(lengths.begin(), lengths.end());
  const auto same = [](double a, double b) { return b - a <= rounding * b; };
  return std::adjacent_find(lengths.begin(), lengths.end(), same) == lengths.end();
}

}  // namespace

Distinct distinct(const Table& data) {
  const Rows rows = unit_rows(data);
  const long directions = directions_of(rows.unit);
  return {directions, directions == 1 && data.rows > 1 && all_differ(rows.length) &&
                          likely_on_a_line(rows.length)};
}

// A law on one line has one direction: its draws have lengths of their own.
void require_draws(const Record& record, const Table& rows, const Distinct& found) {
  if (record.problem.law().at("model") != "gaussian" || rows.rows < 2 ||
      record.kind.starts_with("assumed") || record.kind == "limits-assumed" ||
      record.kind == "limits-robust")
    return;
  if (found.directions < rows.rows && !found.line)
    throw Refuted{"data: " + std::to_string(rows.rows) + " trajectories have only " +
                  std::to_string(found.directions) +
                  " directions, unlike independent draws of a Gaussian law"};
}

}  // namespace verify
