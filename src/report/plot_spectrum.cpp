// Eigenvalues of the covariance in decibels, largest first.
#include <algorithm>
#include <cmath>

#include "report/frame.hpp"
#include "report/plots.hpp"
#include "report/text.hpp"

namespace loopcert::report {
namespace {

constexpr double deepest = 80;  // dB below the largest: what is lower is rounding, or nothing

double decibels(double value, double zero) {
  return value > 0 && zero > 0 ? 10 * std::log10(value / zero) : -INFINITY;
}

std::string dB(double level) { return std::isfinite(level) ? nice_number(level, 3) + " dB" : "–"; }

// 0 dB, and its words.
struct Zero {
  double value;
  std::string words;
};
Zero zero_of(const Spectrum& s) {
  if (s.bound) return {*s.bound, "the assumed bound"};
  const double sample = s.sample.size() > 0 ? s.sample[0] : 0;
  if (s.law && (*s.law)[0] > 0) return {(*s.law)[0], "the largest of the law"};
  return {sample, "the largest"};
}

}  // namespace

Figure spectrum(const Spectrum& s) {
  const Index d = s.sample.size();
  const double ratio = s.n > 0 ? static_cast<double>(d) / static_cast<double>(s.n) : 0;
  const Zero zero = zero_of(s);
  // Largest eigenvalue of a big sample covariance when every true one equals the bound.
  const double edge = 20 * std::log10(1 + std::sqrt(ratio));
  const double top = decibels(d > 0 ? s.sample[0] : 0, zero.value);
  Range x, y;
  x.add(1);
  x.add(static_cast<double>(d));
  y.add(0);
  if (s.bound) y.add(edge);
  Index low = 0;
  for (const double value : s.sample) {
    const double level = decibels(value, zero.value);
    if (level < top - deepest || !std::isfinite(level))
      ++low;
    else
      y.add(level);
  }
  if (s.law)
    for (const double value : *s.law) {
      const double level = decibels(value, zero.value);
      if (level >= top - deepest) y.add(level);
    }
  Scale numbers = linear_scale(x);
  std::erase_if(numbers.ticks, [](const Tick& tick) { return tick.value < 1; });
  const Scale levels = linear_scale(y);
  Frame frame(numbers, levels, "number, largest first", "dB",
              "Eigenvalues of the covariance of the disturbances, in decibels");
  Figure figure;
  if (s.bound) {
    frame.horizontal(0, "ink dash");
    frame.horizontal(edge, "ink dots");
    figure.legend.push_back({Key::dashed, "ink", "assumed bound " + nice_number(*s.bound), 0});
    figure.legend.push_back(
        {Key::dotted, "ink",
         "sampling edge of that bound " + nice_number(*s.bound * std::pow(1 + std::sqrt(ratio), 2)),
         0});
  }
  figure.table.header = {"number", "sample", "dB"};
  if (s.law) figure.table.header.push_back("law");
  std::vector<Point> law;
  const double radius = d > 200 ? 1.5 : d > 60 ? 2.2 : 3.2;
  for (Index i = 0; i < d; ++i) {
    const double number = static_cast<double>(i + 1), level = decibels(s.sample[i], zero.value);
    figure.table.rows.push_back({std::to_string(i + 1), nice_number(s.sample[i]), dB(level)});
    if (s.law) {
      figure.table.rows.back().push_back(nice_number((*s.law)[i]));
      const double there = decibels((*s.law)[i], zero.value);
      if (there >= levels.low) law.push_back({number, there});
    }
    if (level >= top - deepest)
      frame.marker(
          {number, level}, 0, radius, "c0",
          "number " + std::to_string(i + 1) + ": " + nice_number(s.sample[i]) + ", " + dB(level));
  }
  if (s.law) {
    frame.line(law, "c1");
    figure.legend.push_back({Key::line, "c1", "the law in the problem", 0});
  }
  figure.legend.push_back({Key::marker, "c0", "sample", 0});
  figure.caption = "0 dB is " + zero.words + ", " + nice_number(zero.value) + ".";
  if (low > 0)
    figure.caption += " " + std::to_string(low) + " more than " + nice_number(deepest) +
                      " dB below the largest, or zero, are not drawn.";
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
