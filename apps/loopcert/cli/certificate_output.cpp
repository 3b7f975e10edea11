#include "cli/certificate_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "certificate/certificate_choice.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/kinds.hpp"
#include "core/text.hpp"
#include "loopcert/core/rounded.hpp"
#include "loopcert/delivery/words.hpp"

namespace loopcert::app {

namespace {

// The other certificates of a portfolio: those with a value, smallest first, then one row for those
// that have no share of delta.
void add_others(Table& table, const std::vector<Candidate>& all) {
  std::vector<Candidate> computed;
  std::vector<std::string> kept;
  std::size_t others = 0;
  for (const Candidate& row : all) {
    if (row.value)
      computed.push_back(row);
    else if (row.status == "not-computed" || row.status == "other-deployment")
      kept.push_back(row.kind);
    else
      ++others;
  }
  std::stable_sort(computed.begin(), computed.end(),
                   [](const Candidate& a, const Candidate& b) { return *a.value < *b.value; });
  for (const Candidate& row : computed)
    if (!row.chosen)
      table.detail("  also " + row.kind,
                   fmt::format("{:<12} delta {:.4g}", bound_text(*row.value), row.delta));
  if (!kept.empty()) table.detail("  reserved for another deployment", join(kept));
  if (others > 0)
    table.detail("  not computed", fmt::format("{} others: certificate.json says why", others));
}

void add_events(Table& table, const Certificate& c) {
  if (!c.chosen.empty()) {
    table.detail("  events", fmt::format("{}, whose deltas add up to {:.4g}", c.events.size(),
                                         1 - c.confidence));
    return;
  }
  for (const Event& event : c.events)
    table.detail("  event " + event_name(event),
                 fmt::format("delta {:.4g}: {}", event.delta, event_words(event)));
}

}  // namespace

void add_certificate(Table& table, const Certificate& c) {
  const std::string kind = c.chosen.empty() ? c.kind : c.kind + ": " + c.chosen;
  table.add("certificate", fmt::format("{} at confidence {} ({}, {})", bound_text(c.value),
                                       confidence_text(c.confidence), kind, subject_words(c)));
}

void add_certificate_details(Table& table, const Certificate& c) {
  for (const std::string& sentence : assumption_words(c.assumptions))
    table.add("  assuming", sentence);
  for (const Term& term : c.terms)
    table.detail("  " + term_words(term).name,
                 fmt::format("{:<12} {}", cost_text(term.value), term_words(term).symbol));
  add_events(table, c);
  add_others(table, c.all);
  if (c.solver.status != "none")
    table.detail("  optimizer",
                 fmt::format("{}, {} iterations, gradient norm {:.1e}", c.solver.status,
                             c.solver.iterations, c.solver.gradient_norm));
}

void add_baseline(Table& table, const std::optional<BaselineRun>& baseline) {
  if (!baseline) return;
  const BaselineRun& b = *baseline;
  std::string measured;
  if (b.cost)
    measured = fmt::format("costs {} +- {:.2g} on the data", cost_text(*b.cost),
                           b.standard_error.value_or(0));
  else if (b.population_cost)
    measured = "costs " + cost_text(*b.population_cost) + " under the law";
  table.add("runs today", b.form + (measured.empty() ? "" : ", " + measured));
  if (b.certificate)
    table.add("  certified",
              fmt::format("{} at separate confidence {} ({})", bound_text(b.certificate->value),
                          confidence_text(b.certificate->confidence), b.certificate->chosen));
  table.add("  the new one", b.verdict);
}

void add_improvement(Table& table, const Certificate& c, const std::string& compared_with) {
  table.add("change from " + compared_with,
            fmt::format("{} at most, at separate confidence {} ({})", bound_text(c.value),
                        confidence_text(c.confidence), c.chosen));
}

void add_more_assumptions(Table& table, const Certificate& c, const std::string& of,
                          const std::vector<Statement>& listed) {
  for (const Statement& assumption : c.assumptions)
    if (std::find(listed.begin(), listed.end(), assumption) == listed.end())
      table.add("  assuming, for " + of, assumption_words(assumption));
}

// With the one that only an identified plant has.
std::string certificate_list() {
  return join(certificate_names(), " | ") + " | identified-average";
}

std::vector<std::string> fixed_certificate_names() {
  std::vector<std::string> names = {"best"};
  for (const FixedResponseKind& kind : fixed_response_kinds()) names.push_back(kind.name);
  return names;
}

std::string fixed_certificate_list() { return join(fixed_certificate_names(), " | "); }

void LearningTable::show(const LearningStep& step) {
  if (!visible_) return;
  if (!started_)
    std::fputs("iteration  empirical cost          KL       bound  gradient norm\n", stderr);
  started_ = true;
  std::fputs(fmt::format("{:9}  {:14.6g}  {:10.5g}  {:10.6g}  {:13.2e}\n", step.iteration,
                         step.empirical, step.kl, step.bound, step.gradient_norm)
                 .c_str(),
             stderr);
}

}  // namespace loopcert::app
