#include "measurement/measured_certificate.hpp"

#include <algorithm>

#include "certificate/premises.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// What the same data say without a margin.
Term empirical_term(const MeasuredKind& kind, const Samples& s) {
  if (kind.functional == "cost") return {"empirical-controller", mean_of(s.a)};
  if (kind.paired) return {"empirical-difference", mean_of(s.a)};
  const double a = mean_of(s.a), b = mean_of(s.b);
  if (kind.functional == "cost-difference") return {"empirical-difference", a - b};
  if (!(b > 0)) throw_input_error("costs to compare with", "zeros alone", "a mean above zero");
  return {"empirical-ratio", a / b};
}

Certificate certificate_of(const MeasuredKind& kind, const MeasureOptions& options,
                           const Samples& samples, double delta) {
  const Index n = samples.a.size() + samples.b.size();
  require_granted(kind.needs({options, n, delta}));
  Certificate c;
  c.kind = kind.name;
  c.functional = {kind.functional};
  const double each = delta / static_cast<double>(kind.events.size());
  for (const std::string& event : kind.events) c.events.push_back({event, each, {event}});
  c.confidence = confidence_of(c.events);
  c.assumptions = kind.assumes(options);
  c.n = n;
  const Term empirical = empirical_term(kind, samples);
  const double value = kind.value(samples, options, each);
  c.terms = {empirical, {"margin", value - empirical.value}};
  c.value = empirical.value + c.terms[1].value;
  check_certificate(c);
  return c;
}

// The shares follow from what is assumed, n and delta alone.
Certificate best_of(const MeasureOptions& options, const Samples& samples) {
  const MeasurePremises premises{options, samples.a.size(), options.delta};
  Certificate best;
  std::vector<const MeasuredKind*> granted;
  std::vector<Candidate> all;
  double parts = 0;
  for (const MeasuredKind& kind : measured_kinds()) {
    if (kind.compares()) continue;
    Candidate& row = all.emplace_back(Candidate{kind.name, "not-granted"});
    row.needs = kind.needs(premises);
    if (row.needs) continue;
    row.status = "computed";
    granted.push_back(&kind);
    parts += kind.parts;
  }
  for (Candidate& row : all) {
    if (row.status != "computed") continue;
    const std::string& better = measured_kind(row.kind).dominated_by;
    if (std::none_of(granted.begin(), granted.end(),
                     [&](const MeasuredKind* kind) { return kind->name == better; }))
      continue;
    row.status = "dominated";
    row.dominated_by = better;
    parts -= measured_kind(row.kind).parts;
  }
  std::vector<Event> events;
  Candidate* chosen = nullptr;
  for (Candidate& row : all) {
    if (row.status != "computed") continue;
    const MeasuredKind& kind = measured_kind(row.kind);
    row.delta = options.delta * kind.parts / parts;
    const MeasurePremises own{options, samples.a.size(), row.delta};
    if ((row.needs = kind.needs(own))) {  // with its own share: too few episodes
      row.status = "not-computed";
      row.failure = row.needs->expected;
      row.needs.reset();
      events.push_back({"kept", row.delta, {"kept-bound"}, 1, row.kind});
      continue;
    }
    const Certificate c = certificate_of(kind, options, samples, row.delta);
    row.value = c.value;
    for (Event event : c.events) {
      event.kind = row.kind;
      events.push_back(event);
    }
    if (chosen && *chosen->value <= c.value) continue;
    chosen = &row;
    best = c;
  }
  if (!chosen)
    throw_input_error("assumptions", "too few for this number of costs",
                      "more costs, or another assumption");
  chosen->chosen = true;
  best.kind = "measured-best";
  best.chosen = chosen->kind;
  best.events = std::move(events);
  best.confidence = confidence_of(best.events);
  best.all = std::move(all);
  check_certificate(best);
  return best;
}

}  // namespace

Certificate measured_certificate(const MeasureOptions& options, const Samples& samples) {
  return options.kind == "measured-best"
             ? best_of(options, samples)
             : certificate_of(measured_kind(options.kind), options, samples, options.delta);
}

}  // namespace loopcert
