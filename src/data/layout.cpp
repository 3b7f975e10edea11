#include "loopcert/data/layout.hpp"

#include <cmath>

#include "core/text.hpp"

namespace loopcert {

DataLayout DataLayout::of_outputs() {
  DataLayout layout;
  layout.symbol = layout.x_name = "y";
  return layout;
}

bool DataLayout::is_default() const {
  return *this == (symbol == "y" ? of_outputs() : DataLayout{});
}

ColumnSpec parse_column(const std::string& text) {
  const size_t open = text.rfind('[');
  if (open == text.npos || open == 0 || !text.ends_with(']')) return {text, "", 1};
  const size_t end = text.find_last_not_of(' ', open - 1);
  if (end == text.npos) return {text, "", 1};
  return {text.substr(0, end + 1), text.substr(open + 1, text.size() - open - 2), 1};
}

std::string column_text(const ColumnSpec& column) {
  return column.unit.empty() ? column.name : column.name + " [" + column.unit + "]";
}

std::string signal_text(const ColumnSpec& column) {
  ColumnSpec shifted = column;
  if (column.zero != 0)
    shifted.name += (column.zero < 0 ? " + " : " - ") + number_text(std::abs(column.zero));
  return column_text(shifted);
}

const std::vector<std::string>& axis_names() {
  static const std::vector<std::string> names = {"episode", "step", "component"};
  return names;
}

const std::vector<std::string>& longer_names() {
  static const std::vector<std::string> names = {"refuse", "first", "windows"};
  return names;
}

}  // namespace loopcert
