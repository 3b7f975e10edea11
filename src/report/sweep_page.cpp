#include <algorithm>
#include <cmath>
#include <map>

#include "report/page.hpp"
#include "report/statistics.hpp"
#include "report/svg.hpp"
#include "report/text.hpp"
#include "sweep_series.hpp"

namespace loopcert::report {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// The legend of every plot of the page, and what shows and hides a method in all of them.
std::string toggles(const std::vector<std::string>& methods) {
  std::string out = "<fieldset class=\"toggles\"><legend>Methods: click to hide</legend>";
  for (size_t i = 0; i < methods.size(); ++i) {
    const int number = static_cast<int>(i);
    const std::string name = html_escape(methods[i]);
    out += "<label><input type=\"checkbox\" checked data-toggle=\"" + std::to_string(i) +
           "\" data-name=\"" + name + "\"> <svg class=\"key\" viewBox=\"0 0 26 14\" " +
           "aria-hidden=\"true\"><g class=\"" + colour_class(number) +
           "\"><path class=\"ln\" d=\"M1 7L25 7\"/><path class=\"mk\" d=\"" +
           marker_path(number, {13, 7}, 4.5) + "\"/></g></svg>" + name + "</label>";
  }
  return out + "</fieldset>";
}

// One row per method and n with all metrics: what one would put into a paper.
std::string overview(const SweepView& view) {
  DataTable table;
  table.header = {"method", "n"};
  std::vector<Cells> columns;
  for (const Metric& metric : sweep_metrics()) {
    Cells cells = gather(view, metric);
    if (cells.empty()) continue;
    table.header.push_back(metric.title);
    table.header.push_back("median");
    columns.push_back(std::move(cells));
  }
  for (size_t m = 0; m < view.methods.size(); ++m) {
    const int number = static_cast<int>(m);
    std::vector<double> all_n;
    for (const Cells& cells : columns)
      if (cells.contains(number))
        for (const auto& [n, cell] : cells.at(number)) all_n.push_back(n);
    std::sort(all_n.begin(), all_n.end());
    all_n.erase(std::unique(all_n.begin(), all_n.end()), all_n.end());
    for (const double n : all_n) {
      table.rows.push_back({view.methods[m], nice_number(n, 6)});
      table.series.push_back(number);
      for (const Cells& cells : columns) {
        const bool there = cells.contains(number) && cells.at(number).contains(n);
        const Summary s = there ? summarize(cells.at(number).at(n).values) : Summary{};
        table.rows.back().push_back(
            there ? nice_number(s.mean) + " ± " + nice_number(s.standard_deviation, 2) : "–");
        table.rows.back().push_back(there ? nice_number(s.median) : "–");
      }
    }
  }
  return table_html(table);
}

// Which method was cheapest where there were most data.
std::string cheapest(const SweepReport& sweep, const std::string& problem) {
  double n = 0;
  std::map<std::string, std::vector<double>> costs;
  std::optional<double> lqr;
  for (const SweepRow& row : sweep.rows)
    if (row.problem == problem && row.cost) n = std::max(n, row.n);
  for (const SweepRow& row : sweep.rows)
    if (row.problem == problem && row.cost && row.n == n) {
      costs[row.method].push_back(*row.cost);
      if (row.lqr_cost) lqr = row.lqr_cost;
    }
  if (costs.size() < 2) return "";
  std::string best;
  double least = INFINITY;
  for (const auto& [method, values] : costs)
    if (const double mean = summarize(values).mean; mean < least) {
      least = mean;
      best = method;
    }
  return problem + ": at n = " + nice_number(n, 6) + " the smallest mean cost is " +
         nice_number(least) + ", of " + best + (lqr ? "; LQR costs " + nice_number(*lqr) : "") +
         ".";
}

Section problem_section(const SweepReport& sweep, const std::string& problem,
                        const std::vector<std::string>& methods) {
  SweepView view{methods, {}};
  for (const SweepRow& row : sweep.rows)
    if (row.problem == problem) view.rows.push_back(&row);
  std::vector<Figure> figures;
  for (const Metric& metric : sweep_metrics()) {
    Figure figure = sweep_figure(view, metric);
    if (!figure.svg.empty()) figures.push_back(std::move(figure));
  }
  return {problem,
          figures_html(figures) + "<h3>All together</h3>" +
              paragraph("Mean ± standard deviation over seeds, and their median.", "note") +
              overview(view)};
}

Section failure_section(const SweepReport& sweep) {
  constexpr size_t most_places = 12;
  DataTable table;
  table.header = {"jobs", "why they failed", "which"};
  for (const SweepFailure& failure : sweep.failures) {
    std::string which;
    for (size_t i = 0; i < std::min(failure.where.size(), most_places); ++i) {
      const auto& [place, count] = failure.where[i];
      which += (which.empty() ? "" : "; ") + place +
               (count > 1 ? " (" + std::to_string(count) + ")" : "");
    }
    if (failure.where.size() > most_places)
      which += "; and " + std::to_string(failure.where.size() - most_places) + " more";
    table.rows.push_back({std::to_string(failure.count), failure.reason, which});
  }
  return {"What failed, and why",
          paragraph("Messages that differ in their numbers alone are counted together.", "note") +
              "<div class=\"words wrap\">" + table_html(table) + "</div>"};
}

Section comparison_section(const Comparison& comparison) {
  DataTable table;
  table.header = comparison.head;
  table.rows = comparison.rows;
  return {comparison.title, paragraph(comparison.note, "note") + table_html(table)};
}

}  // namespace

