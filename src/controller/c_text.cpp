#include "controller/c_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

void check_c_identifier(const std::string& prefix) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  const bool good = !prefix.empty() && prefix.size() <= 60 && letter(prefix[0]) &&
                    std::all_of(prefix.begin(), prefix.end(),
                                [&](unsigned char c) { return letter(c) || std::isdigit(c) != 0; });
  if (!good) throw_input_error("name", "'" + prefix + "'", "a C identifier of at most 60 letters");
}

static std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string c_comment_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const char printable = c >= ' ' && c <= '~' ? c : '.';
    if (!out.empty() &&
        ((out.back() == '*' && printable == '/') || (out.back() == '/' && printable == '*') ||
         (out.back() == '?' && printable == '?')))
      out += ' ';
    out += printable;
  }
  return out;
}

double CReal::gamma(Index n) const {
  const double u = static_cast<double>(n) * (single ? 0x1p-24 : 0x1p-53);
  return u / (1 - u);
}

std::string fill_c(std::string text, const std::string& prefix, CReal real) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace("@P@", upper(prefix));
  replace("@p@", prefix);
  replace("@real@", real.single ? "float" : "double");
  replace("@zero@", real.single ? "0.0f" : "0.0");
  return text;
}

std::string c_numbers(const std::vector<double>& values, CReal real) {
  std::string out;
  for (size_t i = 0; i < values.size(); ++i) {
    double value = values[i];
    if (real.single) {
      value = static_cast<double>(static_cast<float>(value));
      if (!std::isfinite(value))
        throw_input_error("K", number_text(values[i]), "numbers that single precision can hold");
    }
    out += fmt::format("{}{:a}{},", i % 3 == 0 ? "\n    " : " ", value, real.single ? "f" : "");
  }
  return out + "\n";
}

std::vector<double> c_test_signal(Index count) {
  std::vector<double> x;
  std::uint32_t seed = 12345;
  for (Index i = 0; i < count; ++i) {
    seed = seed * 1664525U + 1013904223U;
    x.push_back((static_cast<double>(seed >> 24) - 128.0) / 64.0);
  }
  return x;
}

}  // namespace loopcert
