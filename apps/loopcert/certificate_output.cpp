#include "certificate_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "loopcert/certificate/fixed_response.hpp"
#include "loopcert/certificate/kinds.hpp"
#include "loopcert/core/text.hpp"
#include "loopcert/experiment/certificate_choice.hpp"

namespace loopcert::app {

namespace {

// One line of a portfolio's list.
std::string other_text(const nlohmann::json& row) {
  const std::string status = row.at("status").get<std::string>();
  if (status == "not granted") return "needs " + row.at("needs").get<std::string>();
  const std::string share = fmt::format("delta {:.4g}", row.at("delta").get<double>());
  if (status != "computed") return status + ", " + share;
  return cost_text(row.at("value").get<double>()) + ", " + share +
         (row.at("chosen").get<bool>() ? ", chosen" : "");
}

}  // namespace

void add_certificate(Table& table, const Certificate& c) {
  const std::string kind = c.chosen.empty() ? c.kind : c.kind + ": " + c.chosen;
  table.add("certificate", fmt::format("{} at confidence {:.4g} ({}, {})", cost_text(c.value),
                                       c.confidence, kind, c.subject));
  for (const Term& term : c.terms)
    table.add("  " + term.name, fmt::format("{:<12} {}", cost_text(term.value), term.symbol));
  for (const Event& event : c.events)
    table.add("  event " + event.name,
              fmt::format("delta {:.4g}: {}", event.delta, event.statement));
  for (const std::string& assumption : c.assumptions) table.add("  assuming", assumption);
  for (const auto& row : c.all)
    table.add("  also " + row.at("kind").get<std::string>(), other_text(row));
  if (c.solver.status != "none")
    table.add("  optimizer", fmt::format("{}, {} iterations, gradient norm {:.1e}", c.solver.status,
                                         c.solver.iterations, c.solver.gradient_norm));
}

void add_improvement(Table& table, const Certificate& c) {
  table.add("change against LQR", fmt::format("{} at most, at confidence {:.4g} of its own ({})",
                                              cost_text(c.value), c.confidence, c.chosen));
}

std::string certificate_list() { return join(certificate_names(), " | "); }

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
