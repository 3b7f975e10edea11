// A plot with its words and its numbers.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace loopcert::report {

struct DataTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<int> series;  // of each row, for the toggles; empty: rows belong to no series
  // What neighbouring columns belong to, and how many; empty: to nothing.
  std::vector<std::pair<std::string, int>> groups = {};
};

enum class Key { line, dashed, dotted, band, marker, swatch };

struct LegendItem {
  Key key = Key::line;
  std::string css;  // colour class, or the class of a fill
  std::string text;
  int shape = 0;  // of a marker
};

struct Figure {
  std::string title;
  std::string caption;  // what one sees, in a sentence
  std::vector<LegendItem> legend;
  std::string svg;  // markup
  DataTable table;
  bool wide = false;
};

// With a title, and the caption before what the figure says of itself.
Figure titled(Figure figure, const std::string& title, const std::string& caption);

std::string table_html(const DataTable& table);
std::string legend_html(const std::vector<LegendItem>& legend);
std::string figure_html(const Figure& figure);
// Figures side by side where there is room; "grid small" has more of them in a row.
std::string figures_html(const std::vector<Figure>& figures, const std::string& css = "grid");
// Small ones that mean the same by the same marks.
std::string figures_with_one_legend(std::vector<Figure> figures);

}  // namespace loopcert::report
