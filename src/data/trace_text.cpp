#include <fmt/format.h>

#include <charconv>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/traces.hpp"

namespace loopcert {
namespace {

constexpr size_t digits = 12;
constexpr std::int64_t offset = std::int64_t{1} << 47;  // no signs

}  // namespace

std::string trace_text(const Traces& traces, Index row) {
  std::string text;
  for (Index t = 0; t < traces.steps(); ++t)
    text +=
        fmt::format("{:012x}", traces.rows[static_cast<size_t>(row * traces.steps() + t)] + offset);
  return text;
}

void append_trace(Traces& traces, const std::string& text) {
  const size_t length = digits * static_cast<size_t>(traces.steps());
  if (text.size() != length || text.find_first_not_of("0123456789abcdef") != text.npos)
    throw_input_error(fmt::format("rows[{}]", traces.n()), one_line(text),
                      fmt::format("{} hexadecimal digits", length));
  for (size_t at = 0; at < length; at += digits) {
    std::int64_t value = 0;
    std::from_chars(text.data() + at, text.data() + at + digits, value, 16);
    traces.rows.push_back(value - offset);
  }
}

}  // namespace loopcert
