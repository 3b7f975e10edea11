// Limits of a plant that is identified: how often a row is violated at most, for every plant of the
// confidence set and every gain at once (docs/theory/limits-identified.md). The events are those of
// the cost's certificate, so both hold together.
#pragma once

#include <optional>
#include <vector>

#include "certificate/identified_cost.hpp"

namespace loopcert {

inline const std::string limits_kind = "limits-envelope";

// A row at a step: value = h'zeta_t, Gaussian. Each of the two bounds is one of a cost: that of the
// row alone, at this step and nowhere else.
struct RowBound {
  LimitAt at;
  // Of its variance. bound = "start": nothing unknown reaches it; "none": nothing was proved.
  IdentifiedBound variance;
  double mean = 0;                       // under the estimate; 0 without a constant
  std::optional<IdentifiedBound> error;  // of (mean - this)^2, where there is a constant
  double violation = 1;
};

struct LimitBounds {
  std::vector<RowBound> rows;  // in the order of limits_at_steps(); one each for ever
  double value = 1;            // min(1, sum), or the largest of them: `each`
};

// Needs problem.limits. A row without a finite bound has violation 1.
LimitBounds bound_limits(const Problem& problem, const IdentifiedPlant& plant, const Gains& gains);

// The same at recorded numbers; nothing when these prove less than they say, or are of other rows.
std::optional<LimitBounds> bound_limits_at(const Problem& problem, const IdentifiedPlant& plant,
                                           const Gains& gains, const LimitBounds& numbers);

// With the events, the confidence and the assumptions of the cost's.
Certificate limits_certificate(const Problem& problem, const IdentifiedPlant& plant,
                               const LimitBounds& bounds);

// h of a row at a step under gains, on zeta.
Vector row_on_state(const LinearModel& model, const LimitRow& row, const Matrix* gain);

// The loop around its mean: without the 1, on which only the mean depends.
EstimatedLoop around_mean(const EstimatedLoop& loop);

}  // namespace loopcert
