// The parts of a run's page, one file each.
#pragma once

#include <string>

#include "report/page.hpp"
#include "report/run_report.hpp"

namespace loopcert::report {

std::string run_lead(const RunReport& run);
Section certificate_section(const RunReport& run);
Section cost_section(const RunReport& run);
Section paths_section(const RunReport& run);
Section response_section(const RunReport& run);
Section disturbance_section(const RunReport& run);

}  // namespace loopcert::report
