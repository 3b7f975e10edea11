// Quantile bands of one coordinate over time.
#include <algorithm>
#include <array>

#include "report/fan.hpp"
#include "report/frame.hpp"
#include "report/statistics.hpp"
#include "report/text.hpp"

namespace loopcert::report {
namespace {

// A limit within four times the width of what is shown is drawn.
bool close_to(const Range& range, double value) {
  const double width = std::max(range.high - range.low, 1e-300);
  return value >= range.low - 3 * width && value <= range.high + 3 * width;
}

std::vector<double> sorted_column(const Matrix& paths, Index t) {
  std::vector<double> values(paths.col(t).begin(), paths.col(t).end());
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<Point> over_steps(const Vector& values) {
  std::vector<Point> points;
  for (Index t = 0; t < values.size(); ++t) points.push_back({static_cast<double>(t), values(t)});
  return points;
}

// Median, 5 % and 95 % of the other controller's paths, a column each.
Matrix quantiles_beside(const Matrix& paths) {
  Matrix curves(paths.cols(), 3);
  for (Index t = 0; t < paths.cols(); ++t) {
    const std::vector<double> values = sorted_column(paths, t);
    curves.row(t) << quantile(values, 0.5), quantile(values, 0.05), quantile(values, 0.95);
  }
  return curves;
}

}  // namespace

Figure fan(const Matrix& paths, const std::string& name, const std::vector<FanLimit>& limits) {
  return fan_beside(paths, name, limits, {});
}

Figure fan_beside(const Matrix& paths, const std::string& name, const std::vector<FanLimit>& limits,
                  const FanBeside& beside) {
  constexpr std::array<double, 5> levels = {0.05, 0.25, 0.5, 0.75, 0.95};
  std::vector<double> time;
  std::array<std::vector<double>, 5> curve;
  Range range, steps;
  Figure figure;
  figure.table.header = {"step", "5 %", "25 %", "50 %", "75 %", "95 %"};
  for (Index t = 0; t < paths.cols(); ++t) {
    const std::vector<double> values = sorted_column(paths, t);
    time.push_back(static_cast<double>(t));
    steps.add(time.back());
    figure.table.rows.push_back({std::to_string(t)});
    for (size_t q = 0; q < levels.size(); ++q) {
      curve[q].push_back(quantile(values, levels[q]));
      range.add(curve[q].back());
      figure.table.rows.back().push_back(nice_number(curve[q].back()));
    }
  }
  std::vector<FanLimit> drawn;
  std::string outside;
  for (const FanLimit& limit : limits) {
    if (close_to(range, limit.value))
      drawn.push_back(limit);
    else
      outside += (outside.empty() ? "" : ", ") + nice_number(limit.value);
  }
  for (const FanLimit& limit : drawn) range.add(limit.value);
  const Matrix other = quantiles_beside(beside.paths);
  for (const double value : other.reshaped()) range.add(value);
  for (const double value : beside.reference) range.add(value);
  Scale x = linear_scale(steps);
  x.low = 0;
  x.high = std::max(steps.high, 1.0);
  std::erase_if(x.ticks, [&](const Tick& tick) {  // steps are whole
    return tick.value < 0 || tick.value > x.high || tick.value != static_cast<Index>(tick.value);
  });
  Frame frame(x, linear_scale(range), "step", name, "Quantiles of " + name + " over time");
  frame.band(time, curve[0], curve[4], "c0");
  frame.band(time, curve[1], curve[3], "c0");
  frame.horizontal(0, "zero");
  std::vector<Point> median;
  for (size_t t = 0; t < time.size(); ++t) median.push_back({time[t], curve[2][t]});
  frame.line(median, "c0");
  for (const FanLimit& limit : drawn) {  // half a step wider, so that a single step shows
    const auto first = static_cast<double>(limit.first), last = static_cast<double>(limit.last);
    frame.line(
        {{std::max(0.0, first - 0.5), limit.value}, {std::min(x.high, last + 0.5), limit.value}},
        "c1 dash");
  }
  for (Index k = 0; k < other.cols() && other.rows() > 0; ++k)
    frame.line(over_steps(other.col(k)), k == 0 ? "c2" : "c2 dash");
  if (other.rows() > 0) {
    figure.legend.push_back({Key::line, "c0", "the new controller", 0});
    figure.legend.push_back({Key::line, "c2", beside.name, 0});
  }
  if (beside.reference.size() > 0) {
    frame.line(over_steps(beside.reference), "c3 dash");
    figure.legend.push_back({Key::dashed, "c3", "reference", 0});
  }
  if (!drawn.empty()) figure.legend.push_back({Key::dashed, "c1", "limit", 0});
  if (!outside.empty()) figure.caption = "Outside the picture: the limit " + outside + ".";
  figure.title = name;
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
