// The parts of a run's page, one file each.
#pragma once

#include <string>

#include "report/page.hpp"
#include "report/run_report.hpp"

namespace loopcert::report {

std::string run_lead(const RunReport& run);
std::string card(const std::string& number, const std::string& words,
                 const std::string& css = "card");
// The first of the warnings, and the way to all.
std::string warnings_in_short(const std::vector<std::string>& warnings);
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
// What it costs under the law, against LQR and the best; "" where no law is known.
std::string learned_cost(const RunReport& run);
// A bound on the cost minus another one's.
bool is_against_another(const std::string& subject);
std::string baseline_words(const RunReport& run);
// Only with limits.
Section limits_section(const RunReport& run);
Section loop_section(const RunReport& run);
Section cost_section(const RunReport& run);
Section certificate_section(const RunReport& run);
Section against_section(const RunReport& run);  // what the data say against it
Section details_section(const RunReport& run);

// Parts of the details.
std::string certificate_details(const RunReport& run);
std::string response_details(const RunReport& run);
std::string disturbance_details(const RunReport& run);

// Of states and inputs, as the page calls them.
std::string state_name(const RunReport& run, Index i);
std::string input_name(const RunReport& run, Index i);

}  // namespace loopcert::report
