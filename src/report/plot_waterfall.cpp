// Terms stacked one after the other until the value that they add up to.
#include <algorithm>

#include "report/plots.hpp"
#include "report/scale.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace loopcert::report {
namespace {

constexpr double width = 460, row_height = 46, left = 6, right = 10, top = 4;

const Key mark_keys[] = {Key::dashed, Key::dotted, Key::line};
const char* const mark_dashes[] = {"dash", "dots", ""};

void draw_row(Svg& svg, const Scale& x, double y, const Part& part, double from, double to,
              const std::string& css) {
  const double a = x.at(std::min(from, to)), b = x.at(std::max(from, to));
  svg.text(left, y + 14, "lb", Anchor::start, part.name);
  svg.text(width - right, y + 14, "nb", Anchor::end, part_number(part));
  svg.element("rect",
              {{"class", "fl " + css},
               {"x", a},
               {"y", y + 20},
               {"width", std::max(b - a, 1.5)},
               {"height", 18}},
              part.name + ": " + part_number(part, 6));
}

}  // namespace

Figure waterfall(const std::vector<Part>& parts, const std::string& total,
                 const std::vector<Part>& marks) {
  Range range;
  range.add(0);
  double sum = 0;
  for (const Part& part : parts) range.add(sum += part.value);
  for (const Part& mark : marks) range.add(mark.value);
  Scale x = linear_scale(range, true);
  x.start = left;
  x.end = width - right;

  const double rows = static_cast<double>(parts.size() + 1);
  const double base = top + rows * row_height + 4;
  Figure figure;
  Svg svg(width, base + 26, "The terms of the certificate, stacked to its value");
  for (const Tick& tick : x.ticks) {
    const double at = x.at(tick.value);
    svg.element("path", {{"class", "gr"}, {"d", path_through({{at, top + 20}, {at, base}})}});
    svg.text(std::clamp(at, text_width(tick.label) / 2, width - text_width(tick.label) / 2),
             base + 16, "tk", Anchor::middle, tick.label);
  }
  sum = 0;
  double y = top;
  figure.table.header = {"term", "symbol", "value", "sum so far"};
  for (size_t i = 0; i < parts.size(); ++i, y += row_height) {
    draw_row(svg, x, y, parts[i], sum, sum + parts[i].value, colour_class(static_cast<int>(i)));
    const double joint = x.at(sum += parts[i].value);
    const double next = y + 20;
    svg.element("path", {{"class", "ax thin"},
                         {"d", path_through({{joint, next}, {joint, next + row_height}})}});
    figure.table.rows.push_back(
        {parts[i].name, parts[i].note, nice_number(parts[i].value, 6), nice_number(sum, 6)});
  }
  draw_row(svg, x, y, {total, sum, "", true}, 0, sum, "sum");
  figure.table.rows.push_back({total, "", nice_bound(sum, 6), ""});
  for (size_t i = 0; i < marks.size(); ++i) {
    const double at = x.at(marks[i].value);
    const size_t style = i % 3;
    // Only beside bars: a line through the words would be hard to read.
    for (size_t row = 0; row <= parts.size(); ++row) {
      const double from = top + static_cast<double>(row) * row_height + 17;
      svg.element("path",
                  {{"class", std::string("ln ink ") + mark_dashes[style]},
                   {"d", path_through({{at, from}, {at, from + 24}})}},
                  marks[i].name + ": " + nice_number(marks[i].value, 6));
    }
    figure.legend.push_back(
        {mark_keys[style], "ink", marks[i].name + " " + nice_number(marks[i].value), 0});
    figure.table.rows.push_back({marks[i].name, "", nice_number(marks[i].value, 6), ""});
  }
  figure.svg = svg.finish();
  return figure;
}

}  // namespace loopcert::report
