// The rows of a sweep, gathered by method and number of trajectories.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/figure.hpp"
#include "report/statistics.hpp"
#include "report/sweep_report.hpp"

namespace loopcert::report {

// A number that rows may have, and how people call it.
struct Metric {
  std::optional<double> SweepRow::*value;
  std::string title, axis, caption;
};
const std::vector<Metric>& sweep_metrics();

struct Cell {
  std::vector<double> values;
  std::vector<std::string> seeds;
};
// method number -> n -> values, of the rows that have the metric.
using Cells = std::map<int, std::map<double, Cell>>;

struct SweepView {
  std::vector<std::string> methods;   // number -> name, over the whole sweep
  std::vector<const SweepRow*> rows;  // of one problem
};

Cells gather(const SweepView& view, const Metric& metric);

// Seeds as faint points, their mean and median as lines. An empty svg: no row has the metric.
Figure sweep_figure(const SweepView& view, const Metric& metric);

}  // namespace loopcert::report
