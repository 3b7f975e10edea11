// The certificate record: one plain type for every kind, to and from JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/certificate/event.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

struct Term {
  std::string name;
  std::string symbol;
  double value = 0;
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
  // What is certified: "mean response", "posterior average", "controller", or the difference
  // "controller minus baseline", which may be negative.
  std::string subject;
  bool oracle = false;    // uses the true law: a reference, not available from data
  double value = 0;       // the terms add up to it
  double confidence = 0;  // 1 - sum of the events' deltas
  std::vector<Term> terms;
  std::vector<Event> events;
  std::vector<std::string> assumptions;
  Index n = 0;
  std::optional<double> kl;
  std::optional<double> lambda;
  std::vector<double> lambdas;  // one for each fold, when the folds have their own
  SolverReport solver;
  nlohmann::json inputs =
      nlohmann::json::object();                  // hashes, prior, posterior: docs/problem-file.md
  nlohmann::json all = nlohmann::json::array();  // every certificate of a portfolio
};

// Throws NumericsError unless value and terms are finite, the terms add up to the value, the deltas
// lie in (0, 1) and add up to 1 - confidence, assumptions are stated, and there are data if there
// are events.
void check_certificate(const Certificate& certificate);

nlohmann::json certificate_to_json(const Certificate& certificate);
Certificate certificate_from_json(const nlohmann::json& tree);  // throws InputError

}  // namespace loopcert
