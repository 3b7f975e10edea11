// A matrix as colours. Small ones have a tooltip per cell; big ones are drawn as one path per
// colour, with runs of equal cells joined, or a page would weigh megabytes.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "report/plots.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"

namespace loopcert::report {
namespace {

constexpr Index cell_limit = 120, tooltip_limit = 40, table_limit = 24;
constexpr double width = 460, left = 22, top = 22, bar = 12, gap = 10, numbers = 58;
constexpr int half_levels = 10;  // colours on each side of zero

std::string level_class(Colours colours, int level) {
  return (colours == Colours::diverging ? "d" : "q") + std::to_string(level);
}

int level_of(double value, double largest, Colours colours) {
  if (!(largest > 0) || !std::isfinite(value)) return colours == Colours::diverging ? 10 : 0;
  const double share = value / largest;
  if (colours == Colours::diverging)
    return half_levels + static_cast<int>(std::lround(std::clamp(share, -1.0, 1.0) * half_levels));
  return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * 2 * half_levels));
}

// The largest entry of each pair of units, row's and column's.
class UnitScales {
 public:
  UnitScales(const Matrix& values, const HeatUnits& units) : units_(units) {
    for (Index j = 0; j < values.cols(); ++j)
      for (Index i = 0; i < values.rows(); ++i) {
        double& largest = largest_[pair(i, j)];
        largest = std::max(largest, std::abs(values(i, j)));
      }
  }
  double at(Index i, Index j) const { return largest_.at(pair(i, j)); }
  const auto& all() const { return largest_; }
  bool one() const { return largest_.size() <= 1; }

 private:
  std::pair<std::string, std::string> pair(Index i, Index j) const {
    const auto of = [](const HeatUnits::Names& names, Index k) {
      return names.empty() ? std::string() : names[static_cast<size_t>(k) % names.size()];
    };
    return {of(units_.rows, i), of(units_.columns, j)};
  }

  const HeatUnits& units_;
  std::map<std::pair<std::string, std::string>, double> largest_;
};

// Entries as shares of the largest of their units.
Matrix shares(const Matrix& values, const UnitScales& scales) {
  Matrix out = Matrix::Zero(values.rows(), values.cols());
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < values.rows(); ++i)
      if (const double largest = scales.at(i, j); largest > 0) out(i, j) = values(i, j) / largest;
  return out;
}

// What full colour stands for.
std::string scales_text(const UnitScales& scales) {
  constexpr size_t most = 6;
  std::string text = "Colours are on a scale of their own for each pair of units";
  if (scales.all().size() > most) return text + ".";
  std::string list;
  for (const auto& [units, largest] : scales.all())
    list += (list.empty() ? "" : ", ") + nice_number(largest, 3) + " " + units.first + " per " +
            units.second;
  return text + "; full colour is " + list + ".";
}

// `cells` are coloured, and a tooltip says `values`: the same where there are few.
void draw_cells(Svg& svg, const Matrix& cells, const Matrix& values, double size, double largest,
                Colours colours) {
  const auto rectangle = [&](Index i, Index j, Index count) {
    return "M" + svg_number(left + size * static_cast<double>(j)) + " " +
           svg_number(top + size * static_cast<double>(i)) + "h" +
           svg_number(size * static_cast<double>(count)) + "v" + svg_number(size) + "h" +
           svg_number(-size * static_cast<double>(count)) + "z";
  };
  if (cells.rows() <= tooltip_limit && cells.cols() <= tooltip_limit) {
    for (Index i = 0; i < cells.rows(); ++i)
      for (Index j = 0; j < cells.cols(); ++j)
        svg.element("path",
                    {{"class", level_class(colours, level_of(cells(i, j), largest, colours))},
                     {"d", rectangle(i, j, 1)}},
                    "row " + std::to_string(i) + ", column " + std::to_string(j) + ": " +
                        nice_number(values(i, j)));
    return;
  }
  std::array<std::string, 2 * half_levels + 1> paths;
  for (Index i = 0; i < cells.rows(); ++i)
    for (Index j = 0, end = 0; j < cells.cols(); j = end) {
      const int level = level_of(cells(i, j), largest, colours);
      for (end = j + 1; end < cells.cols(); ++end)
        if (level_of(cells(i, end), largest, colours) != level) break;
      paths[static_cast<size_t>(level)] += rectangle(i, j, end - j);
    }
  for (size_t level = 0; level < paths.size(); ++level)
    if (!paths[level].empty())
      svg.element("path",
                  {{"class", level_class(colours, static_cast<int>(level))}, {"d", paths[level]}});
}

