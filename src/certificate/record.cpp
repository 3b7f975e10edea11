#include "loopcert/certificate/record.hpp"

#include <fmt/format.h>

#include <cmath>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

void require(bool holds, const std::string& what) {
  if (!holds) throw NumericsError("certificate refused: " + what);
}

}  // namespace

double confidence_of(const std::vector<Event>& events) {
  double confidence = 1;
  for (const Event& event : events) confidence -= event.delta;
  return confidence;
}

bool is_difference(const Certificate& certificate) {
  return certificate.functional.id == "cost-difference";
}

bool is_violation(const Certificate& certificate) {
  return certificate.functional.id == "violation" || certificate.functional.id == "violation-each";
}

void check_certificate(const Certificate& c) {
  require(std::isfinite(c.value), "the value is not finite");
  double sum = 0, size = 0;
  for (const Term& term : c.terms) {
    require(std::isfinite(term.value), "term '" + term.id + "' is not finite");
    sum += term.value;
    size += std::abs(term.value);
  }
  require(!c.terms.empty() && std::abs(sum - c.value) <= 1e-12 * size,
          fmt::format("terms add up to {}, the value is {}", sum, c.value));
  for (const Event& event : c.events)
    require(event.delta > 0 && event.delta < 1, "delta of event '" + event.id + "'");
  // Without an event it follows from the assumptions alone: confidence 1, with or without data.
  const double left = confidence_of(c.events);
  require(left > 0 && std::abs(left - c.confidence) <= 1e-12,
          fmt::format("deltas add up to {}, the confidence is {}", 1 - left, c.confidence));
  require(!c.assumptions.empty(), "no assumptions are stated");
  require(c.n >= (c.events.empty() ? 0 : 1), "no data");
}

}  // namespace loopcert
