#include "watch/watch_costs.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/number_from.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

void watch_costs(Watch& watch, LineFeed& lines, const CostFeed& feed) {
  Index saved = -1;
  const auto save = [&] {
    if (feed.save && std::exchange(saved, lines.bytes()) != lines.bytes())
      feed.save(watch.state(), saved);
  };
  bool names = lines.bytes() == 0;  // a line of them may come first
  const auto take = [&](std::string_view line) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text[0] == '#') return false;
    const std::optional<double> cost = number_from<double>(text);
    const bool first = std::exchange(names, false);
    if (cost && *cost >= 0) {
      watch.update(*cost);
      if (feed.seen) feed.seen(*cost, watch.state());
      return watch.rejected();
    }
    if (first && !cost && text.find_first_of(",;\t") == std::string_view::npos) return false;
    save();  // the costs before this one are not lost
    throw_input_error(fmt::format("{}: cost {}", lines.name(), watch.state().n + 1),
                      "'" + one_line(text) + "'", "one number that is not negative");
  };
  for (bool more = !watch.rejected(); more;) {
    while (const auto line = lines.line())
      if (take(*line)) return save();
    if (!lines.hurries()) save();
    more = lines.read(feed.go_on);
  }
  if (watch.rejected()) return;
  if (!feed.whole_lines && !feed.go_on) take(lines.rest());
  save();
}

}  // namespace loopcert
