// A watch as C99, beside an exported controller: constant memory and time, no allocation.
#pragma once

#include <string>
#include <vector>

#include "loopcert/controller/c_code.hpp"
#include "loopcert/watch/watch.hpp"

namespace loopcert {

// <prefix>_watch.h, <prefix>_watch.c and a self-test <prefix>_watch_test.c. `remarks`: lines for
// the comment at the top of the header. Throws InputError unless `prefix` is a C identifier.
std::vector<CFile> watch_to_c(const WatchClaim& claim, const std::string& prefix,
                              const std::vector<std::string>& remarks);

}  // namespace loopcert
