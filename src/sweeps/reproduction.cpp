#include "sweeps/reproduction.hpp"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>

#include "loopcert/core/error.hpp"
#include "published.hpp"

namespace loopcert {
namespace {

using nlohmann::json;
using Value = double (*)(const json& row);

double test_cost(const json& row) { return row.at("test_cost").get<double>(); }
double sensitivity(const json& row) { return row.at("sensitivity").get<double>(); }
double certificate(const json& row) { return row.at("certificate").at("value").get<double>(); }
double prescient(const json& row) { return row.at("prescient_certificate").get<double>(); }
double gap(const json& row) { return certificate(row) - test_cost(row); }
double optimum(const json& row) { return row.at("optimal_cost").get<double>(); }

CellStatistics statistics(std::vector<double> values) {
  CellStatistics s;
  const auto count = static_cast<double>(values.size());
  for (const double v : values) s.mean += v / count;
  for (const double v : values) s.deviation += (v - s.mean) * (v - s.mean);
  s.deviation = values.size() > 1 ? std::sqrt(s.deviation / (count - 1)) : 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  s.median = values.size() % 2 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
  return s;
}

// The rows of one problem, method label and n, by seed.
std::vector<json> cell_rows(const json& rows, const std::string& problem, const std::string& label,
                            Index n) {
  std::vector<json> cell;
  for (const json& row : rows)
    if (row.at("problem") == problem && row.at("label") == label && row.at("n") == n &&
        row.at("status") != "failed")
      cell.push_back(row);
  if (cell.empty())
    throw_input_error("results", "no rows", problem + ", " + label + ", n = " + std::to_string(n));
  return cell;
}

std::string known_reason(const std::string& column, Index n, bool mean) {
  if (column == "raw ERM" && n < 22) return "heavy-tailed: n < d_w = 22";
  if (column == "oracle PB") return "two basins: depends on the optimizer";
  if (mean && column.find("certificate") != std::string::npos)
    return "our optimizer converges further";
  return "";
}

ReproducedColumn make_column(const json& rows, const std::string& problem, const std::string& name,
                             const std::string& label, Value value,
                             const std::map<std::string, PublishedColumn>& published) {
  ReproducedColumn column{name, {}};
  for (const Index n : paper_sweep(1).n) {
    ReproducedCell cell;
    cell.n = n;
    std::vector<double> values;
    for (const json& row : cell_rows(rows, problem, label, n)) values.push_back(value(row));
    const auto seeds = static_cast<Index>(values.size());
    cell.ours = statistics(std::move(values));
    if (const auto found = published.find(name); found != published.end()) {
      cell.published = found->second.at(n);
      // Two digits are printed: a deviation of 0.00 may be anything below 0.005.
      const double deviation = std::max(cell.published->deviation, 0.005);
      cell.outside = std::abs(cell.ours.mean - cell.published->mean) > 2 * deviation;
      cell.deviation_outside =
          spread_differs(cell.ours.deviation, seeds, cell.published->deviation);
      if (cell.outside || cell.deviation_outside) cell.reason = known_reason(name, n, cell.outside);
    }
    column.cells.push_back(std::move(cell));
  }
  return column;
}

ReproducedTable by_method(const json& rows, const std::string& problem, const std::string& title,
                          Value value, const std::map<std::string, PublishedColumn>& published) {
  ReproducedTable table{title, {}};
  for (const SweepMethod& method : paper_sweep(1).methods)
    table.columns.push_back(
        make_column(rows, problem, method.label, method.label, value, published));
  return table;
}

// Seeds on which data PB costs less than another method.
Reproduction::Wins count_wins(const json& rows, const std::string& problem,
                              const std::string& against, Index n) {
  const std::vector<json> ours = cell_rows(rows, problem, "data PB", n);
  const std::vector<json> others = cell_rows(rows, problem, against, n);
  Reproduction::Wins wins{n, 0, 0};
  for (const json& a : ours)
    for (const json& b : others)
      if (a.at("seed") == b.at("seed")) {
        ++wins.seeds;
        wins.wins += test_cost(a) < test_cost(b);
      }
  return wins;
}

}  // namespace

bool spread_differs(double ours, Index seeds, double published) {
  if (seeds < 2) return false;
  // Printed with two digits after the point, or three digits of a power of ten.
  const double digits =
      published < 1000 ? 0.005 : 0.005 * std::pow(10, std::floor(std::log10(published)));
  const double least = std::max(published - digits, 0.0), most = published + digits;
  const boost::math::fisher_f ratio(static_cast<double>(seeds - 1), 19);
  return ours > most * std::sqrt(quantile(ratio, 0.975)) ||
         ours < least * std::sqrt(quantile(ratio, 0.025));
}

Reproduction reproduce_tables(const json& rows) {
  const std::string white = paper_problem(false).name, coloured = paper_problem(true).name;
  Reproduction r;
  ReproducedTable cost =
      by_method(rows, white, "Table 1: held-out test cost", test_cost, published_cost);
  cost.columns.push_back(make_column(rows, white, "optimum", "LQR", optimum, {}));
  r.tables.push_back(std::move(cost));
  r.tables.push_back(by_method(rows, white, "Table 1: deployed sensitivity C", sensitivity,
                               published_sensitivity));
  ReproducedTable tightness{"Table 2: certificate tightness of data PB", {}};
  const std::vector<std::pair<std::string, Value>> columns = {{"held-out cost", test_cost},
                                                              {"data certificate", certificate},
                                                              {"prescient certificate", prescient},
                                                              {"certificate - held-out", gap}};
  for (const auto& [name, value] : columns)
    tightness.columns.push_back(
        make_column(rows, white, name, "data PB", value, published_tightness));
  r.tables.push_back(std::move(tightness));
  ReproducedTable noise = by_method(
      rows, coloured, "Not in the paper: held-out test cost under AR(1) noise", test_cost, {});
  noise.columns.push_back(make_column(rows, coloured, "optimum", "LQR", optimum, {}));
  r.tables.push_back(std::move(noise));
  r.sentence_holds = true;
  for (const Index n : paper_sweep(1).n) {
    r.wins.push_back(count_wins(rows, white, "ridge ERM", n));
    if (n <= 100) r.sentence_holds = r.sentence_holds && r.wins.back().wins == r.wins.back().seeds;
  }
  const std::vector<std::pair<std::string, std::string>> contests = {
      {white, "ridge CV"}, {coloured, "ridge ERM"}, {coloured, "raw ERM"}};
  for (const auto& [problem, against] : contests) {
    r.contests.push_back({problem, against, {}});
    for (const Index n : paper_sweep(1).n)
      r.contests.back().by_n.push_back(count_wins(rows, problem, against, n));
  }
  return r;
}

}  // namespace loopcert
