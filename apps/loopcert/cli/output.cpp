#include "cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/visible.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::app {

void print(std::string_view raw) {
  const std::string text = visible_text(raw);
  const size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written != text.size() || std::fflush(stdout) != 0)
    throw OutputError("standard output: could not be written: " +
                      std::generic_category().message(errno));
}

void print_json(const nlohmann::json& object) {
  // ASCII only: the escapes of JSON, not ours, for what a terminal would obey.
  print(object.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
}

void warn(const std::string& message) {
  std::fprintf(stderr, "loopcert: warning: %s\n", visible_line(message).c_str());
}

void Table::add(std::string_view name, std::string_view value) {
  rows_.emplace_back(visible_line(name), visible_line(value));
}

std::string Table::text() const {
  size_t width = 0;
  for (const auto& [name, value] : rows_) width = std::max(width, name.size());
  std::string text;
  for (const auto& [name, value] : rows_) text += fmt::format("{:<{}}  {}\n", name, width, value);
  return text;
}

std::string cost_text(double value) { return fmt::format("{:.6g}", value); }

Progress::Progress(bool quiet) : visible_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::string_view what, Index done, Index total) {
  if (!visible_) return;
  shown_ = true;
  std::fputs(fmt::format("\r\033[K{} {}/{}", what, done, total).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace loopcert::app
