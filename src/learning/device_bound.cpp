#include "learning/device_bound.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/enough_digits.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

BoundValue bound_of(const lc_values& v, const QuadraticForm& form, const BoundInputs& inputs) {
  BoundValue bound;
  bound.empirical = v.empirical;
  bound.C = v.C;
  bound.mean_term = v.mean_term;
  bound.kl = v.kl;
  const double rate = rate_of(inputs, v.kl);
  if (!std::isfinite(rate + v.C + v.mean_term + v.empirical))
    throw NumericsError("the bound is too large for double precision: use other units");
  bound.complexity = complexity_of(inputs, rate, v.C, v.mean_term);
  bound.spread = v.spread;
  bound.mean_event = 2 * inputs.mean_radius * v.mean_norm;
  bound.value = bound.empirical + bound.spread + bound.mean_event + bound.complexity.value;
  if (!std::isfinite(bound.value))
    throw NumericsError("the bound is too large for double precision: use other units");
  const Complexity& c = bound.complexity;
  require_digits(
      form, bound,
      v.size + inputs.scale * c.d_phi * v.moved_C + 2 * inputs.scale * c.d_mean * v.moved_mean);
  return bound;
}

PlainPattern::PlainPattern(const CausalPattern& pattern)
    : rows(pattern.rows()), cols(pattern.cols()) {
  for (Index j = 0; j < pattern.cols(); ++j)
    first_row.push_back(std::min(pattern.first_row(j), pattern.rows()));
  for (Index i = 0; i < pattern.rows(); ++i) end_column.push_back(pattern.end_column(i));
}

lc_pattern PlainPattern::view() const { return {rows, cols, first_row.data(), end_column.data()}; }

}  // namespace loopcert
