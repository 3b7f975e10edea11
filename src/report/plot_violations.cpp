// How often one limit is broken, step by step.
#include <algorithm>

#include "report/frame.hpp"
#include "report/plots.hpp"
#include "report/text.hpp"

namespace loopcert::report {
namespace {

constexpr double smallest_shown = 1e-6;  // less is as good as never

std::string chance(double value, bool bound) {
  return nice_number(100 * (bound ? rounded_up(value) : value)) + " %";
}

// Logarithmic where the numbers ask for it: then what is zero is not drawn.
struct ChanceScale {
  Scale scale;
  bool logarithmic;
};

ChanceScale chance_scale(const ViolationPlot& plot) {
  Range all, positive;
  const auto add = [&](double value) {
    all.add(100 * value);
    if (value > 0) positive.add(100 * std::max(value, smallest_shown));
  };
  for (const ViolationSeries& series : plot.series)
    for (const double value : series.values) add(value);
  if (plot.target) add(*plot.target);
  const bool logarithmic = !positive.empty && positive.high > 30 * positive.low;
  return {logarithmic ? log_scale(positive) : linear_scale(all, true), logarithmic};
}

// A line does not pass over steps that have no place on the axis.
void add_line(Frame& frame, const std::vector<Point>& points, const std::string& css,
              bool logarithmic) {
  std::vector<Point> part;
  for (const Point& point : points) {
    if (!logarithmic || point.y > 0) {
      part.push_back(point);
    } else {
      frame.line(part, css);
      part.clear();
    }
  }
  frame.line(part, css);
}

}  // namespace

Figure violation_plot(const ViolationPlot& plot) {
  Index last = plot.first;
  for (const ViolationSeries& series : plot.series)
    last = std::max(last, plot.first + series.values.size() - 1);
  const auto at = [&](Index i) { return static_cast<double>(plot.first + i); };
  const Scale x = time_scale(plot.axis, at(0), static_cast<double>(last));
  const auto [chances, logarithmic] = chance_scale(plot);
  Frame frame(x, chances, plot.axis.label(), "broken, % of the episodes",
              "How often the limit is broken at each step");
  Figure figure;
  figure.table.header = {"what", plot.axis.label(), "broken"};
  if (plot.target) {
    frame.horizontal(100 * *plot.target, "ink dash");
    figure.legend.push_back({Key::dashed, "ink", plot.target_name, 0});
  }
  for (size_t k = 0; k < plot.series.size(); ++k) {
    const ViolationSeries& series = plot.series[k];
    const int number = static_cast<int>(k);
    const std::string css = colour_class(number);
    std::vector<Point> points;
    for (Index i = 0; i < series.values.size(); ++i)
      points.push_back({plot.axis.at(at(i)), 100 * series.values(i)});
    add_line(frame, points, css, logarithmic);
    const double radius = points.size() > 100 ? 1.8 : 3.2;
    for (size_t i = 0; i < points.size(); ++i) {
      const std::string step = plot.axis.text(at(static_cast<Index>(i)));
      const std::string text = chance(series.values(static_cast<Index>(i)), series.bound);
      frame.marker(points[i], number, radius, css,
                   series.name + ", " + plot.axis.label() + " " + step + ": " + text);
      figure.table.rows.push_back({series.name, step, text});
    }
    figure.legend.push_back({Key::marker, css, series.name, number});
  }
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
