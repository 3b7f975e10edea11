// Whether rounding leaves enough digits of a bound.
#pragma once

#include "certificate/bound.hpp"

namespace loopcert {

// Throws NumericsError when too few are left; `size`: by how many epsilon rounding moves it.
void require_digits(const QuadraticForm& form, const BoundValue& bound, double size);

}  // namespace loopcert
