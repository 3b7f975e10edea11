// Warnings on the terminal: what the data say stands beside the certificate, in its table; what a
// method or a log says, and everything where no table is printed, on standard error.
#pragma once

#include <vector>

#include "cli/output.hpp"
#include "inspection/warnings.hpp"

namespace loopcert::app {

void add_warnings(Table& table, const std::vector<Warning>& warnings);
void print_warnings(const std::vector<Warning>& warnings, bool table_printed);

}  // namespace loopcert::app
