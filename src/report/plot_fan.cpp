#include <algorithm>
#include <array>

#include "report/fan.hpp"
#include "report/frame.hpp"
#include "report/statistics.hpp"
#include "report/text.hpp"

namespace loopcert::report {
namespace {

constexpr Index samples = 4;  // trajectories shown one by one
constexpr std::array<double, 5> levels = {0.05, 0.25, 0.5, 0.75, 0.95};

// Within four times the width of what is shown.
bool close_to(const Range& range, double low, double high) {
  const double width = std::max(range.high - range.low, 1e-300);
  return low >= range.low - 3 * width && high <= range.high + 3 * width;
}

// Quantiles at every step, a column for each level.
Matrix quantiles_of(const Matrix& paths) {
  Matrix curves(paths.cols(), static_cast<Index>(levels.size()));
  for (Index t = 0; t < paths.cols(); ++t) {
    std::vector<double> values(paths.col(t).begin(), paths.col(t).end());
    std::sort(values.begin(), values.end());
    for (size_t q = 0; q < levels.size(); ++q)
      curves(t, static_cast<Index>(q)) = quantile(values, levels[q]);
  }
  return curves;
}

// Where a signal is drawn: a value for each time, or one that lasts until the next.
struct Course {
  std::vector<double> time;
  std::vector<Index> step;

  Course(const FanPlot& fan) {
    for (Index t = 0; t < fan.paths.cols(); ++t) {
      time.push_back(fan.axis.at(static_cast<double>(t)));
      step.push_back(t);
      if (!fan.held) continue;
      time.push_back(fan.axis.at(static_cast<double>(t + 1)));
      step.push_back(t);
    }
  }
  std::vector<double> along(const Vector& values) const {
    std::vector<double> all;
    for (const Index t : step) all.push_back(values(std::min(t, values.size() - 1)));
    return all;
  }
  std::vector<Point> line(const Vector& values) const {
    std::vector<Point> points;
    const std::vector<double> all = along(values);
    for (size_t k = 0; k < all.size(); ++k) points.push_back({time[k], all[k]});
    return points;
  }
};

void add_all(Range& range, const Matrix& values) {
  for (const double value : values.reshaped()) range.add(value);
}

// What else is drawn, and the words for what has no room.
struct Drawn {
  std::vector<FanLimit> limits;
  std::vector<std::pair<const FanBeside*, Matrix>> beside;  // with its quantiles
  std::string outside;
};

Drawn drawn_beside(const FanPlot& fan, Range& range) {
  Drawn drawn;
  const Range own = range;
  std::string limits;
  for (const FanLimit& limit : fan.limits) {
    if (close_to(own, limit.value, limit.value)) {
      drawn.limits.push_back(limit);
      range.add(limit.value);
    } else {
      limits += (limits.empty() ? "" : ", ") + nice_number(limit.value);
    }
  }
  if (!limits.empty()) drawn.outside = "Outside the picture: the limit " + limits + ".";
  for (const FanBeside& other : fan.beside) {
    if (other.paths.size() == 0) continue;
    const Matrix curves = quantiles_of(other.paths);
    const double low = curves.minCoeff(), high = curves.maxCoeff();
    if (close_to(own, low, high)) {
      drawn.beside.emplace_back(&other, curves);
      add_all(range, curves);
    } else {
      drawn.outside += std::string(drawn.outside.empty() ? "" : " ") +
                       "Outside the picture: " + other.name + ", from " + nice_number(low, 3) +
                       " to " + nice_number(high, 3) + ".";
    }
  }
  return drawn;
}

void draw(Frame& frame, const FanPlot& fan, const Course& course, const Matrix& own,
          const Drawn& drawn, double end) {
  frame.band(course.time, course.along(own.col(0)), course.along(own.col(4)), "c0");
  frame.band(course.time, course.along(own.col(1)), course.along(own.col(3)), "c0");
  frame.horizontal(0, "zero");
  for (Index i = 0; i < std::min(samples, fan.paths.rows()); ++i)
    frame.line(course.line(fan.paths.row(i)), "path c0");
  for (const auto& [other, curves] : drawn.beside)
    for (const Index level : {2, 0, 4})
      frame.line(course.line(curves.col(level)), other->css + (level == 2 ? "" : " dash"));
  frame.line(course.line(own.col(2)), "c0");
  for (const FanLimit& limit : drawn.limits) {  // half a step wider, so that a single step shows
    const double first = fan.axis.at(static_cast<double>(limit.first) - 0.5);
    const double last = fan.axis.at(static_cast<double>(limit.last) + 0.5);
    frame.line({{std::max(0.0, first), limit.value}, {std::min(end, last), limit.value}},
               "c3 dash");
  }
  if (fan.reference.size() > 0) frame.line(course.line(fan.reference), "c4 dash");
}

std::vector<LegendItem> legend_of(const FanPlot& fan, const Drawn& drawn) {
  std::vector<LegendItem> legend = {{Key::line, "c0", fan.whose, 0},
                                    {Key::band, "c0", "50 %, 90 % of the episodes", 0},
                                    {Key::line, "path c0", "single episodes", 0}};
  for (const auto& [other, curves] : drawn.beside)
    legend.push_back({Key::line, other->css, other->name + " (90 % dashed)", 0});
  if (fan.reference.size() > 0) legend.push_back({Key::dashed, "c4", "reference", 0});
  if (!drawn.limits.empty()) legend.push_back({Key::dashed, "c3", "limit", 0});
  return legend;
}

}  // namespace

Figure fan_plot(const FanPlot& fan) {
  const Matrix own = quantiles_of(fan.paths);
  const Course course(fan);
  Figure figure;
  Range range;
  add_all(range, own);
  add_all(range, fan.paths.topRows(std::min(samples, fan.paths.rows())));
  const Drawn drawn = drawn_beside(fan, range);
  add_all(range, fan.reference);
  const Scale x =
      time_scale(fan.axis, 0, static_cast<double>(fan.paths.cols() - (fan.held ? 0 : 1)));
  Frame frame(x, linear_scale(range, false, 4), fan.axis.label(), "",
              "Quantiles of " + fan.name + " over time", small_frame);
  draw(frame, fan, course, own, drawn, x.high);
  figure.table.header = {fan.axis.label(), "5 %", "25 %", "50 %", "75 %", "95 %"};
  for (Index t = 0; t < own.rows(); ++t) {
    figure.table.rows.push_back({fan.axis.text(static_cast<double>(t))});
    for (const double value : own.row(t)) figure.table.rows.back().push_back(nice_number(value));
  }
  figure.title = fan.name;
  figure.caption = drawn.outside;
  figure.legend = legend_of(fan, drawn);
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
