#include "cli/output.hpp"

#include <fmt/format.h>

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
  rows_.push_back({visible_line(name), visible_line(value)});
}

void Table::detail(std::string_view name, std::string_view value) {
  rows_.push_back({visible_line(name), visible_line(value), true});
}

std::string Table::text(bool verbose) const {
  std::vector<Row> shown;
  for (const Row& row : rows_)
    if (verbose || !row.detail) shown.push_back(row);
  if (const size_t hidden = rows_.size() - shown.size(); hidden > 0)
    shown.push_back(
        {"details", fmt::format("{} more line{} with --verbose", hidden, hidden == 1 ? "" : "s")});
  size_t width = 0;
  for (const Row& row : shown) width = std::max(width, row.name.size());
  std::string text;
  for (const Row& row : shown) text += fmt::format("{:<{}}  {}\n", row.name, width, row.value);
  return text;
}

std::string cost_text(double value) { return fmt::format("{:.6g}", value); }

}  // namespace loopcert::app
