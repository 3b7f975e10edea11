// Points of two positive quantities.
#include "report/frame.hpp"
#include "report/plots.hpp"
#include "report/text.hpp"

namespace loopcert::report {

Figure scatter_plot(const Vector& x, const Vector& y, const std::string& x_label,
                    const std::string& y_label) {
  Range x_range, y_range;
  for (const double value : x) x_range.add(value);
  for (const double value : y) y_range.add(value);
  Frame frame(log_scale(x_range), log_scale(y_range), x_label, y_label,
              y_label + " against " + x_label);
  Figure figure;
  figure.table.header = {x_label, y_label};
  for (Index k = 0; k < x.size(); ++k) {
    frame.marker({x(k), y(k)}, 0, x.size() > 300 ? 1.8 : 3, "c0 open",
                 nice_number(x(k)) + ": " + nice_number(y(k)));
    figure.table.rows.push_back({nice_number(x(k)), nice_number(y(k))});
  }
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
