#include "csv/timestamp.hpp"

#include <charconv>

namespace loopcert {
namespace {

// Takes exactly `digits` digits off the front; nothing unless they are there and in the range.
std::optional<int> take_digits(std::string_view& text, size_t digits, int least, int most) {
  if (text.size() < digits || text.substr(0, digits).find_first_not_of("0123456789") != text.npos)
    return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + digits, value);
  text.remove_prefix(digits);
  return value < least || value > most ? std::nullopt : std::optional(value);
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text[0]) == any_of.npos) return false;
  text.remove_prefix(1);
  return true;
}

int days_of_month(int year, int month) {
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return days[month - 1] + (leap && month == 2 ? 1 : 0);
}

// The Gregorian calendar in eras of 400 years that begin on the first of March.
std::int64_t day_number(int year, int month, int day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = y / 400, of_era = y % 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

// ".25" or ",25"; zero when there is none.
std::optional<double> take_fraction(std::string_view& text) {
  if (!take(text, ".,")) return 0.0;
  double value = 0, unit = 0.1;
  const size_t before = text.size();
  for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1), unit /= 10)
    value += unit * (text[0] - '0');
  return text.size() == before ? std::nullopt : std::optional(value);
}

// Seconds east of Greenwich; the text ends after it.
std::optional<double> take_offset(std::string_view& text) {
  if (text.empty() || (take(text, "Zz") && text.empty())) return 0.0;
  const bool west = text.starts_with('-');
  if (!take(text, "+-")) return std::nullopt;
  const auto hours = take_digits(text, 2, 0, 23);
  if (!hours) return std::nullopt;
  int minutes = 0;
  if (!text.empty()) {
    take(text, ":");
    const auto found = take_digits(text, 2, 0, 59);
    if (!found || !text.empty()) return std::nullopt;
    minutes = *found;
  }
  const double seconds = 3600.0 * *hours + 60.0 * minutes;
  return west ? -seconds : seconds;
}

}  // namespace

std::optional<Timestamp> parse_timestamp(std::string_view text) {
  const auto year = take_digits(text, 4, 1, 9999);
  if (!year || !take(text, "-")) return std::nullopt;
  const auto month = take_digits(text, 2, 1, 12);
  if (!month || !take(text, "-")) return std::nullopt;
  const auto day = take_digits(text, 2, 1, days_of_month(*year, *month));
  if (!day || !take(text, "Tt ")) return std::nullopt;
  const auto hour = take_digits(text, 2, 0, 23);
  if (!hour || !take(text, ":")) return std::nullopt;
  const auto minute = take_digits(text, 2, 0, 59);
  if (!minute) return std::nullopt;
  double second = 0;
  if (take(text, ":")) {
    const auto whole = take_digits(text, 2, 0, 59);
    const auto fraction = whole ? take_fraction(text) : std::nullopt;
    if (!fraction) return std::nullopt;
    second = *whole + *fraction;
  }
  const auto offset = take_offset(text);
  if (!offset) return std::nullopt;
  return Timestamp{day_number(*year, *month, *day),
                   3600.0 * *hour + 60.0 * *minute + second - *offset};
}

}  // namespace loopcert
