// Eigenvalues of the covariance, largest first.
#include <cmath>

#include "report/frame.hpp"
#include "report/plots.hpp"
#include "report/text.hpp"

namespace loopcert::report {

Figure spectrum(const Spectrum& s) {
  const Index d = s.sample.size();
  const double ratio = s.n > 0 ? static_cast<double>(d) / static_cast<double>(s.n) : 0;
  // Largest eigenvalue of a big sample covariance when every true one equals the bound.
  const double edge = s.bound ? *s.bound * std::pow(1 + std::sqrt(ratio), 2) : 0;
  Range x, y;
  x.add(1);
  x.add(static_cast<double>(d));
  for (const double value : s.sample) y.add(value);
  if (s.law)
    for (const double value : *s.law) y.add(value);
  if (s.bound) y.add(edge);
  Scale numbers = linear_scale(x);
  std::erase_if(numbers.ticks, [](const Tick& tick) { return tick.value < 1; });
  Frame frame(numbers, linear_scale(y, true), "number, largest first", "eigenvalue",
              "Eigenvalues of the covariance of the disturbances");
  Figure figure;
  if (s.bound) {
    frame.horizontal(*s.bound, "ink dash");
    frame.horizontal(edge, "ink dots");
    figure.legend.push_back({Key::dashed, "ink", "assumed bound " + nice_number(*s.bound), 0});
    figure.legend.push_back(
        {Key::dotted, "ink", "sampling edge of that bound " + nice_number(edge), 0});
  }
  figure.table.header = {"number", "sample"};
  if (s.law) figure.table.header.push_back("law");
  std::vector<Point> law;
  for (Index i = 0; i < d; ++i) {
    figure.table.rows.push_back({std::to_string(i + 1), nice_number(s.sample[i])});
    if (!s.law) continue;
    law.push_back({static_cast<double>(i + 1), (*s.law)[i]});
    figure.table.rows.back().push_back(nice_number((*s.law)[i]));
  }
  if (s.law) {
    frame.line(law, "c1");
    figure.legend.push_back({Key::line, "c1", "the law in the problem", 0});
  }
  const double radius = d > 200 ? 1.5 : d > 60 ? 2.2 : 3.2;
  for (Index i = 0; i < d; ++i)
    frame.marker({static_cast<double>(i + 1), s.sample[i]}, 0, radius, "c0",
                 "number " + std::to_string(i + 1) + ": " + nice_number(s.sample[i]));
  figure.legend.push_back({Key::marker, "c0", "sample", 0});
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
