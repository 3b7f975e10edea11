// What the page of a sweep shows: one row per problem, method, number of trajectories and seed.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/figure.hpp"

namespace loopcert::report {

struct SweepRow {
  std::string problem;
  std::string method;  // as people read it: "pac-bayes (data-driven)"
  double n = 0;
  std::optional<double> cost;    // expected cost, exact or by simulation
  std::optional<double> excess;  // cost minus optimal_cost, where it is positive
  std::optional<double> sensitivity;
  std::optional<double> certificate;
  std::optional<double> prescient_certificate;
  std::optional<double> lqr_cost, optimal_cost;  // of the problem
  std::string seed;
};

// A table of texts to show before the figures, such as results beside published ones.
struct Comparison {
  std::string title;
  std::string note;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

// Figures under a heading of their own, such as those of a paper.
struct FigureGroup {
  std::string title;
  std::string caption;
  std::vector<Figure> figures;
};

// Why jobs failed, and which: "plant, erm, n = 10" with how many.
struct SweepFailure {
  std::string reason;
  long count = 0;
  std::vector<std::pair<std::string, long>> where;
};

struct SweepReport {
  std::string title;
  std::vector<FigureGroup> groups;
  std::vector<Comparison> comparisons;
  std::vector<SweepRow> rows;
  std::size_t skipped = 0;  // rows that could not be read
  std::vector<SweepFailure> failures;
  nlohmann::json record;
};

std::string sweep_page(const SweepReport& sweep);

}  // namespace loopcert::report
