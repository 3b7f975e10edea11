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
  const bool difference = is_against_another(c.subject);  // costs are no marks for it
  if (run.lqr_cost && !difference)
    marks.push_back({run.reference + "'s expected cost", *run.lqr_cost, ""});
  else if (run.lqr_empirical_cost && !difference)
    marks.push_back({run.reference + "'s mean cost on the data", *run.lqr_empirical_cost, ""});
  if (run.population_cost && !difference) marks.push_back({"true cost", *run.population_cost, ""});
  Figure figure = waterfall(parts, "certificate", marks);
  figure.title = "Terms of the certificate";
  figure.caption = "Each bar starts where the one above ends; together they are the certificate.";
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

// Certificates of a portfolio: what each says, or what it would need.
std::string others_table(const std::vector<CertificateFacts::Other>& others) {
  DataTable table{{"certificate", "value", "share of δ", "why not"}, {}, {}};
  for (const CertificateFacts::Other& other : others)
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
  if (!run.empirical_cost || !(*run.empirical_cost > 0) || is_against_another(c.subject)) return "";
  const std::string paid =
      c.events.empty() ? "using the assumptions alone"
                       : "a finite number of trajectories, the confidence, and what is not assumed";
  const double times = c.value / *run.empirical_cost;
  const std::string words =
      "The certified cost is " + nice_number(times, 3) + " times the controller's " +
      (is_identified(run) ? "cost on the estimated plant." : "mean cost on the data.");
  if (times <= 1) return paragraph(words);  // the data were dearer than what is expected
  return paragraph(
      words + " The rest is the price of " + paid +
      (c.others.empty() ? "." : "; the details show which further assumptions would help."));
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

namespace {

std::string improvement_text(const RunReport& run) {
  if (!run.improvement) return "";
  const CertificateFacts& i = *run.improvement;
  return "<h3>Compared with " + html_escape(baseline_words(run)) + "</h3>" +
         paragraph("With probability at least " + percent(i.confidence) +
                   " (separately), the deployed controller's expected cost minus that of " +
                   baseline_words(run) + " is at most " + nice_bound(i.value) +
                   (i.value < 0 ? ": it is certified to be better."
                                : ": nothing here proves that it is better."));
}

// What the model leaves over of logged episodes, state by state.
std::string residual_table(const RunReport& run) {
  if (run.residuals.empty()) return "";
  DataTable table{
      {"state", "rms of w", "part of the change in a step", "mean", "largest |w|"}, {}, {}};
  for (const RunReport::Residual& r : run.residuals)
    table.rows.push_back(
        {r.component, nice_number(r.residual),
         r.change > 0 ? nice_number(100 * r.residual / r.change, 3) + " %" : "no change",
         nice_number(r.mean, 3), nice_number(r.largest)});
  return "<h3>What the model leaves over</h3>" +
         paragraph(
             "The episodes were logged as states and inputs: the disturbances are the residuals of "
             "the model, so they include model errors.") +
         table_html(table);
}

}  // namespace

Section certificate_section(const RunReport& run) {
  const std::string title = "What is certified, and on which assumptions";
  if (!run.certificate)
    return {title, paragraph("Nothing: method " + run.method +
                             " gives no certificate. A fixed controller can be certified on fresh "
                             "data with `loopcert certify`.")};
  const CertificateFacts& c = *run.certificate;
  return {title, "<div class=\"grid\">" + figure_html(terms_figure(run, c)) +
                     "<div><h3>It assumes</h3>" + assumption_list(c) + price(run, c) +
                     improvement_text(run) + "</div></div>"};
}

Section against_section(const RunReport& run) {
  std::string body;
  for (const std::string& warning : run.warnings) body += paragraph(warning, "warn");
  if (const Vector& law = run.law_eigenvalues;
      law.size() > 0 && run.scale_bound && law[0] > *run.scale_bound * (1 + 1e-9))
    body += paragraph("The largest eigenvalue of the law in the problem is " + nice_number(law[0]) +
                          ", above the assumed bound of " + nice_number(*run.scale_bound) +
                          ": the problem contradicts its own assumption.",
                      "warn");
  if (body.empty())
    body = paragraph(run.deed == Deed::measure
                         ? "The tests of the costs (drift, neighbours that go together, outliers) "
                           "found nothing."
                     : run.n > 0
                         ? "The tests of the assumptions found nothing. Data can contradict an "
                           "assumption, never prove it; `loopcert inspect` shows every test."
                         : "There are no data.");
  return {"What the data say against them", body + residual_table(run), "against"};
}

std::string certificate_details(const RunReport& run) {
  if (!run.certificate) return "";
  const CertificateFacts& c = *run.certificate;
  std::vector<CertificateFacts::Other> computed, absent;
  for (const CertificateFacts::Other& other : c.others)
    (other.value ? computed : absent).push_back(other);
  std::string out =
      folded("Events", "the certificate holds unless one of them fails", event_table(c));
  if (run.improvement)
    out += folded("Compared with " + baseline_words(run), "what the difference assumes",
                  assumption_list(*run.improvement) + event_table(*run.improvement));
  if (!computed.empty())
    out += folded("Every certificate that was computed",
                  count_text(static_cast<long>(computed.size()), "kind", "kinds"),
                  figures_html({others_figure(run, c)}) + others_table(computed));
  if (!absent.empty())
    out += folded("Not granted",
                  count_text(static_cast<long>(absent.size()), "kind", "kinds") +
                      ", and what they would need",
                  others_table(absent));
  std::string bound = facts(c) + certificate_formulas(c.kind, c.subject);
  if (run.prescient_certificate)
    bound = paragraph("The same posterior certified with the true law: " +
                      nice_bound(*run.prescient_certificate) +
                      ". A reference that cannot be computed from data.") +
            bound;
  return out + folded("The bound", "kind, confidence, formula, optimizer", bound);
}

}  // namespace loopcert::report
