// A controller as C99: static arrays, no allocation, one step function, a self-test.
#pragma once

#include <string>
#include <vector>

#include "loopcert/controller/after.hpp"

namespace loopcert {

struct CFile {
  std::string name;
  std::string content;
};

// `prefix` names files and symbols: <prefix>.h, <prefix>.c, <prefix>_test.c. `remarks` are lines
// for the comment at the top of the header, beside the provenance. Gains are written as hexadecimal
// floating-point numbers: no digit is lost. The same controller gives the same bytes.
// `clip`: every input is saturated to input_limits after it is computed, and counted.
// `single`: everything is computed in float, and the header says how far that rounds.
// Throws InputError unless `prefix` is a C identifier, and when there is nothing to clip to.
std::vector<CFile> controller_to_c(const Controller& controller, const std::string& prefix,
                                   const std::vector<std::string>& remarks,
                                   AfterHorizon after = AfterHorizon::refuse, bool clip = false,
                                   bool single = false);

}  // namespace loopcert
