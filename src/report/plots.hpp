// One function per kind of plot; each is one file src/report/plot_<kind>.cpp.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "report/figure.hpp"

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

// Horizontal bars from zero; parts with the same note have the same colour.
Figure bars(const std::vector<Part>& parts, const std::string& unit);

enum class Colours { diverging, sequential };

// A matrix as colours, big ones by blocks: each shows its entry of largest absolute value.
Figure heat_map(const Matrix& values, Colours colours, const std::string& rows,
                const std::string& columns);
// At most `limit` rows and columns; `shown` is how many entries one cell stands for.
Matrix block_extremes(const Matrix& values, Index limit);

// Quantile bands over trajectories: row i of `paths` holds one value per step. Limits are lines
// over their steps; one far outside would flatten everything else and is named in the caption
// alone.
struct FanLimit {
  double value = 0;
  Index first = 0, last = 0;
};
Figure fan(const Matrix& paths, const std::string& name, const std::vector<FanLimit>& limits = {});

// How often a limit is broken at each step, from step `first` on; `target` is what was asked for.
struct ViolationSeries {
  std::string name;
  Vector values;       // probabilities
  bool bound = false;  // rounded up
};
struct ViolationPlot {
  Index first = 0;
  std::vector<ViolationSeries> series;
  std::optional<double> target;
  std::string target_name;
};
Figure violation_plot(const ViolationPlot& plot);

// Eigenvalues of the sample covariance, against the law's and the assumed bound when known.
struct Spectrum {
  Vector sample;
  std::optional<Vector> law;
  std::optional<double> bound;
  Index n = 0;
};
Figure spectrum(const Spectrum& spectrum);

// Normal quantiles against the quantiles of coordinates standardized one by one and pooled.
Figure normal_quantiles(const Matrix& data);

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
