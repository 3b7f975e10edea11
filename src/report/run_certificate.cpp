// The certificate: its terms, its events, what it stands on.
#include <algorithm>

#include "loopcert/core/rounded.hpp"
#include "report/figure.hpp"
#include "report/plots.hpp"
#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

Figure terms_figure(const RunReport& run, const CertificateFacts& c) {
  std::vector<Part> parts, marks;
  for (const CertificateFacts::Term& term : c.terms)
    parts.push_back({term.name, term.value, term.symbol});
  if (run.lqr_cost)
    marks.push_back({run.reference + "'s expected cost", *run.lqr_cost, ""});
  else if (run.lqr_empirical_cost)
    marks.push_back({run.reference + "'s mean cost on the data", *run.lqr_empirical_cost, ""});
  if (run.population_cost) marks.push_back({"true cost", *run.population_cost, ""});
  Figure figure = waterfall(parts, "certificate", marks);
  figure.title = "Terms of the certificate";
  figure.caption =
      "Each bar starts where the one above ends; together they are the certified cost.";
  return figure;
}

std::string facts(const CertificateFacts& c) {
  DataTable table{{"what", "value"}, {}, {}};
  table.rows.push_back({"kind", c.kind});
  if (!c.chosen.empty()) table.rows.push_back({"smallest", c.chosen});
  table.rows.push_back({"certified", c.subject});
  table.rows.push_back({"confidence", nice_number(rounded_confidence(c.confidence), 12)});
  if (c.kl) table.rows.push_back({"KL(ρ‖π)", nice_number(*c.kl, 6)});
  if (c.lambda) table.rows.push_back({"λ", nice_number(*c.lambda, 6)});
  if (c.lambda_end)
    table.rows.push_back({"λ may be", "(0, " + nice_number(*c.lambda_end, 6) + ")"});
  if (!c.solver.empty()) table.rows.push_back({"optimizer", c.solver});
  return table_html(table);
}

// Every certificate of a portfolio: what it says, or what it would need.
std::string others(const CertificateFacts& c) {
  DataTable table{{"certificate", "value", "share of δ", "why not"}, {}, {}};
  for (const CertificateFacts::Other& other : c.others)
    table.rows.push_back({other.kind + (other.chosen ? " (smallest)" : ""),
                          other.value ? nice_bound(*other.value, 5) : other.status,
                          other.delta > 0 ? nice_number(other.delta) : "none", other.needs});
  return "<div class=\"words\">" + table_html(table) + "</div>";
}

Figure others_figure(const RunReport& run, const CertificateFacts& c) {
  std::vector<Part> parts;
  for (const CertificateFacts::Other& other : c.others)
    if (other.value)
      parts.push_back({other.kind, *other.value, other.chosen ? "smallest" : "others", true});
  if (run.population_cost) parts.push_back({"true cost", *run.population_cost, "under the law"});
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.value < b.value; });
  if (parts.size() > 12) parts.resize(12);
  Figure figure = bars(parts, "certified cost");
  figure.title = "Certificates whose assumptions are stated";
  figure.caption =
      "Delta was shared among them before the data were seen; the smallest is reported.";
  return figure;
}

// How much of the certified cost is not the cost that was measured, and what it is paid for.
std::string price(const RunReport& run, const CertificateFacts& c) {
  if (!run.empirical_cost || !(*run.empirical_cost > 0)) return "";
  const std::string paid =
      c.events.empty() ? "using the assumptions alone"
                       : "a finite number of trajectories, the confidence, and what is not assumed";
  return paragraph(
      "The certified cost is " + nice_number(c.value / *run.empirical_cost, 3) +
      " times the controller's " +
      (is_identified(run) ? "cost on the estimated plant" : "mean cost on the data") +
      ". The rest is the price of " + paid +
      (c.others.empty() ? "." : "; the table below shows which further assumptions would help."));
}

}  // namespace

std::string event_table(const CertificateFacts& c) {
  DataTable table{{"event", "δ", "statement"}, {}, {}};
  double sum = 0;
  for (const CertificateFacts::Event& event : c.events) {
    table.rows.push_back({event.name, nice_number(event.delta), event.statement});
    sum += event.delta;
  }
  table.rows.push_back({"any of them fails", "≤ " + nice_number(sum), "1 − confidence"});
  return "<div class=\"words\">" + table_html(table) + "</div>";
}

std::string assumption_list(const CertificateFacts& c) {
  std::string out = "<ul>";
  for (const std::string& sentence : c.assumptions) out += "<li>" + html_escape(sentence) + "</li>";
  return out + "</ul>";
}

Section certificate_section(const RunReport& run) {
  if (!run.certificate)
    return {"Certificate",
            paragraph("None: method " + run.method +
                      " gives no certificate. A fixed controller can be certified on fresh data "
                      "with `loopcert certify`.")};
  const CertificateFacts& c = *run.certificate;
  std::string body = "<div class=\"grid\">" + figure_html(terms_figure(run, c)) +
                     "<div><h3>It assumes</h3>" + assumption_list(c) + "<h3>In short</h3>" +
                     facts(c) + "</div></div>" + price(run, c);
  if (!c.others.empty())
    body += "<h3>All certificates</h3>" + figures_html({others_figure(run, c)}) + others(c);
  body += "<h3>It holds unless one of these events fails</h3>" + event_table(c);
  if (run.improvement) {
    const CertificateFacts& i = *run.improvement;
    body += "<h3>Compared with " + baseline_words(run) + "</h3>" +
            paragraph("With probability at least " + percent(i.confidence) +
                      " (separately), the deployed controller's expected cost minus that of " +
                      baseline_words(run) + " is at most " + nice_bound(i.value) +
                      (i.value < 0 ? ": it is certified to be better."
                                   : ": nothing here proves that it is better.") +
                      " It assumes:") +
            assumption_list(i) + event_table(i);
  }
  if (const std::string formulas = certificate_formulas(c.kind, c.subject); !formulas.empty())
    body += "<h3>The bound</h3>" + formulas;
  return {"Certificate", body};
}

Section cost_section(const RunReport& run) {
  std::vector<Part> parts;
  const auto add = [&](const std::string& name, const std::optional<double>& data,
                       const std::optional<double>& law) {
    if (law) parts.push_back({name, *law, "expected under the law"});
    if (data)
      parts.push_back(
          {name, *data, is_identified(run) ? "on the estimated plant" : "mean on the data"});
  };
  add("learned (" + run.method + ")", run.empirical_cost, run.population_cost);
  add(run.reference, run.lqr_empirical_cost, run.lqr_cost);
  if (!run.baseline_form.empty())
    add("today's (" + run.baseline_form + ")", run.baseline_cost, run.baseline_population_cost);
  for (const RunReport::Baseline& b : run.baselines)
    add(b.method, b.empirical_cost, b.population_cost);
  const bool limited = !best_under_limits(run).empty();
  add(limited ? "best that knows the law, within limits" : "best response that knows the law", {},
      run.optimal_cost);
  if (parts.empty()) return {"Costs", paragraph("No cost is known: no data and no law.")};
  Figure figure = bars(parts, "cost");
  figure.title = is_endless(run) ? "Cost of a step" : "Cost of one trajectory";
  figure.caption = run.population_cost
                       ? "A learned controller looks better on its training data than it is."
                       : "A learned controller looks better on its training data than it is; by "
                         "how much is unknown, because the problem does not state the law.";
  return {"Costs", figures_html({figure})};
}

}  // namespace loopcert::report
