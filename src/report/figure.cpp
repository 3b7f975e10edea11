#include "report/figure.hpp"

#include <algorithm>

#include "report/svg.hpp"
#include "report/text.hpp"

namespace loopcert::report {
namespace {

std::string series_attribute(const DataTable& table, size_t row) {
  if (row >= table.series.size()) return "";
  return " data-series=\"" + std::to_string(table.series[row]) + "\"";
}

// Small drawing of a key, in the colour of its class.
std::string key_svg(const LegendItem& item) {
  std::string mark;
  if (item.key == Key::band || item.key == Key::swatch)
    mark = "<rect x=\"2\" y=\"2\" width=\"22\" height=\"10\" class=\"" +
           std::string(item.key == Key::band ? "bd " : "fl ") + html_escape(item.css) + "\"/>";
  else if (item.key == Key::marker)
    mark = "<path class=\"mk " + html_escape(item.css) + "\" d=\"" +
           marker_path(item.shape, {13, 7}, 4.5) + "\"/>";
  else
    mark = "<path class=\"ln " +
           std::string(item.key == Key::dashed   ? "dash "
                       : item.key == Key::dotted ? "dots "
                                                 : "") +
           html_escape(item.css) + "\" d=\"M1 7L25 7\"/>";
  return "<svg class=\"key\" viewBox=\"0 0 26 14\" aria-hidden=\"true\">" + mark + "</svg>";
}

}  // namespace

Figure titled(Figure figure, const std::string& title, const std::string& caption) {
  figure.title = title;
  if (!caption.empty())
    figure.caption = caption + (figure.caption.empty() ? "" : " " + figure.caption);
  return figure;
}

std::string table_html(const DataTable& table) {
  std::string out = "<div class=\"scroll\"><table><thead><tr>";
  for (const auto& [name, count] : table.groups)
    out += "<th colspan=\"" + std::to_string(count) + "\">" + html_escape(name) + "</th>";
  if (!table.groups.empty()) out += "</tr><tr>";
  for (const std::string& cell : table.header)
    out += "<th scope=\"col\">" + html_escape(cell) + "</th>";
  out += "</tr></thead><tbody>";
  for (size_t i = 0; i < table.rows.size(); ++i) {
    out += "<tr" + series_attribute(table, i) + ">";
    for (const std::string& cell : table.rows[i]) out += "<td>" + html_escape(cell) + "</td>";
    out += "</tr>";
  }
  return out + "</tbody></table></div>";
}

std::string legend_html(const std::vector<LegendItem>& legend) {
  if (legend.empty()) return "";
  std::string out = "<ul class=\"legend\">";
  for (const LegendItem& item : legend)
    out += "<li>" + key_svg(item) + html_escape(item.text) + "</li>";
  return out + "</ul>";
}

std::string figure_html(const Figure& figure) {
  std::string out = figure.wide ? "<figure class=\"wide\">" : "<figure>";
  out += "<h3>" + html_escape(figure.title) + "</h3>";
  out += legend_html(figure.legend);
  out += figure.svg;
  if (!figure.caption.empty())
    out += "<figcaption>" + html_escape(figure.caption) + "</figcaption>";
  out += "<details><summary>Numbers</summary>" + table_html(figure.table) + "</details>";
  return out + "</figure>";
}

std::string figures_with_one_legend(std::vector<Figure> figures) {
  std::vector<LegendItem> legend;
  for (Figure& figure : figures) {
    for (const LegendItem& item : figure.legend)
      if (std::none_of(legend.begin(), legend.end(),
                       [&](const LegendItem& there) { return there.text == item.text; }))
        legend.push_back(item);
    figure.legend.clear();
  }
  return legend_html(legend) + figures_html(figures, "grid small");
}

std::string figures_html(const std::vector<Figure>& figures, const std::string& css) {
  std::string out = "<div class=\"" + css + "\">";
  for (const Figure& figure : figures) out += figure_html(figure);
  return out + "</div>";
}

}  // namespace loopcert::report
