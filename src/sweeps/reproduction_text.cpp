#include <fmt/format.h>

#include <cmath>

#include "sweeps/reproduction.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

std::string number(double value) {
  return std::abs(value) < 1000 ? fmt::format("{:.3f}", value) : fmt::format("{:.2e}", value);
}

std::string table_text(const ReproducedTable& table) {
  std::string text = table.title + "\n" +
                     fmt::format("  {:<24}{:>5}  {:>22}  {:>10}  {:>22}\n", "", "n", "mean +- sd",
                                 "median", "the paper");
  std::string last;
  for (const auto& row : table_rows(table)) {
    text += fmt::format("  {:<24}{:>5}  {:>22}  {:>10}  {:>22}{}\n", row[0] == last ? "" : row[0],
                        row[1], row[2], row[3], row[4], row[5].empty() ? "" : "  " + row[5]);
    last = row[0];
  }
  return text + "\n";
}

}  // namespace

std::vector<std::vector<std::string>> table_rows(const ReproducedTable& table) {
  std::vector<std::vector<std::string>> rows;
  for (const ReproducedColumn& column : table.columns)
    for (const ReproducedCell& cell : column.cells) {
      std::string paper = "-";
      if (cell.published)
        paper = number(cell.published->mean) + " +- " + number(cell.published->deviation);
      rows.push_back({column.name, std::to_string(cell.n),
                      number(cell.ours.mean) + " +- " + number(cell.ours.deviation),
                      number(cell.ours.median), paper, cell.outside ? "* " + cell.reason : ""});
    }
  return rows;
}

std::string wins_text(const Reproduction& r) {
  std::string text = "\"Beats ridge on every seed through n = 100\": ";
  text += r.sentence_holds ? "yes," : "no,";
  for (const Reproduction::Wins& w : r.wins)
    text +=
        fmt::format(" {}/{} at n = {}{}", w.wins, w.seeds, w.n, &w == &r.wins.back() ? "." : ",");
  return text;
}

std::string reproduction_text(const Reproduction& r) {
  std::string text;
  for (const ReproducedTable& table : r.tables) text += table_text(table);
  return text + "* outside two of the paper's standard deviations\n\n" + wins_text(r) + "\n";
}

json reproduction_to_json(const Reproduction& r) {
  json tables = json::array(), wins = json::array();
  for (const ReproducedTable& table : r.tables) {
    json columns = json::array();
    for (const ReproducedColumn& column : table.columns) {
      json cells = json::array();
      for (const ReproducedCell& cell : column.cells)
        cells.push_back(
            {{"n", cell.n},
             {"mean", cell.ours.mean},
             {"deviation", cell.ours.deviation},
             {"median", cell.ours.median},
             {"published_mean", cell.published ? json(cell.published->mean) : json()},
             {"published_deviation", cell.published ? json(cell.published->deviation) : json()},
             {"outside", cell.outside},
             {"reason", cell.reason}});
      columns.push_back({{"name", column.name}, {"cells", cells}});
    }
    tables.push_back({{"title", table.title}, {"columns", columns}});
  }
  for (const Reproduction::Wins& w : r.wins)
    wins.push_back({{"n", w.n}, {"wins", w.wins}, {"seeds", w.seeds}});
  return {{"tables", tables}, {"beats_ridge", {{"holds", r.sentence_holds}, {"by_n", wins}}}};
}

}  // namespace loopcert
