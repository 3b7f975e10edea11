// Numbers of a certificate as they are printed: rounded to the side on which they still hold.
#pragma once

#include <string>

namespace loopcert {

// Rounded down, never up: to four digits after the point, or to as many as show two of 1 - value,
// at most twelve. What is below that by 1e-12 counts as equal.
double rounded_confidence(double value);
std::string confidence_text(double value);

// The smallest number with `digits` significant digits that is not below `value`; what is closer to
// zero than 1e-290 becomes 1e-290 or zero.
double rounded_bound(double value, int digits);
std::string bound_text(double value);  // six digits

}  // namespace loopcert
