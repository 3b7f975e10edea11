// A confidence as it is printed.
#pragma once

#include <string>

namespace loopcert {

// Rounded down, never up: to four digits after the point, or to as many as show two of 1 - value,
// at most twelve. What is below that by 1e-12 counts as equal.
double rounded_confidence(double value);
std::string confidence_text(double value);

}  // namespace loopcert
