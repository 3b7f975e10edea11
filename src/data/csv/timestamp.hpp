// Times of a log as ISO 8601 writes them: 2026-01-31T12:00:00.25+01:00.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace loopcert {

// In two numbers, so that seconds keep their digits.
struct Timestamp {
  std::int64_t day = 0;  // since 1970-01-01
  double second = 0;     // of that day, in UTC where the text names an offset
};

// Date and time with 'T' or a blank between them; seconds, their fraction (after '.' or ',') and
// the offset (Z, +01:00, +0100, +01) may be left out.
std::optional<Timestamp> parse_timestamp(std::string_view text);

// Seconds from midnight of `first` to `time`.
inline double seconds_since(const Timestamp& first, const Timestamp& time) {
  return static_cast<double>(time.day - first.day) * 86400.0 + time.second;
}

}  // namespace loopcert
