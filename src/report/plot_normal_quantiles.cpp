// Normal Q-Q plot of standardized numbers, against the line of a perfect fit and the band that
// chance explains.
#include <algorithm>
#include <boost/math/special_functions/beta.hpp>

#include "loopcert/core/random.hpp"
#include "report/frame.hpp"
#include "report/plots.hpp"
#include "report/statistics.hpp"
#include "report/text.hpp"

namespace loopcert::report {
namespace {

constexpr double outside = 0.01;  // a point of normal numbers is out of the band so often

// All of few values; of many, equally spaced ones with both tails complete.
std::vector<size_t> shown_of(size_t count) {
  constexpr size_t limit = 300;
  std::vector<size_t> shown;
  const size_t stride = std::max<size_t>(1, count / limit);
  for (size_t i = 0; i < count; ++i)
    if (i % stride == 0 || i < 20 || i + 20 >= count) shown.push_back(i);
  return shown;
}

// The k-th smallest of N uniform numbers has the law Beta(k, N - k + 1).
double order_quantile(size_t index, size_t count, double probability) {
  const double k = static_cast<double>(index) + 1, N = static_cast<double>(count);
  return normal_quantile(
      std::clamp(boost::math::ibeta_inv(k, N - k + 1, probability), 1e-300, 1 - 1e-16));
}

}  // namespace

Figure normal_quantiles(const Matrix& data) {
  const std::vector<double> values = standardized(data);
  const std::vector<size_t> shown = shown_of(values.size());
  std::vector<Point> points;
  std::vector<double> at, low, high;
  Range x, y;
  Figure figure;
  figure.table.header = {"normal quantile", "data", "from", "to"};
  for (const size_t i : shown) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(values.size());
    points.push_back({normal_quantile(share), values[i]});
    at.push_back(points.back().x);
    low.push_back(order_quantile(i, values.size(), outside / 2));
    high.push_back(order_quantile(i, values.size(), 1 - outside / 2));
    x.add(at.back());
    for (const double value : {values[i], low.back(), high.back()}) y.add(value);
    figure.table.rows.push_back({nice_number(at.back()), nice_number(values[i]),
                                 nice_number(low.back()), nice_number(high.back())});
  }
  Frame frame(linear_scale(x), linear_scale(y), "normal quantile", "standardized",
              "Normal quantiles against the data's");
  if (points.size() > 1) frame.band(at, low, high, "c6");
  for (const Point& p : points)
    frame.marker(p, 0, 2.4, "c0 open", nice_number(p.x) + " → " + nice_number(p.y));
  if (!points.empty()) frame.line({{x.low, x.low}, {x.high, x.high}}, "ink dash");
  figure.legend = {{Key::marker, "c0 open", "data", 0},
                   {Key::dashed, "ink", "exactly normal", 0},
                   {Key::band, "c6", "99 % of normal points, each", 0}};
  figure.caption = "The band is for independent numbers; what depends on each other wanders more.";
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
