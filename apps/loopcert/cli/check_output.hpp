// Checks of data, as a person reads them: what the data contradict first.
#pragma once

#include <vector>

#include "cli/output.hpp"
#include "inspection/inspection.hpp"

namespace loopcert::app {

// What was found is a detail where nothing is wrong.
void add_checks(Table& table, const std::vector<Check>& checks);

}  // namespace loopcert::app
