// The paper's tables, computed again and laid beside the published numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sweeps/sweep.hpp"

namespace loopcert {

// The paper's double integrator with its settings, under white noise or, what the paper does not
// show, under AR(1) noise with coefficient 0.8.
Problem paper_problem(bool coloured);

// Both problems; raw ERM, ridge, data and oracle PAC-Bayes of the paper, and LQR, the minimum-norm
// start and cross-validated ridge beside them.
Sweep paper_sweep(Index seeds);

// Over the seeds of one cell.
struct CellStatistics {
  double mean = 0;
  double deviation = 0;
  double median = 0;
};

struct Published {
  double mean = 0;
  double deviation = 0;
};

struct ReproducedCell {
  Index n = 0;
  CellStatistics ours;
  std::optional<Published> published;
  bool outside = false;            // the means differ by more than two published deviations
  bool deviation_outside = false;  // spread_differs
  std::string reason;              // why, where it is known
};

// Two standard deviations of one normal quantity, over `seeds` and over the paper's 20 seeds: the
// square of their ratio follows F(seeds - 1, 19). True where it is outside the central 95 % for
// every number that the paper's two printed digits may stand for. One seed has no spread: false.
bool spread_differs(double ours, Index seeds, double published);

struct ReproducedColumn {
  std::string name;
  std::vector<ReproducedCell> cells;  // one per n
};

struct ReproducedTable {
  std::string title;
  std::vector<ReproducedColumn> columns;
};

struct Reproduction {
  std::vector<ReproducedTable> tables;
  // "beats ridge on every seed through n = 100": for each n, seeds on which data PB costs less.
  struct Wins {
    Index n = 0;
    Index wins = 0;
    Index seeds = 0;
  };
  std::vector<Wins> wins;
  bool sentence_holds = false;
  // The same against other methods and under coloured noise, of which the paper says nothing.
  struct Contest {
    std::string problem, against;
    std::vector<Wins> by_n;
  };
  std::vector<Contest> contests;
};

// From the rows of results.json of paper_sweep. Throws InputError when rows are missing.
Reproduction reproduce_tables(const nlohmann::json& rows);

nlohmann::json reproduction_to_json(const Reproduction& reproduction);
std::string reproduction_text(const Reproduction& reproduction);

// The answer to the paper's sentence about ridge.
std::string wins_text(const Reproduction& reproduction);
std::string contest_text(const Reproduction::Contest& contest);

// What the stars mean.
std::vector<std::string> star_notes();

// The cells of one table as rows of text: column, n, mean +- sd, median, the paper's, remark.
std::vector<std::vector<std::string>> table_rows(const ReproducedTable& table);

}  // namespace loopcert
