// Power over frequency in decibels: the colour of what is left over, whatever its unit.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/frame.hpp"
#include "report/plots.hpp"
#include "report/text.hpp"

namespace loopcert::report {
namespace {

constexpr Index most_signals = 6, most_rows = 1000;
constexpr double z = 2.5758;  // of 99 %, two-sided

// Mean over rows of |sum_t v_t exp(-2 pi i k t / T)|^2, k = 1, …, below T / 2; around the mean of
// each step, so that an offset is no frequency.
Vector periodogram(const Matrix& rows) {
  const Index T = rows.cols(), count = (T - 1) / 2;
  const Matrix centred = rows.rowwise() - rows.colwise().mean();
  Matrix cosine(T, count), sine(T, count);
  for (Index k = 0; k < count; ++k)
    for (Index t = 0; t < T; ++t) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>((k + 1) * t % T) / static_cast<double>(T);
      cosine(t, k) = std::cos(angle);
      sine(t, k) = std::sin(angle);
    }
  return ((centred * cosine).array().square() + (centred * sine).array().square())
      .colwise()
      .mean()
      .transpose();
}

// A mean of n independent exponentials of mean 1 lies below with z's probability (Wilson and
// Hilferty), in dB.
double chance(Index n, double deviations) {
  const double count = static_cast<double>(n);
  const double root = 1 - 1 / (9 * count) + deviations / (3 * std::sqrt(count));
  return 30 * std::log10(std::max(root, 0.05));
}

}  // namespace

Figure power_spectrum(const Matrix& data, Index signals, const std::vector<std::string>& names,
                      const TimeAxis& axis) {
  const Index T = signals > 0 ? data.cols() / signals : 0, count = (T - 1) / 2;
  const Index n = std::min(data.rows(), most_rows);
  Figure figure;
  if (n < 2 || count < 2) return figure;
  const double length = axis.at(static_cast<double>(T));
  std::vector<double> frequency;
  for (Index k = 1; k <= count; ++k) frequency.push_back(static_cast<double>(k) / length);
  const std::string unit =
      axis.step > 0 ? (axis.unit == "s" ? "Hz" : "per " + axis.unit) : "cycles per step";
  const double low = chance(n, -z), high = chance(n, z);
  Range x, y;
  for (const double f : {frequency.front(), frequency.back()}) x.add(f);
  for (const double level : {low, high}) y.add(level);
  std::vector<std::pair<std::string, std::vector<double>>> curves;
  for (Index i = 0; i < std::min(signals, most_signals); ++i) {
    const Vector power = periodogram(data(Eigen::seqN(0, n), Eigen::seqN(i, T, signals)));
    if (!(power.mean() > 0) || !std::isfinite(power.mean())) continue;
    std::vector<double> levels;
    for (const double p : power) {
      levels.push_back(10 * std::log10(std::max(p / power.mean(), 1e-8)));
      y.add(levels.back());
    }
    const auto number = static_cast<size_t>(i);
    curves.emplace_back(number < names.size() ? names[number] : "w" + std::to_string(i), levels);
  }
  if (curves.empty()) return figure;
  Frame frame(linear_scale(x), linear_scale(y), "frequency, " + unit, "dB around the mean",
              "Power over frequency");
  frame.band(frequency, std::vector<double>(frequency.size(), low),
             std::vector<double>(frequency.size(), high), "c6");
  frame.horizontal(0, "zero");
  figure.table.header = {"signal", "frequency, " + unit, "dB"};
  for (size_t i = 0; i < curves.size(); ++i) {
    const auto& [name, levels] = curves[i];
    const std::string css = colour_class(static_cast<int>(i));
    std::vector<Point> points;
    for (size_t k = 0; k < levels.size(); ++k) {
      points.push_back({frequency[k], levels[k]});
      figure.table.rows.push_back({name, nice_number(frequency[k]), nice_number(levels[k], 3)});
    }
    frame.line(points, css);
    figure.legend.push_back({Key::line, css, name, 0});
  }
  figure.legend.push_back({Key::band, "c6", "white noise, 99 % at each frequency", 0});
  figure.caption = "Averaged over " + std::to_string(n) +
                   " trajectories; 0 dB is the signal's own "
                   "mean power.";
  if (signals > most_signals)
    figure.caption += " The first " + std::to_string(most_signals) + " signals.";
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
