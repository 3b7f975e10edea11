#include "cli/warning_output.hpp"

namespace loopcert::app {
namespace {

bool of_data(const Warning& warning) { return warning.id != "method" && warning.id != "log"; }

}  // namespace

void add_warnings(Table& table, const std::vector<Warning>& warnings) {
  for (const Warning& warning : warnings)
    if (of_data(warning)) table.add("warning", warning.text);
}

void print_warnings(const std::vector<Warning>& warnings, bool table_printed) {
  for (const Warning& warning : warnings)
    if (!table_printed || !of_data(warning)) warn(warning.text);
}

}  // namespace loopcert::app
