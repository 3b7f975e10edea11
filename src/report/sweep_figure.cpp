#include <algorithm>
#include <cmath>

#include "report/frame.hpp"
#include "report/text.hpp"
#include "sweep_series.hpp"

namespace loopcert::report {
namespace {

// A reference is the same in every row of a problem; the first row that has it speaks for all.
std::optional<double> reference(const SweepView& view, std::optional<double> SweepRow::*value) {
  for (const SweepRow* row : view.rows)
    if (row->*value) return row->*value;
  return std::nullopt;
}

void draw_series(Frame& frame, int number, double shift, const std::string& name,
                 const std::map<double, Cell>& cells) {
  std::vector<Point> mean, median;
  frame.begin_series(number);
  for (const auto& [n, cell] : cells) {
    const Summary summary = summarize(cell.values);
    mean.push_back({n, summary.mean});
    median.push_back({n, summary.median});
    for (size_t i = 0; i < cell.values.size() && cell.values.size() > 1; ++i)
      frame.marker({n, cell.values[i]}, number, 2.4, "faint",
                   name + ", n = " + nice_number(n) + ", seed " + cell.seeds[i] + ": " +
                       nice_number(cell.values[i], 6),
                   shift);
  }
  frame.line(median, "med");
  frame.line(mean, "");
  for (const Point& p : mean)
    frame.marker(p, number, 4.2, "",
                 name + ", n = " + nice_number(p.x) + ", mean " + nice_number(p.y, 6));
  frame.end_series();
}

void add_rows(DataTable& table, int number, const std::string& name,
              const std::map<double, Cell>& cells) {
  for (const auto& [n, cell] : cells) {
    const Summary s = summarize(cell.values);
    table.series.push_back(number);
    table.rows.push_back({name, nice_number(n, 6), std::to_string(s.count),
                          nice_number(s.mean, 5) + " ± " + nice_number(s.standard_deviation, 3),
                          nice_number(s.median, 5)});
  }
}

}  // namespace

Cells gather(const SweepView& view, const Metric& metric) {
  Cells cells;
  for (const SweepRow* row : view.rows) {
    const std::optional<double>& value = row->*metric.value;
    if (!value || !std::isfinite(*value)) continue;
    const auto found = std::find(view.methods.begin(), view.methods.end(), row->method);
    Cell& cell = cells[static_cast<int>(found - view.methods.begin())][row->n];
    cell.values.push_back(*value);
    cell.seeds.push_back(row->seed);
  }
  return cells;
}

Figure sweep_figure(const SweepView& view, const Metric& metric) {
  const Cells cells = gather(view, metric);
  Figure figure;
  if (cells.empty()) return figure;
  Range x, y;
  std::vector<double> all_n;
  for (const auto& [number, by_n] : cells)
    for (const auto& [n, cell] : by_n) {
      all_n.push_back(n);
      x.add(n);
      for (const double value : cell.values) y.add(value);
    }
  std::sort(all_n.begin(), all_n.end());
  all_n.erase(std::unique(all_n.begin(), all_n.end()), all_n.end());

  figure.legend = {{Key::line, "ink", "mean", 0}, {Key::dotted, "ink", "median", 0}};
  const bool costs = metric.value != &SweepRow::sensitivity && metric.value != &SweepRow::excess;
  const std::optional<double> lqr = costs ? reference(view, &SweepRow::lqr_cost) : std::nullopt;
  const std::optional<double> best =
      costs ? reference(view, &SweepRow::optimal_cost) : std::nullopt;
  if (lqr) y.add(*lqr);
  if (best) y.add(*best);

  Scale x_scale = x.high > 4 * x.low ? log_scale(x) : linear_scale(x);
  set_ticks(x_scale, all_n, 0.09);
  Frame frame(x_scale, automatic_scale(y), "trajectories n", metric.axis,
              metric.title + " against the number of trajectories");
  if (lqr) {
    frame.horizontal(*lqr, "ink dash");
    figure.legend.push_back({Key::dashed, "ink", "LQR " + nice_number(*lqr), 0});
  }
  if (best) {
    frame.horizontal(*best, "sum");
    figure.legend.push_back({Key::line, "sum", "best possible " + nice_number(*best), 0});
  }
  figure.table.header = {"method", "n", "seeds", "mean ± sd", "median"};
  const double middle = (static_cast<double>(cells.size()) - 1) / 2;
  double order = 0;
  for (const auto& [number, by_n] : cells) {
    const std::string& name = view.methods[static_cast<size_t>(number)];
    draw_series(frame, number, 3.4 * (order++ - middle), name, by_n);
    add_rows(figure.table, number, name, by_n);
  }
  figure.title = metric.title;
  figure.caption = metric.caption;
  figure.svg = frame.finish();
  return figure;
}

}  // namespace loopcert::report
