#include "report/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/sha256.hpp"
#include "core/visible.hpp"
#include "loopcert/core/rounded.hpp"

namespace loopcert::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

std::string base64(const std::string& bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (size_t j = 0; j < 4; ++j)
      out += i + j <= bytes.size() ? digits[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

std::string superscript(int exponent) {
  static const char* const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = exponent < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(exponent))) out += raised[digit - '0'];
  return out;
}

// Never a power of ten below a million: the digits before the point, and one more, are shown.
int digits_shown(double size, int digits) {
  const int needed = size >= 1 && size < 1e6 ? static_cast<int>(std::log10(size)) + 1 : 1;
  return std::max(digits, needed + 1);
}

}  // namespace

std::string html_escape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const Character character = character_at(text, i);
    const char c = text[i];
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else if (character.shown || c == '\n' || c == '\t')
      out += character.bytes;
    else
      out += replacement;
    i += character.bytes.size();
  }
  return out;
}

std::string script_json(const nlohmann::json& tree) {
  // ASCII only, so U+2028 and U+2029 are already \u2028 and \u2029.
  const std::string text = tree.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (const char c : text) {
    if (c == '<' || c == '>' || c == '&')
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out;
}

std::string content_hash(std::string_view content) {
  const std::string hex = sha256_hex(content);
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return "'sha256-" + base64(bytes) + "'";
}

std::string nice_number(double value, int digits) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  const double size = std::abs(value);
  std::string out;
  if (size != 0 && (size >= 1e6 || size < 1e-4)) {
    const std::string text = fmt::format("{:.{}e}", size, digits - 1);
    const size_t e = text.find('e');
    std::string mantissa = text.substr(0, e);
    if (mantissa.find('.') != std::string::npos) {
      mantissa.erase(mantissa.find_last_not_of('0') + 1);
      if (mantissa.back() == '.') mantissa.pop_back();
    }
    const std::string power = "10" + superscript(std::stoi(text.substr(e + 1)));
    out = mantissa == "1" ? power : mantissa + "·" + power;
  } else {
    out = fmt::format("{:.{}g}", size, digits_shown(size, digits));
  }
  return (value < 0 ? "−" : "") + out;
}

double rounded_up(double value, int digits) {
  return rounded_bound(value, digits_shown(std::abs(value), digits));
}

std::string nice_bound(double value, int digits) {
  return nice_number(rounded_up(value, digits), digits);
}

std::string percent(double confidence) {
  return nice_number(100 * rounded_confidence(confidence), 12) + "\u00a0%";
}

std::string count_text(long count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string at_start(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

}  // namespace loopcert::report