const std::vector<Metric>& sweep_metrics() {
  static const std::vector<Metric> metrics = {
      {&SweepRow::cost, "Cost", "expected cost",
       "Expected cost of the learned controller. Faint points are seeds."},
      {&SweepRow::excess, "Excess cost", "cost minus the best possible",
       "How far the expected cost is above the smallest that any response can have. Methods that "
       "are optimal up to rounding are not shown."},
      {&SweepRow::certificate, "Certificate", "certified cost",
       "What each method certifies from the same data. Faint points are seeds."},
      {&SweepRow::sensitivity, "Sensitivity", "sensitivity C",
       "C, the squared Frobenius norm of M Σ Mᵀ: half the variance of the cost of one "
       "trajectory when the mean is zero. Faint points are seeds."},
      {&SweepRow::prescient_certificate, "Prescient certificate", "certified cost",
       "The same posteriors certified with the true law: a reference that cannot be computed from "
       "data."},
  };
  return metrics;
}

std::string sweep_page(const SweepReport& sweep) {
  std::vector<std::string> problems, methods;
  for (const SweepRow& row : sweep.rows) {
    add_once(problems, row.problem);
    add_once(methods, row.method);
  }
  Page page;
  page.title = sweep.title;
  page.subtitle = count_text(static_cast<long>(sweep.rows.size()), "run", "runs") + " · " +
                  count_text(static_cast<long>(problems.size()), "problem", "problems") + " · " +
                  count_text(static_cast<long>(methods.size()), "method", "methods");
  if (sweep.rows.empty()) page.lead = paragraph("There are no results to show.", "verdict plain");
  if (sweep.skipped > 0)
    page.lead += paragraph(count_text(static_cast<long>(sweep.skipped), "row", "rows") +
                               " of the results could not be read and are not shown.",
                           "warn");
  if (!sweep.failures.empty()) {
    long failed = 0;
    for (const SweepFailure& failure : sweep.failures) failed += failure.count;
    page.lead +=
        paragraph(count_text(failed, "job", "jobs") + " of " +
                      std::to_string(failed + static_cast<long>(sweep.rows.size())) +
                      " failed: not in the figures. Most often: " + sweep.failures.front().reason,
                  "warn");
    page.sections.push_back(failure_section(sweep));
  }
  constexpr size_t most = 4;  // statements; figures of a paper say it themselves
  for (size_t i = 0; i < std::min(most, problems.size()) && sweep.groups.empty(); ++i)
    if (const std::string text = cheapest(sweep, problems[i]); !text.empty())
      page.lead += paragraph(text, "verdict");
  if (!sweep.rows.empty()) page.lead += toggles(methods);
  for (const FigureGroup& group : sweep.groups)
    page.sections.push_back({group.title, paragraph(group.caption) + figures_html(group.figures)});
  for (const Comparison& comparison : sweep.comparisons)
    page.sections.push_back(comparison_section(comparison));
  for (const std::string& problem : problems)
    page.sections.push_back(problem_section(sweep, problem, methods));
  page.data = sweep.record;
  return page_html(page);
}

}  // namespace loopcert::report
