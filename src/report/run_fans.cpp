// The closed loop over time: states, inputs, and combinations of them that have limits.
#include <algorithm>

#include "report/fan.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

using Row = LimitsFacts::Row;

// Every `count`-th column, starting at `first`: one coordinate over time.
Matrix coordinate(const Matrix& paths, Index first, Index count) {
  const Index steps = paths.cols() / count;
  Matrix out(paths.rows(), steps);
  for (Index t = 0; t < steps; ++t) out.col(t) = paths.col(t * count + first);
  return out;
}

bool is_on(const Row& row, Index i, bool state) {
  const Vector &own = state ? row.x : row.u, &other = state ? row.u : row.x;
  return i < own.size() && own(i) != 0 && (own.array() != 0).count() == 1 &&
         (other.array() != 0).count() == 0;
}

void add_ends(std::vector<FanLimit>& limits, const Row& row, double unit, const RunReport& run) {
  for (const std::optional<double>& end : {row.low, row.high})
    if (end) limits.push_back({*end / unit, row.first, row.always ? run.horizon : row.last});
}

// Limits on coordinate i alone, of states or of inputs, in its own units.
std::vector<FanLimit> limits_on(const RunReport& run, Index i, bool state) {
  std::vector<FanLimit> found;
  if (!run.limits) return found;
  for (const Row& row : run.limits->rows)
    if (is_on(row, i, state)) add_ends(found, row, (state ? row.x : row.u)(i), run);
  return found;
}

FanBeside of_today(const RunReport& run) {
  return {{}, "today's controller (" + run.baseline_form + ")", {}};
}

Figure last_step(Figure figure) {
  const auto last = figure.table.rows.back();
  return titled(
      figure, figure.title,
      "At the last step half of the trajectories lie between " + last[2] + " and " + last[4] + ".");
}

void add_fans(std::vector<Figure>& figures, const Matrix& paths, Index count, bool state,
              const RunReport& run) {
  const std::string kind = !state ? "input" : run.of_outputs ? "output" : "state";
  const Matrix& today = state ? run.baseline_state_paths : run.baseline_input_paths;
  const std::vector<std::string>& names = state ? run.state_names : run.input_names;
  if (paths.size() == 0 || count < 1) return;
  for (Index i = 0; i < std::min(count, fans_of_a_kind); ++i) {
    const std::string number = count > 1 ? " " + std::to_string(i) : "";
    FanBeside beside = of_today(run);
    if (today.size() > 0) beside.paths = coordinate(today, i, count);
    if (state && run.tracked.size() > 0) beside.reference = run.tracked.row(i);
    figures.push_back(last_step(fan_beside(
        coordinate(paths, i, count), names.empty() ? kind + number : names[static_cast<size_t>(i)],
        limits_on(run, i, state), beside)));
  }
}

// g_x'x_t + g_u'u_t at every step that has both; a file may hold a row of other sizes.
Matrix values_of(const Row& row, const RunReport& run, const Matrix& x, const Matrix& u) {
  const Index n_x = run.states, n_u = run.inputs;
  const bool of_x = (row.x.array() != 0).any(), of_u = (row.u.array() != 0).any();
  if ((of_x && row.x.size() != n_x) || (of_u && row.u.size() != n_u) || !(of_x || of_u)) return {};
  const Index steps =
      std::min(of_x ? x.cols() / n_x : run.horizon + 1, of_u ? u.cols() / n_u : run.horizon + 1);
  if (steps < 1) return {};
  Matrix values = Matrix::Zero(std::max(x.rows(), u.rows()), steps);
  for (Index t = 0; t < steps; ++t) {
    if (of_x) values.col(t) += x.middleCols(t * n_x, n_x) * row.x;
    if (of_u) values.col(t) += u.middleCols(t * n_u, n_u) * row.u;
  }
  return values;
}

// Limits of combinations, and of signals beyond those that are shown.
void add_row_fans(std::vector<Figure>& figures, const RunReport& run) {
  if (!run.limits) return;
  const auto shown = [&](const Row& row) {
    for (Index i = 0; i < fans_of_a_kind; ++i)
      if (is_on(row, i, true) || is_on(row, i, false)) return true;
    return false;
  };
  Index left = fans_of_a_kind;
  for (const Row& row : run.limits->rows) {
    if (shown(row) || left == 0) continue;
    const Matrix values = values_of(row, run, run.state_paths, run.input_paths);
    if (values.size() == 0) continue;
    FanBeside beside = of_today(run);
    beside.paths = values_of(row, run, run.baseline_state_paths, run.baseline_input_paths);
    std::vector<FanLimit> ends;
    add_ends(ends, row, 1, run);
    figures.push_back(last_step(fan_beside(values, row.name, ends, beside)));
    --left;
  }
}

}  // namespace

std::vector<Figure> signal_fans(const RunReport& run) {
  std::vector<Figure> figures;
  add_fans(figures, run.state_paths, run.states, true, run);
  add_fans(figures, run.input_paths, run.inputs, false, run);
  add_row_fans(figures, run);
  return figures;
}

}  // namespace loopcert::report
