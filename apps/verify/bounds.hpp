// The bounds, recomputed for the deployed controller from the formulas of docs/theory.
#pragma once

#include "envelope.hpp"

namespace verify {

struct ExpectedTerm {
  std::string name;
  Ball value;
};
struct ExpectedEvent {
  std::string name;
  Sentence statement;
};

// What an honest record says.
struct Bound {
  std::string subject;
  std::vector<ExpectedTerm> terms;
  std::vector<ExpectedEvent> events;
  std::vector<Sentence> assumptions;
  std::optional<Ball> kl;
  Ball residual;  // cost of what the deployed controller adds to the certified response
};

// Everything that a bound may look at. `rows` are the certifying trajectories.
struct Case {
  const Record& record;
  const Controller& controller;
  const Table& rows;
};

bool is_posterior_kind(const std::string& kind);
bool is_fixed_kind(const std::string& kind);
bool is_cross_kind(const std::string& kind);
Bound posterior_bound(const Case& given);
Bound fixed_bound(const Case& given);

// [1, mean; mean', second] of z = (1, w).
Mat extended_moment(const Data& data);
Mat extended(const Mat& on_w);  // with a zero row and column in front

// Refuted unless the problem says so, and does not contradict itself.
void require_gaussian(const Record& record);
void require_zero_mean(const Record& record);

// Refuted unless the controller's inputs are the expected ones up to `tolerance`.
void require_same_response(const Mat& found, const Mat& expected, double tolerance,
                           const std::string& role);

inline const std::string model_sentence =
    "The plant, its offset and the cost are as in the problem file.";

}  // namespace verify
