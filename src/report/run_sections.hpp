// The parts of a run's page, one file each.
#pragma once

#include <string>
#include <vector>

#include "report/figure.hpp"
#include "report/page.hpp"
#include "report/run_report.hpp"

namespace loopcert::report {

std::string run_lead(const RunReport& run);
std::string card(const std::string& number, const std::string& words,
                 const std::string& css = "card");
std::string assumption_list(const CertificateFacts& c);
std::string event_table(const CertificateFacts& c);
// What to know of the limits first: sentences, and cards for the numbers. "" without limits.
std::string limits_lead(const RunReport& run);
std::string limits_cards(const RunReport& run);
// What `optimal_cost` is the smallest of, after "the best response that knows the law": nothing
// without limits.
std::string best_under_limits(const RunReport& run);
// A plant that is identified: its numbers are of the estimate, and what it is compared with is no
// input at all.
bool is_identified(const RunReport& run);
bool is_endless(const RunReport& run);
std::string baseline_words(const RunReport& run);
// Only with limits.
Section limits_section(const RunReport& run);
Section certificate_section(const RunReport& run);
Section cost_section(const RunReport& run);
// Bands of the first states and inputs over time, and of what else has limits, with these.
constexpr Index fans_of_a_kind = 6;
std::vector<Figure> signal_fans(const RunReport& run);
Section paths_section(const RunReport& run);
Section response_section(const RunReport& run);
Section disturbance_section(const RunReport& run);

}  // namespace loopcert::report
