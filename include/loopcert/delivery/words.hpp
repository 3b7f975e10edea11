// What the statements of a certificate say to people: the one place where their sentences are.
#pragma once

#include <string>
#include <vector>

#include "loopcert/certificate/record.hpp"

namespace loopcert {

std::string assumption_words(const Statement& assumption);
std::vector<std::string> assumption_words(const std::vector<Statement>& assumptions);

std::string event_words(const Event& event);  // "Sigma_w <= Sigma_hat / 0.3, for each of 3 …"
std::string event_name(const Event& event);   // "hold-out: chernoff of fold 2"

struct TermWords {
  std::string name;
  std::string symbol;
};
const TermWords& term_words(const Term& term);

// "controller", "mean response", "posterior average", "controller minus baseline"
std::string subject_words(const Certificate& certificate);

// Why a certificate of a portfolio has no value: "disturbance.white: found …, expected …".
std::string candidate_words(const Candidate& candidate);
std::string status_words(const Candidate& candidate);

}  // namespace loopcert
