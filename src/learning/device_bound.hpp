// The bound that a device's numbers make.
#pragma once

#include <vector>

#include "certificate/bound.hpp"
#include "device/plugin_api.h"

namespace loopcert {

// As BoundEvaluator puts a bound together (certificate/bound.cpp). Throws NumericsError.
BoundValue bound_of(const lc_values& values, const QuadraticForm& form, const BoundInputs& inputs);

// A pattern as plugins see it.
struct PlainPattern {
  explicit PlainPattern(const CausalPattern& pattern);
  lc_pattern view() const;

  long rows, cols;
  std::vector<long> first_row, end_column;
};

}  // namespace loopcert
