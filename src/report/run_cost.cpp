// The cost: of whom, of what, and when.
#include <algorithm>

#include "report/frame.hpp"
#include "report/plots.hpp"
#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

constexpr size_t most_terms = 8;

// Of this controller and of those beside it.
std::vector<const Loop*> priced_loops(const RunReport& run) {
  std::vector<const Loop*> loops;
  if (run.loop.state_costs.size() == 0) return loops;
  loops.push_back(&run.loop);
  for (const Loop& other : run.others)
    if (other.state_costs.rows() == run.loop.state_costs.rows() &&
        other.input_costs.rows() == run.loop.input_costs.rows())
      loops.push_back(&other);
  return loops;
}

double total(const Loop& loop) { return loop.state_costs.sum() + loop.input_costs.sum(); }

Figure costs_figure(const RunReport& run) {
  std::vector<Part> parts;
  const auto add = [&](const std::string& name, const std::optional<double>& data,
                       const std::optional<double>& law) {
    if (law) parts.push_back({name, *law, "expected under the law"});
    if (data)
      parts.push_back(
          {name, *data, is_identified(run) ? "on the estimated plant" : "mean on the data"});
  };
  add(run.deed == Deed::certify ? "this controller" : "learned (" + run.method + ")",
      run.empirical_cost, run.population_cost);
  add(run.reference, run.lqr_empirical_cost, run.lqr_cost);
  if (!run.baseline_form.empty())
    add("today's (" + run.baseline_form + ")", run.baseline_cost, run.baseline_population_cost);
  for (const RunReport::Baseline& b : run.baselines)
    add(b.method, b.empirical_cost, b.population_cost);
  add(std::string("best that knows the law") + (run.limits ? ", within limits" : ""), {},
      run.optimal_cost);
  if (parts.empty()) return {};
  Figure figure = bars(parts, "cost", small_frame.width);
  figure.title = is_endless(run) ? "Of a step" : "Of one trajectory";
  if (run.deed == Deed::learn)
    figure.caption =
        std::string("A learned controller looks better on its training data than it is") +
        (run.population_cost ? "."
                             : "; by how much is unknown, because the problem does "
                               "not state the law.");
  return figure;
}

// The share of each signal in the cost, the largest first.
Figure terms_figure(const RunReport& run, const std::vector<const Loop*>& loops) {
  struct Term {
    std::string name;
    std::vector<double> costs;
  };
  std::vector<Term> terms;
  const auto add = [&](const std::string& name, Index i, bool state) {
    Term term{name, {}};
    for (const Loop* loop : loops)
      term.costs.push_back((state ? loop->state_costs : loop->input_costs).row(i).sum());
    terms.push_back(std::move(term));
  };
  for (Index i = 0; i < run.loop.state_costs.rows(); ++i) add(state_name(run, i), i, true);
  for (Index i = 0; i < run.loop.input_costs.rows(); ++i) add(input_name(run, i), i, false);
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Term& a, const Term& b) { return a.costs[0] > b.costs[0]; });
  if (terms.size() > most_terms) {
    Term rest{"all others", std::vector<double>(loops.size(), 0.0)};
    for (size_t i = most_terms; i < terms.size(); ++i)
      for (size_t k = 0; k < loops.size(); ++k) rest.costs[k] += terms[i].costs[k];
    terms.resize(most_terms);
    terms.push_back(std::move(rest));
  }
  std::vector<Part> parts;
  for (const Term& term : terms)
    for (size_t k = 0; k < loops.size(); ++k)
      parts.push_back({term.name, term.costs[k], loops[k]->name});
  return titled(
      bars(parts, "cost", small_frame.width), "By term",
      "What each signal adds, with its weight. Together: " + nice_number(total(run.loop)) + ".");
}

Figure steps_figure(const RunReport& run, const std::vector<const Loop*>& loops) {
  SeriesPlot plot;
  plot.x_label = run.axis.label();
  plot.y_label = "cost of a step";
  plot.axis = run.axis;
  plot.small = true;
  for (const Loop* loop : loops) {
    const Index T = loop->input_costs.cols();
    Vector sums = loop->state_costs.colwise().sum().transpose();
    sums.head(T) += loop->input_costs.colwise().sum().transpose();
    plot.series.push_back(
        {loop->name, Vector::LinSpaced(T + 1, 0, static_cast<double>(T)), sums, true});
  }
  Figure figure = titled(series_plot(plot), "By step",
                         "Of states and inputs of each step; the last one is the final cost.");
  return figure;
}

}  // namespace

Section cost_section(const RunReport& run) {
  std::vector<Figure> figures;
  if (Figure costs = costs_figure(run); !costs.svg.empty()) figures.push_back(std::move(costs));
  const std::vector<const Loop*> loops = priced_loops(run);
  if (!loops.empty()) {
    figures.push_back(terms_figure(run, loops));
    figures.push_back(steps_figure(run, loops));
  }
  if (figures.empty()) return {"Cost", paragraph("No cost is known: no data and no law.")};
  std::string words;
  if (const std::string text = learned_cost(run); !text.empty()) words = paragraph(text);
  if (!loops.empty())
    words += paragraph(std::string("By term and by step: expected ") +
                           (run.costs_from == "law" ? "under the problem's law."
                            : is_identified(run) ? "on what the estimate leaves over of the logs."
                                                 : "on the data."),
                       "note");
  return {"Cost", words + figures_html(figures, "grid small")};
}

}  // namespace loopcert::report
