// One function per kind of plot; each is one file src/report/plot_<kind>.cpp.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "report/figure.hpp"
#include "report/time_axis.hpp"

namespace loopcert::report {

struct Part {
  std::string name;
  double value = 0;
  std::string note;    // a symbol, shown small
  bool bound = false;  // its number is rounded up
};
std::string part_number(const Part& part, int digits = 4);

// Parts stacked one after the other until their sum; `marks` are values to compare it with.
Figure waterfall(const std::vector<Part>& parts, const std::string& total,
                 const std::vector<Part>& marks);

// Horizontal bars from zero; parts with the same note have the same colour, and neighbours with the
// same name share it.
Figure bars(const std::vector<Part>& parts, const std::string& unit, double width = 460);

enum class Colours { diverging, sequential };

// Row i is in unit rows[i mod size], and so are columns. Empty: one unit for all.
struct HeatUnits {
  using Names = std::vector<std::string>;
  Names rows, columns;
};

// A matrix as colours, big ones by blocks: each shows its entry of largest absolute value. Entries
// of different units have scales of their own, each up to its largest entry.
Figure heat_map(const Matrix& values, Colours colours, const std::string& rows,
                const std::string& columns, const HeatUnits& units = {});
// At most `limit` rows and columns; `shown` is how many entries one cell stands for.
Matrix block_extremes(const Matrix& values, Index limit);

// How often a limit is broken at each step, from step `first` on; `target` is what was asked for.
struct ViolationSeries {
  std::string name;
  Vector values;       // probabilities
  bool bound = false;  // rounded up
};
struct ViolationPlot {
  Index first = 0;
  TimeAxis axis = {};
  std::vector<ViolationSeries> series;
  std::optional<double> target;
  std::string target_name;
};
Figure violation_plot(const ViolationPlot& plot);

// Eigenvalues of the sample covariance in decibels, against the law's and the assumed bound when
// known: 0 dB is the bound, else the largest of them.
struct Spectrum {
  Vector sample;
  std::optional<Vector> law;
  std::optional<double> bound;
  Index n = 0;
};
Figure spectrum(const Spectrum& spectrum);

// Normal quantiles against the quantiles of coordinates standardized one by one and pooled, with
// the band in which each point lies with probability 99 % if they are independent and normal.
Figure normal_quantiles(const Matrix& data);

// Power over frequency of each signal, averaged over trajectories, in decibels around its own mean:
// white noise is level, and in the band with probability 99 % at each frequency. Row i of `data` is
// a trajectory: `signals` numbers for each step.
Figure power_spectrum(const Matrix& data, Index signals, const std::vector<std::string>& names,
                      const TimeAxis& axis);

// Points over a number, joined or not; with a band of this half width around zero when it is given.
struct Series {
  std::string name;
  Vector x, y;
  bool joined = true;
};
struct SeriesPlot {
  std::vector<Series> series;
  Vector band;  // at the x of the first series; empty: none
  std::string x_label, y_label;
  std::optional<TimeAxis> axis = std::nullopt;  // x are steps of it; nothing: x are counts
  bool small = false;                           // one of three in a row
};
Figure series_plot(const SeriesPlot& plot);

// Curves over numbers of trajectories, with published numbers as rings of the same colour. Axes are
// logarithmic where the numbers ask for it.
struct PublishedCurve {
  std::string name;
  int colour = 0;
  Vector n, mean;
  Vector published;  // at the same n; empty: not published
};
Figure published_plot(const std::vector<PublishedCurve>& curves, const std::string& y_label);

// Poles with the unit circle, and around each the places that other plants of a set move it to.
struct PolePlace {
  std::complex<double> at;
  std::vector<std::complex<double>> reached;
};
Figure pole_plot(const std::vector<PolePlace>& poles);

// Points on two logarithmic axes, if they are positive.
Figure scatter_plot(const Vector& x, const Vector& y, const std::string& x_label,
                    const std::string& y_label);

}  // namespace loopcert::report
