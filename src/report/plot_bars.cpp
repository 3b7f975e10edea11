// Horizontal bars from zero, one row each, the name above the bar: names may be long.
#include <algorithm>

#include "report/plots.hpp"
#include "report/scale.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace loopcert::report {

std::string part_number(const Part& part, int digits) {
  return part.bound ? nice_bound(part.value, digits) : nice_number(part.value, digits);
}

Figure bars(const std::vector<Part>& parts, const std::string& unit) {
  constexpr double width = 460, row_height = 40, left = 6, right = 10, top = 2;
  Range range;
  for (const Part& part : parts) range.add(part.value);
  Scale x = linear_scale(range, true);
  x.start = left;
  x.end = width - right;
  const double base = top + row_height * static_cast<double>(parts.size()) + 4;

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
  for (const Part& part : parts) {
    auto group = std::find(groups.begin(), groups.end(), part.note);
    if (group == groups.end()) group = groups.insert(groups.end(), part.note);
    const auto colour = static_cast<int>(group - groups.begin());
    const double a = x.at(std::min(part.value, 0.0)), b = x.at(std::max(part.value, 0.0));
    svg.text(left, y + 14, "lb", Anchor::start, part.name);
    svg.text(width - right, y + 14, "nb", Anchor::end, part_number(part));
    svg.element("rect",
                {{"class", "fl " + colour_class(colour)},
                 {"x", a},
                 {"y", y + 19},
                 {"width", std::max(b - a, 1.5)},
                 {"height", 14}},
                part.name + ", " + part.note + ": " + part_number(part, 6));
    figure.table.rows.push_back({part.name, part.note, part_number(part, 6)});
    y += row_height;
  }
  for (size_t i = 0; i < groups.size(); ++i)
    figure.legend.push_back({Key::swatch, colour_class(static_cast<int>(i)), groups[i], 0});
  figure.svg = svg.finish();
  return figure;
}

}  // namespace loopcert::report
