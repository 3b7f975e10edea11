#include "loopcert/core/confidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loopcert {

double rounded_confidence(double value) {
  if (!(value > 0 && value < 1)) return value;
  const double digits = std::clamp(std::ceil(-std::log10(1 - value)) + 1, 4.0, 12.0);
  const double scale = std::pow(10, digits);
  return std::floor((value + 1e-12) * scale) / scale;
}

std::string confidence_text(double value) {
  return fmt::format("{:.12g}", rounded_confidence(value));
}

}  // namespace loopcert
