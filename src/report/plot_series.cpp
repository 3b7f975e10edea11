// Points over a number, joined or not.
#include <algorithm>

#include "report/frame.hpp"
#include "report/plots.hpp"
#include "report/text.hpp"

namespace loopcert::report {

Figure series_plot(const SeriesPlot& plot) {
  Range x, y;
  y.add(0);
  for (const Series& series : plot.series) {
    for (const double value : series.x) x.add(value);
    for (const double value : series.y) y.add(value);
  }
  for (const double value : plot.band) {
    y.add(value);
    y.add(-value);
  }
  Scale steps = plot.axis ? time_scale(*plot.axis, x.low, x.high) : linear_scale(x);
  if (!plot.axis)
    std::erase_if(steps.ticks, [](const Tick& tick) {  // what is counted is whole
      return tick.value < 0 || tick.value != static_cast<double>(static_cast<Index>(tick.value));
    });
  const auto place = [&](double value) { return plot.axis ? plot.axis->at(value) : value; };
  Frame frame(steps, linear_scale(y), plot.x_label, plot.y_label,
              plot.y_label + " against " + plot.x_label, plot.small ? small_frame : FrameSize());
  Figure figure;
  figure.table.header = {"series", plot.x_label, plot.y_label};
  if (plot.band.size() > 0 && !plot.series.empty()) {
    const Vector& at = plot.series[0].x;
    const std::vector<double> high(plot.band.begin(), plot.band.end());
    std::vector<double> low;
    for (const double value : high) low.push_back(-value);
    frame.band({at.begin(), at.end()}, low, high, "c6");
  }
  frame.horizontal(0, "zero");
  for (size_t k = 0; k < plot.series.size(); ++k) {
    const Series& series = plot.series[k];
    const int number = static_cast<int>(k);
    const std::string css = colour_class(number);
    std::vector<Point> points;
    for (Index i = 0; i < series.x.size(); ++i) points.push_back({place(series.x(i)), series.y(i)});
    if (series.joined) frame.line(points, css);
    const double radius = points.size() > 100 ? 1.8 : 3.2;
    for (const Point& p : points) {
      frame.marker(p, number, radius, css + (series.joined ? "" : " open"),
                   series.name + ", " + nice_number(p.x) + ": " + nice_number(p.y));
      figure.table.rows.push_back({series.name, nice_number(p.x, 6), nice_number(p.y)});
    }
    if (plot.series.size() > 1) figure.legend.push_back({Key::marker, css, series.name, number});
  }
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