// Its ends are numbers, or shares of the largest in each unit.
void draw_colour_bar(Svg& svg, double x, double height, double largest, bool shares,
                     Colours colours) {
  constexpr int steps = 2 * half_levels + 1;
  for (int level = 0; level < steps; ++level)
    svg.element("rect", {{"class", level_class(colours, level)},
                         {"x", x},
                         {"y", top + height * (steps - 1 - level) / steps},
                         {"width", bar},
                         {"height", height / steps + 0.2}});
  const double text = x + bar + 5;
  const bool both = colours == Colours::diverging;
  const std::string end = shares ? "largest" : nice_number(largest, 3);
  svg.text(text, top + 9, "tk", Anchor::start, end);
  if (both) svg.text(text, top + height / 2 + 4, "tk", Anchor::start, "0");
  svg.text(text, top + height, "tk", Anchor::start,
           !both    ? "0"
           : shares ? "−" + end
                    : nice_number(-largest, 3));
}

DataTable cell_table(const Matrix& cells) {
  DataTable table;
  table.header.push_back("row");
  for (Index j = 0; j < cells.cols(); ++j) table.header.push_back(std::to_string(j));
  for (Index i = 0; i < cells.rows(); ++i) {
    table.rows.push_back({std::to_string(i)});
    for (Index j = 0; j < cells.cols(); ++j)
      table.rows.back().push_back(nice_number(cells(i, j), 3));
  }
  return table;
}

}  // namespace

Matrix block_extremes(const Matrix& values, Index limit) {
  const Index rows = std::min(values.rows(), limit), cols = std::min(values.cols(), limit);
  Matrix out(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      const Index i0 = i * values.rows() / rows, i1 = (i + 1) * values.rows() / rows;
      const Index j0 = j * values.cols() / cols, j1 = (j + 1) * values.cols() / cols;
      const auto block = values.block(i0, j0, i1 - i0, j1 - j0);
      Index r = 0, c = 0;
      block.cwiseAbs().maxCoeff(&r, &c);
      out(i, j) = block(r, c);
    }
  return out;
}

Figure heat_map(const Matrix& values, Colours colours, const std::string& rows,
                const std::string& columns, const HeatUnits& units) {
  const UnitScales scales(values, units);
  const Matrix cells = block_extremes(scales.one() ? values : shares(values, scales), cell_limit);
  const double largest = !values.size() ? 0 : scales.one() ? values.cwiseAbs().maxCoeff() : 1;
  const double room = width - left - gap - bar - numbers;
  const double size = std::min(room / static_cast<double>(std::max<Index>(cells.cols(), 1)),
                               380.0 / static_cast<double>(std::max<Index>(cells.rows(), 1)));
  const double w = size * static_cast<double>(cells.cols());
  const double h = size * static_cast<double>(cells.rows());
  const double bar_height = std::max(h, 90.0);

  Svg svg(width, top + bar_height + 8, "Heat map: " + rows + " against " + columns);
  svg.text(left, 14, "lb", Anchor::start, columns + " →");
  svg.open("g", {{"transform", "rotate(90 " + svg_number(6) + " " + svg_number(top) + ")"}});
  svg.text(6, top, "lb", Anchor::start, rows + " →");
  svg.close();
  svg.open("g", {{"shape-rendering", "crispEdges"}});
  draw_cells(svg, cells, values, size, largest, colours);
  draw_colour_bar(svg, left + w + gap, bar_height, largest, !scales.one(), colours);
  svg.element("rect", {{"class", "fr"}, {"x", left}, {"y", top}, {"width", w}, {"height", h}});

  Figure figure;
  figure.svg = svg.finish();
  figure.table = cell_table(block_extremes(values, table_limit));
  figure.caption = std::to_string(values.rows()) + " × " + std::to_string(values.cols()) + ".";
  if (!scales.one()) figure.caption += " " + scales_text(scales);
  if (cells.size() != values.size())
    figure.caption += " Each cell shows the entry of largest absolute value of its block.";
  if (values.rows() > table_limit || values.cols() > table_limit)
    figure.caption += " The table shows blocks in the same way.";
  return figure;
}

}  // namespace loopcert::report
