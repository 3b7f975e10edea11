// A plot with its words and its numbers.
#pragma once

#include <string>
#include <vector>

namespace loopcert::report {

struct DataTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<int> series;  // of each row, for the toggles; empty: rows belong to no series
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
// Figures side by side where there is room.
std::string figures_html(const std::vector<Figure>& figures);

}  // namespace loopcert::report
