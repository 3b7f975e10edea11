// Normal Q-Q plot of standardized disturbances, against the line of a perfect fit.
#include <algorithm>

#include "loopcert/core/random.hpp"
#include "report/frame.hpp"
#include "report/plots.hpp"
#include "report/statistics.hpp"
#include "report/text.hpp"

namespace loopcert::report {

Figure normal_quantiles(const Matrix& data) {
  constexpr size_t shown_limit = 300;
  const std::vector<double> values = standardized(data);
  const auto count = static_cast<double>(values.size());
  // All of few values; of many, equally spaced ones with both tails complete.
  std::vector<size_t> shown;
  const size_t stride = std::max<size_t>(1, values.size() / shown_limit);
  for (size_t i = 0; i < values.size(); ++i)
    if (i % stride == 0 || i < 20 || i + 20 >= values.size()) shown.push_back(i);

  std::vector<Point> points;
  Range x, y;
  Figure figure;
  figure.table.header = {"normal quantile", "data"};
  for (const size_t i : shown) {
    points.push_back({normal_quantile((static_cast<double>(i) + 0.5) / count), values[i]});
    x.add(points.back().x);
    y.add(points.back().y);
    figure.table.rows.push_back({nice_number(points.back().x), nice_number(points.back().y)});
  }
  y.add(x.low);
  y.add(x.high);
  Frame frame(linear_scale(x), linear_scale(y), "normal quantile", "standardized disturbance",
              "Normal quantiles against the data's");
  for (const Point& p : points)
    frame.marker(p, 0, 2.4, "c0 open", nice_number(p.x) + " → " + nice_number(p.y));
  if (!points.empty()) frame.line({{x.low, x.low}, {x.high, x.high}}, "ink dash");
  figure.legend = {{Key::marker, "c0 open", "data", 0}, {Key::dashed, "ink", "exactly normal", 0}};
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
