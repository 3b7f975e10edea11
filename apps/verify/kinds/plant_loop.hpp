// The loop of a plant's estimate under gains, and what it costs at most:
// docs/theory/identified-cost.md, items 1 and 4. Limits: docs/theory/limits-identified.md.
#pragma once

#include "kinds/plant.hpp"

namespace verify {

// In units of its errors.
struct Estimate {
  std::vector<ClosedStep> steps;  // one for each gain
  Mat H{0, 0};                    // E U_v^1/2
  Ball beta;
  bool noise = true;  // false: of a mean, which nothing moves but the model
  std::vector<Mat> gains = {};
};

Mat on_state(const Plant& plant, const Mat& on_y);
Estimate estimate_of(const Problem& problem, const Plant& plant, const ConfidenceSet& set,
                     const std::vector<Table>& gains);

// Costs to go S_0, ..., S_T of the estimate itself, and the cost that they give.
std::vector<Mat> costs_to_go(const Estimate& at, const Mat& last);
Ball cost_of(const Estimate& at, const std::vector<Mat>& S, const Mat& U_0);
// Item 1 with this tau.
Ball guaranteed_cost(const Estimate& at, const Mat& last, const Mat& U_0, double tau);
// What item 4 takes.
Interconnection loop_of(const Estimate& at, const std::vector<Mat>& S, const Mat& U_0);
// Nominal cost, and what the error adds to it at most, by one of them.
std::pair<Ball, Ball> finite_cost(const Estimate& at, bool riccati, double tau, double nu,
                                  const Mat& last, const Mat& U_0);

// The bound whose events and assumptions are given, on the limits of the problem.
Bound with_limits(Bound bound, const Record& record, const Plant& plant, const Estimate& at,
                  const Mat& U_0);

}  // namespace verify
