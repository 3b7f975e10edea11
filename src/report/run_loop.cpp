// The closed loop: what every signal does, and how large it gets.
#include <algorithm>
#include <functional>

#include "report/fan.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

constexpr Index first_fans = 6, most_fans = 24;  // of states, and of inputs

// Every `count`-th column, starting at `first`: one coordinate over time.
Matrix coordinate(const Matrix& paths, Index first, Index count) {
  if (paths.size() == 0) return {};
  return paths(Eigen::all, Eigen::seqN(first, paths.cols() / count, count));
}

using Row = LimitsFacts::Row;

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

Figure fan_of(const RunReport& run, Index i, bool state) {
  const Index count = state ? run.states : run.inputs;
  const auto paths = [&](const Loop& loop) {
    return coordinate(state ? loop.states : loop.inputs, i, count);
  };
  FanPlot plot{state ? state_name(run, i) : input_name(run, i), paths(run.loop)};
  plot.limits = limits_on(run, i, state);
  plot.axis = run.axis;
  plot.held = !state;
  for (size_t k = 0; k < run.others.size(); ++k)  // coloured as in the pictures of the cost
    plot.beside.push_back(
        {run.others[k].name, paths(run.others[k]), colour_class(static_cast<int>(k) + 1)});
  if (state && i < run.tracked.rows()) plot.reference = run.tracked.row(i);
  return fan_plot(plot);
}

// g_x'x_t + g_u'u_t at every step that has both; a file may hold a row of other sizes.
Matrix values_of(const Row& row, const RunReport& run, const Loop& loop) {
  const Matrix &x = loop.states, &u = loop.inputs;
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

// Limits of combinations, and of signals that have no picture.
void add_row_fans(std::vector<Figure>& figures, const RunReport& run) {
  if (!run.limits) return;
  const auto shown = [&](const Row& row) {
    for (Index i = 0; i < most_fans; ++i)
      if (is_on(row, i, true) || is_on(row, i, false)) return true;
    return false;
  };
  Index left = first_fans;
  for (const Row& row : run.limits->rows) {
    if (shown(row) || left == 0) continue;
    FanPlot plot{row.name, values_of(row, run, run.loop)};
    if (plot.paths.size() == 0) continue;
    plot.axis = run.axis;
    add_ends(plot.limits, row, 1, run);
    for (size_t k = 0; k < run.others.size(); ++k)
      plot.beside.push_back({run.others[k].name, values_of(row, run, run.others[k]),
                             colour_class(static_cast<int>(k) + 1)});
    figures.push_back(fan_plot(plot));
    --left;
  }
}

// Those of the first screen, and the others folded.
std::string fans(const RunReport& run) {
  std::vector<Figure> first, more;
  Index left_out = 0;
  for (const bool state : {true, false}) {
    const Index count = state ? run.states : run.inputs;
    if ((state ? run.loop.states : run.loop.inputs).size() == 0) continue;
    for (Index i = 0; i < std::min(count, most_fans); ++i)
      (i < first_fans ? first : more).push_back(fan_of(run, i, state));
    left_out += std::max<Index>(0, count - most_fans);
  }
  add_row_fans(first, run);
  std::string out = figures_with_one_legend(first);
  if (more.empty()) return out;
  const std::string words =
      count_text(static_cast<long>(more.size()), "more signal", "more signals");
  return out + folded(words, left_out > 0 ? std::to_string(left_out) + " have no picture" : "",
                      figures_with_one_legend(more));
}

std::string number_of(const std::vector<SignalFacts>& signals, size_t i,
                      const std::function<std::optional<double>(const SignalFacts&)>& what) {
  const std::optional<double> value =
      i < signals.size() ? what(signals[i]) : std::optional<double>();
  return value ? nice_number(*value) : "–";
}

std::string source_words(const RunReport& run) {
  if (run.signals_from == "law") return "under the problem's law";
  return run.signals_from == "estimate" ? "under the estimated plant" : "on the data";
}

// How large each signal is: what an actuator and a sensor must be made for.
std::string signal_table(const RunReport& run) {
  const std::vector<SignalFacts>& own = run.loop.signals;
  if (own.empty()) return "";
  DataTable table{{"signal"}, {}, {}};
  std::vector<const Loop*> loops = {&run.loop};
  for (const Loop& other : run.others)
    if (other.signals.size() == own.size()) loops.push_back(&other);
  if (loops.size() > 1) table.groups = {{"", 1}};
  for (const Loop* loop : loops) {
    if (loops.size() > 1) table.groups.emplace_back(loop->name, 3);
    for (const char* what : {"rms", "99 % level", "maximum"}) table.header.push_back(what);
  }
  for (size_t i = 0; i < own.size(); ++i) {
    const auto number = static_cast<Index>(i);
    const bool named = number < run.states ? !run.state_names.empty() : !run.input_names.empty();
    table.rows.push_back({!named || number >= run.states + run.inputs ? own[i].name
                          : number < run.states                       ? state_name(run, number)
                                                : input_name(run, number - run.states)});
    for (const Loop* loop : loops) {
      std::vector<std::string>& cells = table.rows.back();
      cells.push_back(number_of(loop->signals, i, [](const auto& s) { return s.rms; }));
      cells.push_back(number_of(loop->signals, i, [](const auto& s) { return s.level_99; }));
      cells.push_back(number_of(loop->signals, i, [](const auto& s) { return s.largest; }));
    }
  }
  const bool maximum = own.front().largest.has_value();
  return "<h3>How large the signals are</h3>" +
         paragraph("Sizes over all steps, " + source_words(run) +
                       ": one step in a hundred is above the 99 % level. " +
                       (maximum ? "The maximum is that of the trajectories shown. " : "") +
                       (run.of_outputs ? "Outputs" : "States") + " are those from step 1 on.",
                   "note") +
         table_html(table);
}

}  // namespace

std::string state_name(const RunReport& run, Index i) {
  if (i < static_cast<Index>(run.state_names.size()))
    return run.state_names[static_cast<size_t>(i)];
  const std::string kind = run.of_outputs ? "output" : "state";
  return run.states > 1 ? kind + " " + std::to_string(i) : kind;
}

std::string input_name(const RunReport& run, Index i) {
  if (i < static_cast<Index>(run.input_names.size()))
    return run.input_names[static_cast<size_t>(i)];
  return run.inputs > 1 ? "input " + std::to_string(i) : "input";
}

Section loop_section(const RunReport& run) {
  if (run.loop.states.size() == 0)
    return {"Closed loop",
            paragraph("No trajectories: no data and no law to draw from, or no problem file.") +
                signal_table(run)};
  std::string others;
  for (const Loop& other : run.others) others += (others.empty() ? "" : " and ") + other.name;
  return {"Closed loop",
          paragraph("On " + run.paths_source +
                        (others.empty() ? "." : ", and beside it " + others + " on the same ones."),
                    "note") +
              fans(run) + signal_table(run)};
}

}  // namespace loopcert::report
