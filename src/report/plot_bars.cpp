// Horizontal bars from zero; the name above those that it is of: names may be long.
#include <algorithm>

#include "report/plots.hpp"
#include "report/scale.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace loopcert::report {

std::string part_number(const Part& part, int digits) {
  return part.bound ? nice_bound(part.value, digits) : nice_number(part.value, digits);
}

Figure bars(const std::vector<Part>& parts, const std::string& unit, double width) {
  constexpr double name_height = 18, bar_height = 14, bar_step = 18, left = 6, right = 62, top = 2;
  Range range;
  for (const Part& part : parts) range.add(part.value);
  Scale x = linear_scale(range, true, width < 400 ? 4 : 5);
  x.start = left;
  x.end = width - right;
  const auto named = [&](size_t i) { return i == 0 || parts[i].name != parts[i - 1].name; };
  double base = top + 4;
  for (size_t i = 0; i < parts.size(); ++i) base += bar_step + (named(i) ? name_height + 4 : 0);

  Figure figure;
  std::vector<std::string> groups;
  Svg svg(width, base + 26, "Bars of " + unit);
  for (const Tick& tick : x.ticks) {
    const double at = x.at(tick.value);
    svg.element("path", {{"class", "gr"}, {"d", path_through({{at, top + 18}, {at, base}})}});
    svg.text(std::clamp(at, text_width(tick.label) / 2, width - text_width(tick.label) / 2),
             base + 16, "tk", Anchor::middle, tick.label);
  }
  double y = top;
  figure.table.header = {"what", "where", unit};
  for (size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    auto group = std::find(groups.begin(), groups.end(), part.note);
    if (group == groups.end()) group = groups.insert(groups.end(), part.note);
    const auto colour = static_cast<int>(group - groups.begin());
    const double a = x.at(std::min(part.value, 0.0)), b = x.at(std::max(part.value, 0.0));
    if (named(i)) {  // once for all that belongs to it
      svg.text(left, y + 16, "lb", Anchor::start, part.name);
      y += name_height + 4;
    }
    svg.element("rect",
                {{"class", "fl " + colour_class(colour)},
                 {"x", a},
                 {"y", y},
                 {"width", std::max(b - a, 1.5)},
                 {"height", bar_height}},
                part.name + ", " + part.note + ": " + part_number(part, 6));
    svg.text(width - 2, y + 12, "nb", Anchor::end, part_number(part));
    figure.table.rows.push_back({part.name, part.note, part_number(part, 6)});
    y += bar_step;
  }
  for (size_t i = 0; i < groups.size(); ++i)
    figure.legend.push_back({Key::swatch, colour_class(static_cast<int>(i)), groups[i], 0});
  figure.svg = svg.finish();
  return figure;
}

}  // namespace loopcert::report
