// Curves over n and the numbers that were published for them.
#include <algorithm>

#include "report/frame.hpp"
#include "report/plots.hpp"
#include "report/text.hpp"

namespace loopcert::report {

Figure published_plot(const std::vector<PublishedCurve>& curves, const std::string& y_label) {
  Range x, y;
  std::vector<double> all_n;
  for (const PublishedCurve& curve : curves) {
    for (const double n : curve.n) {
      x.add(n);
      all_n.push_back(n);
    }
    for (const double value : curve.mean) y.add(value);
    for (const double value : curve.published) y.add(value);
  }
  std::sort(all_n.begin(), all_n.end());
  all_n.erase(std::unique(all_n.begin(), all_n.end()), all_n.end());
  Scale x_scale = automatic_scale(x, 4);
  set_ticks(x_scale, all_n, 0.09);
  Frame frame(x_scale, automatic_scale(y), "trajectories n", y_label,
              y_label + " against the number of trajectories");
  Figure figure;
  figure.table.header = {"", "n", "mean", "the paper"};
  for (const PublishedCurve& curve : curves) {
    const std::string css = colour_class(curve.colour);
    std::vector<Point> points;
    for (Index i = 0; i < curve.n.size(); ++i) points.push_back({curve.n(i), curve.mean(i)});
    frame.line(points, css);
    for (Index i = 0; i < curve.n.size(); ++i) {
      const bool known = i < curve.published.size();
      const std::string at = curve.name + ", n = " + nice_number(curve.n(i)) + ": ";
      frame.marker(points[static_cast<size_t>(i)], curve.colour, 2.6, css,
                   at + nice_number(curve.mean(i), 5));
      if (known)
        frame.marker({curve.n(i), curve.published(i)}, 0, 5.5, css + " ring",
                     at + nice_number(curve.published(i), 5) + " in the paper");
      figure.table.rows.push_back({curve.name, nice_number(curve.n(i), 6),
                                   nice_number(curve.mean(i), 5),
                                   known ? nice_number(curve.published(i), 5) : "–"});
    }
    figure.legend.push_back({Key::line, css, curve.name, 0});
  }
  figure.legend.push_back({Key::marker, "ink ring", "the paper", 0});
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
