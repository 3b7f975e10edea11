#include "loopcert/core/rounded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace loopcert {
namespace {

// Without the locale; beyond the largest double: infinity.
double number_in(std::string_view text) {
  double value = std::numeric_limits<double>::infinity();
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Below it doubles have fewer digits.
constexpr double least = 1e-290;

}  // namespace

double rounded_confidence(double value) {
  if (!(value > 0 && value < 1)) return value;
  const double digits = std::clamp(std::ceil(-std::log10(1 - value)) + 1, 4.0, 12.0);
  const double scale = std::pow(10, digits);
  return std::floor((value + 1e-12) * scale) / scale;
}

std::string confidence_text(double value) {
  return fmt::format("{:.12g}", rounded_confidence(value));
}

double rounded_bound(double value, int digits) {
  if (!std::isfinite(value)) return value;
  if (std::abs(value) < least) return value > 0 ? least : 0;
  const auto nearest = [&](double x) { return fmt::format("{:.{}e}", x, digits - 1); };
  const std::string text = nearest(value);
  const double below = number_in(text);
  if (below >= value) return below;
  // One more in the last digit; adding it errs by far less than what makes another digit.
  const int exponent = std::stoi(text.substr(text.find('e') + 1));
  return number_in(nearest(below + number_in(fmt::format("1e{}", exponent - digits + 1))));
}

std::string bound_text(double value) { return fmt::format("{:.6g}", rounded_bound(value, 6)); }

}  // namespace loopcert
