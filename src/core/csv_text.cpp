#include "core/csv_text.hpp"

namespace loopcert {

std::string csv_text(const std::string& text) {
  const std::string safe = text.find_first_of("=+-@\t\r") == 0 ? "'" + text : text;
  if (safe.find_first_of(",\"\r\n") == safe.npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace loopcert
