// How time grows along the series of sizes.hpp: slopes in log-log scale.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "program.hpp"
#include "sizes.hpp"

namespace loopcert::bench {

struct Point {
  double x = 0, y = 0;
};

// Least-squares slope of log y over log x.
inline double growth_exponent(const std::vector<Point>& points) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Point& point : points) {
    const double a = std::log(point.x), b = std::log(point.y);
    n += 1, x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

// Seconds of one method at many sizes.
struct Timing {
  Sizes sizes;
  double seconds = 0;
};

inline std::vector<Point> points_of(const Series& series, const std::vector<Timing>& timings) {
  std::vector<Point> points;
  for (const Sizes& sizes : series.sizes)
    for (const Timing& timing : timings)
      if (same(sizes, timing.sizes))
        points.push_back({static_cast<double>(series.value(sizes)), timing.seconds});
  return points;
}

// Prints and returns the exponents of every method, over each series and over its last three sizes.
inline Json print_growth(const std::map<std::string, std::vector<Timing>>& methods) {
  Json json;
  fmt::print("\nseconds ~ variable^e: e over all sizes of a series (over its last three)\n{:<12}",
             "");
  for (const Series& series : all_series) fmt::print("{:>8}{:>8}", series.variable, "");
  fmt::print("\n");
  for (const auto& [method, timings] : methods) {
    fmt::print("{:<12}", method);
    for (const Series& series : all_series) {
      const std::vector<Point> points = points_of(series, timings);
      const size_t skip = points.size() > 3 ? points.size() - 3 : 0;
      const double all = growth_exponent(points);
      const double last =
          growth_exponent({points.begin() + static_cast<std::ptrdiff_t>(skip), points.end()});
      fmt::print("{:>8.2f}{:>8}", all, fmt::format("({:.2f})", last));
      Json& entry = json[method][series.variable] = {{"all_sizes", all}, {"last_three", last}};
      for (const Point& point : points) entry["points"].push_back({point.x, point.y});
    }
    fmt::print("\n");
  }
  return json;
}

}  // namespace loopcert::bench
