#include "certificate_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "loopcert/certificate/fixed_response.hpp"
#include "loopcert/certificate/kinds.hpp"
#include "loopcert/core/text.hpp"

namespace loopcert::app {

void add_certificate(Table& table, const Certificate& c) {
  table.add("certificate", fmt::format("{} at confidence {:.4g} ({}, {})", cost_text(c.value),
                                       c.confidence, c.kind, c.subject));
  for (const Term& term : c.terms)
    table.add("  " + term.name, fmt::format("{:<12} {}", cost_text(term.value), term.symbol));
  for (const Event& event : c.events)
    table.add("  event " + event.name,
              fmt::format("delta {:.4g}: {}", event.delta, event.statement));
  for (const std::string& assumption : c.assumptions) table.add("  assuming", assumption);
  if (c.solver.status != "none")
    table.add("  optimizer", fmt::format("{}, {} iterations, gradient norm {:.1e}", c.solver.status,
                                         c.solver.iterations, c.solver.gradient_norm));
}

std::string certificate_list() {
  std::vector<std::string> names;
  for (const CertificateKind& kind : certificate_kinds()) names.push_back(kind.name);
  return join(names, " | ");
}

std::string fixed_certificate_list() {
  std::vector<std::string> names;
  for (const FixedKind& kind : fixed_kinds()) names.push_back(kind.name);
  return join(names, " | ");
}

LearningTable::LearningTable(bool always, bool quiet)
    : visible_(!quiet && (always || ::isatty(STDERR_FILENO) == 1)) {}

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
