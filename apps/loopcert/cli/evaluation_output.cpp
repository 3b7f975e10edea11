#include "cli/evaluation_output.hpp"

#include <fmt/format.h>

#include "cli/certificate_output.hpp"
#include "loopcert/core/rounded.hpp"

namespace loopcert::app {
namespace {

std::string cell(const std::string& text) { return fmt::format("{:>11}", text); }

std::string cell(const std::optional<double>& number) {
  return cell(number ? fmt::format("{:.5g}", *number) : std::string("-"));
}

// Lhat, Comp, and what is left of the value: spread and mismatch.
struct Parts {
  double empirical = 0, complexity = 0, rest = 0;
};

Parts parts_of(const Certificate& c) {
  Parts parts;
  for (const loopcert::Term& term : c.terms) {
    if (term.id == "empirical-mean-response")
      parts.empirical += term.value;
    else if (term.id == "complexity")
      parts.complexity += term.value;
    else
      parts.rest += term.value;
  }
  return parts;
}

void add_line(Table& table, const BoundAt& bound) {
  if (!bound.certificate) {
    table.add("  " + bound.kind, "- " + bound.missing);
    return;
  }
  const Certificate& c = *bound.certificate;
  const Parts parts = parts_of(c);
  table.add("  " + bound.kind, cell(bound_text(c.value)) + cell(parts.empirical) +
                                   cell(parts.rest) + cell(parts.complexity) + cell(c.kl) +
                                   cell(c.lambda) + cell(bound.C) + cell(bound.cumulant) +
                                   cell(bound.quadratic));
}

void add_lines(Table& table, const std::vector<BoundAt>& bounds) {
  std::string titles;
  for (const char* name : {"value", "Lhat", "spread", "Comp", "KL", "lambda", "C", "Lambda", "psi"})
    titles += cell(std::string(name));
  table.add("bounds", titles);
  for (const BoundAt& bound : bounds) add_line(table, bound);
  table.add("  each alone",
            "at its own confidence and under its own assumptions: --certificate KIND");
}

void add_one(Table& table, const BoundAt& bound) {
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) table.add(name, cost_text(*value));
  };
  add_certificate(table, *bound.certificate);
  add_certificate_details(table, *bound.certificate);
  add("  KL", bound.certificate->kl);
  add("  lambda", bound.certificate->lambda);
  add("  rate", bound.rate);
  add("  psi", bound.psi);
  add("  C", bound.C);
  add("  mean term", bound.mean_term);
  add("  cumulant of the mean response", bound.cumulant);
  add("  its quadratic bound", bound.quadratic);
}

}  // namespace

void add_evaluation(Table& table, const Evaluation& evaluation) {
  table.add("trajectories", std::to_string(evaluation.n));
  table.add("parameters", std::to_string(evaluation.p));
  if (const auto& law = evaluation.law) {
    table.add("population cost", cost_text(law->risk));
    table.add("sensitivity", cost_text(law->sensitivity));
    table.add("interval of lambda",
              law->end ? "(0, " + cost_text(*law->end) + ")" : "- " + law->end_missing);
    table.add("pointwise radius", cost_text(law->radius));
  }
  if (evaluation.bounds.size() == 1)
    add_one(table, evaluation.bounds[0]);
  else
    add_lines(table, evaluation.bounds);
}

}  // namespace loopcert::app
