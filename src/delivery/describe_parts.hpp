// Parts of what a page shows of a run, from its record.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "loopcert/certificate/record.hpp"
#include "report/run_report.hpp"

namespace loopcert {

report::CertificateFacts certificate_facts(const Certificate& c);
std::optional<report::LimitsFacts> limits_facts(const nlohmann::json& record);
std::vector<report::SignalFacts> signal_facts(const nlohmann::json& record);

}  // namespace loopcert
