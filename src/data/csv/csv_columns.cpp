#include "csv/csv_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "core/visible.hpp"
#include "excerpt.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// A few names as a message shows them.
std::string listed(const Names& header) {
  constexpr size_t most = 8;
  Names shown(header.begin(), header.begin() + static_cast<Index>(std::min(most, header.size())));
  for (std::string& name : shown) name = excerpt(name);
  return join(shown) + (header.size() > most ? ", ..." : "");
}

constexpr const char* encoding_hint = " (the header is not in UTF-8: save it so)";

// Spreadsheets like to write the letters of one country.
bool all_utf8(const Names& header) {
  for (const std::string& name : header)
    for (size_t at = 0; at < name.size(); at += character_at(name, at).bytes.size())
      if (static_cast<unsigned char>(name[at]) >= 0x80 && !character_at(name, at).shown)
        return false;
  return true;
}

}  // namespace

std::optional<size_t> find_column(const Names& header, const ColumnSpec& wanted) {
  std::optional<size_t> found;
  for (size_t column = 0; column < header.size(); ++column) {
    const ColumnSpec here = parse_column(header[column]);
    if (here.name != wanted.name) continue;
    const std::string place = fmt::format("row 1, column {} ({})", column + 1, here.name);
    if (found) throw InputError(place + ": this name occurs twice");
    if (!here.unit.empty() && !wanted.unit.empty() && here.unit != wanted.unit)
      throw_input_error(place, "the unit " + excerpt(here.unit),
                        wanted.unit + " as in the problem (or a factor for this column)" +
                            (all_utf8({here.unit}) ? "" : encoding_hint));
    found = column;
  }
  return found;
}

size_t need_column(const Names& header, const ColumnSpec& wanted, const std::string& key) {
  if (const auto found = find_column(header, wanted)) return *found;
  Names known;
  for (const std::string& name : header) known.push_back(parse_column(name).name);
  throw_input_error(
      "row 1", "no column " + excerpt(wanted.name) + " among " + listed(header),
      key + did_you_mean(wanted.name, known) + (all_utf8(header) ? "" : encoding_hint));
}

std::vector<ColumnSpec> component_columns(const std::vector<ColumnSpec>& mapped,
                                          const std::string& symbol, Index components) {
  if (!mapped.empty()) return mapped;
  std::vector<ColumnSpec> columns;
  for (Index i = 0; i < components; ++i) columns.push_back({fmt::format("{}{}", symbol, i), "", 1});
  return columns;
}

}  // namespace loopcert
