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

// " 20/20 at n = 10, 8/20 at n = 400."
std::string counts_text(const std::vector<Reproduction::Wins>& wins) {
  std::string text;
  for (const Reproduction::Wins& w : wins)
    text += fmt::format(" {}/{} at n = {}{}", w.wins, w.seeds, w.n, &w == &wins.back() ? "." : ",");
  return text;
}

json counts_to_json(const std::vector<Reproduction::Wins>& wins) {
  json counts = json::array();
  for (const Reproduction::Wins& w : wins)
    counts.push_back({{"n", w.n}, {"wins", w.wins}, {"seeds", w.seeds}});
  return counts;
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
                      number(cell.ours.mean) + (cell.outside ? "*" : "") + " +- " +
                          number(cell.ours.deviation) + (cell.deviation_outside ? "*" : ""),
                      number(cell.ours.median), paper, cell.reason});
    }
  return rows;
}

std::vector<std::string> star_notes() {
  return {"A star after a mean: it is more than two of the paper's standard deviations away.",
          "A star after a standard deviation: its ratio to the paper's is outside the central 95 % "
          "of the F distribution.",
          "Of 60 standard deviations, three would have a star by chance."};
}

std::string wins_text(const Reproduction& r) {
  return std::string("\"Beats ridge on every seed through n = 100\": ") +
         (r.sentence_holds ? "yes," : "no,") + counts_text(r.wins);
}

std::string contest_text(const Reproduction::Contest& contest) {
  return "Data PB costs less than " + contest.against + ", " + contest.problem + ":" +
         counts_text(contest.by_n);
}

std::string reproduction_text(const Reproduction& r) {
  std::string text;
  for (const ReproducedTable& table : r.tables) text += table_text(table);
  for (const std::string& note : star_notes()) text += note + "\n";
  text += "\n" + wins_text(r) + "\n";
  for (const Reproduction::Contest& contest : r.contests) text += contest_text(contest) + "\n";
  return text;
}

json reproduction_to_json(const Reproduction& r) {
  json tables = json::array(), contests = json::array();
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
             {"deviation_outside", cell.deviation_outside},
             {"reason", cell.reason}});
      columns.push_back({{"name", column.name}, {"cells", cells}});
    }
    tables.push_back({{"title", table.title}, {"columns", columns}});
  }
  for (const Reproduction::Contest& contest : r.contests)
    contests.push_back({{"problem", contest.problem},
                        {"against", contest.against},
                        {"by_n", counts_to_json(contest.by_n)}});
  return {{"tables", tables},
          {"beats_ridge", {{"holds", r.sentence_holds}, {"by_n", counts_to_json(r.wins)}}},
          {"contests", contests}};
}

}  // namespace loopcert
