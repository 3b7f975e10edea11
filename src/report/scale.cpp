#include "report/scale.hpp"

#include <algorithm>
#include <cmath>

#include "report/text.hpp"

namespace loopcert::report {
namespace {

// What a figure has room for: beyond it, arithmetic on the ends of a scale would overflow.
constexpr double largest = 1e100, smallest = 1e-100;

// 1, 2 or 5 times a power of ten, at least `raw`.
double nice_step(double raw) {
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

// At least three: one or two leave the reader to guess the scale.
void add_linear_ticks(Scale& scale, int count) {
  constexpr size_t fewest = 3;
  for (int most = 3 * count; count <= most && scale.ticks.size() < fewest; ++count) {
    scale.ticks.clear();
    const double step = nice_step((scale.high - scale.low) / count);
    const double first = std::ceil(scale.low / step - 1e-9);
    for (double k = first; k * step <= scale.high + 1e-9 * step; k += 1)
      scale.ticks.push_back({k * step, nice_number(k == 0 ? 0 : k * step, 6)});
  }
}

// Decades where there are enough of them, else 1, 2, 5, else round steps.
void add_log_ticks(Scale& scale) {
  const int low = static_cast<int>(std::floor(std::log10(scale.low)));
  const int high = static_cast<int>(std::ceil(std::log10(scale.high)));
  const double decades = std::log10(scale.high / scale.low);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / 6)));
  const std::vector<double> factors = decades > 3     ? std::vector<double>{1}
                                      : decades > 1.6 ? std::vector<double>{1, 3}
                                                      : std::vector<double>{1, 2, 5};
  for (int e = low; e <= high; ++e) {
    if (e % every != 0) continue;
    for (const double factor : factors) {
      const double value = factor * std::pow(10, e);
      if (value >= scale.low * (1 - 1e-9) && value <= scale.high * (1 + 1e-9))
        scale.ticks.push_back({value, nice_number(value, 6)});
    }
  }
  if (scale.ticks.size() < 3) {
    scale.ticks.clear();
    add_linear_ticks(scale, 5);
  }
}

}  // namespace

double Scale::at(double value) const {
  const double share =
      log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return start + std::clamp(share, 0.0, 1.0) * (end - start);
}

void Range::add(double value) {
  if (!std::isfinite(value)) return;
  value = std::clamp(value, -largest, largest);
  low = empty ? value : std::min(low, value);
  high = empty ? value : std::max(high, value);
  empty = false;
}

Scale linear_scale(const Range& range, bool from_zero, int count) {
  Scale scale;
  if (!range.empty) {
    double low = range.low, high = range.high;
    if (from_zero) {
      low = std::min(low, 0.0);
      high = std::max(high, 0.0);
    }
    const double width = high - low;
    // A single value gets room around it, so that it has a place at all.
    const double size = std::max(std::abs(low), std::abs(high));
    const double pad = width > 1e-9 * size ? 0.05 * width : size > 0 ? 0.5 * size : 0.5;
    scale.low = from_zero && low == 0 ? 0 : low - pad;
    scale.high = from_zero && high == 0 && width > 0 ? 0 : high + pad;
  }
  add_linear_ticks(scale, count);
  return scale;
}

Scale log_scale(const Range& range) {
  if (range.empty || !(range.low > 0)) return linear_scale(range);
  Scale scale;
  scale.log = true;
  const double low = std::max(range.low, smallest), high = std::max(range.high, smallest);
  const double factor = std::max(std::pow(high / low, 0.05), 1.02);
  scale.low = low / factor;
  scale.high = high * factor;
  add_log_ticks(scale);
  return scale;
}

Scale automatic_scale(const Range& range, double factor) {
  return !range.empty && range.low > 0 && range.high > factor * range.low ? log_scale(range)
                                                                          : linear_scale(range);
}

void set_ticks(Scale& scale, const std::vector<double>& values, double smallest_share) {
  scale.ticks.clear();
  double last = -1;
  for (const double value : values) {
    const double share = (scale.at(value) - scale.start) / (scale.end - scale.start);
    if (last >= 0 && share - last < smallest_share) continue;
    scale.ticks.push_back({value, nice_number(value, 6)});
    last = share;
  }
}

}  // namespace loopcert::report
