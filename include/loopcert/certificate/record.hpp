// The certificate: one plain type for every kind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loopcert/certificate/event.hpp"
#include "loopcert/certificate/statement.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

struct Term {
  std::string id;
  double value = 0;
};

// Whose cost is bounded.
enum class Subject { controller, mean_response, posterior_average };
const std::string& subject_name(Subject subject);  // as in a record

// One certificate of a portfolio.
struct Candidate {
  std::string kind;
  // computed | not-computed | other-deployment; without a share of delta: not-granted, dominated,
  // too-few-trajectories, other-method
  std::string status;
  double delta = 0;
  bool chosen = false;
  std::optional<double> value = std::nullopt;
  std::optional<Missing> needs = std::nullopt;  // not-granted
  std::string dominated_by = "";                // dominated, too-few-trajectories: never larger
  std::string failure = "";                     // not-computed

  bool operator==(const Candidate&) const = default;
};

// How the optimizer ended. Validity of the certificate does not depend on it: stopping early only
// loosens the bound.
struct SolverReport {
  std::string status = "none";
  int iterations = 0;
  double gradient_norm = 0;
};

struct Certificate {
  std::string kind;
  std::string chosen;  // of a portfolio (kind "best"): the kind that its value comes from
  Subject subject = Subject::controller;
  Statement functional = {"cost"};  // what is bounded: cost, or cost-difference to a baseline
  bool oracle = false;              // uses the true law: a reference, not available from data
  double value = 0;                 // the terms add up to it
  double confidence = 0;            // 1 - sum of the events' deltas
  std::vector<Term> terms;
  std::vector<Event> events;
  std::vector<Statement> assumptions;
  Index n = 0;
  std::optional<double> kl;
  std::optional<double> lambda;
  std::vector<double> lambdas;  // one for each fold, when the folds have their own
  SolverReport solver;
  std::vector<Candidate> all;  // every certificate of a portfolio
};

// L(controller) - L(baseline): it may be negative.
bool is_difference(const Certificate& certificate);

// A probability that limits are broken.
bool is_violation(const Certificate& certificate);

// Throws NumericsError unless value and terms are finite, the terms add up to the value, the deltas
// lie in (0, 1) and add up to 1 - confidence, assumptions are stated, and there are data if there
// are events.
void check_certificate(const Certificate& certificate);

}  // namespace loopcert
