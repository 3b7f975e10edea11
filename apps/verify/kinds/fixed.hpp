// What the kinds for one response that was fixed before the certifying data were seen share.
#pragma once

#include "kinds/kinds.hpp"

namespace verify {

// What all trajectories say about disturbances that follow from those before them.
struct Identified {
  long m = 0;              // directions
  Mat Lambda{0, 0};        // w = Lambda (s, e), s = (x_0, w_0, ..., w_{p-1}), E ee' = I
  Mat R{0, 0}, U_0{0, 0};  // regressors in units of their error, from (s, e); E ss' <= U_0
  Ball beta;
  Mat outside{0, 0};  // second moments of (1, w) outside the directions, if they are fewer
  std::vector<Event> events = {};
  Statements assumptions = {};
};
Identified identify(const Record& record, const Table& rows);
// At least the variance of row w for every model of the set, at each of which the first lemma of
// identified-cost.md holds for the cost (row w)^2.
Ball largest_variance(const Identified& model, const Mat& row);

// At least E z_j^2 for each entry of z = (1, w), but for a probability of `delta`.
struct SecondMoments {
  Mat S;
  double delta;
  Statement law;  // that this rests on, where the kind itself may hold for others too
};
SecondMoments second_moments(const Record& record, const Data& data);

// One response, as cost matrices of z = (1, w), and what its trajectories say.
struct Part {
  Mat gram, baseline;
  Data data;
  Mat metric;       // for differences: from data that do not certify, or empty
  Ball lambda;      // zero when the kind has none
  const Data& all;  // trajectories, whether they certify this response or not
  const Identified* model = nullptr;
};
// One of hold-out..., assumed..., improvement...
Bound one_response(const Record& record, const Part& part);

// Under what was identified: for every response, for one that was fixed before its data.
Bound identified_bound(const Record& record, const Mat& gram, const Identified& model);
Bound under_identified(const Record& record, const Part& part);

// Any metric will do that the certifying data did not make: this one is of the others.
Mat metric_of(const Table& rows, long n_x, const Mat& lqr_gram);
// Beside a difference, at least the cost itself: for what rounding may add.
Ball cost_above(const Part& part, double delta, Bound& bound);

// The rows first, first + step, ... of a table, or all others.
Table fold_rows(const Table& all, long first, long step, bool others_instead);
// The mean over the folds of what the trajectories of each say about its response.
Bound cross_bound(const Case& given, const std::vector<Mat>& responses, const Mat& baseline,
                  const Data& all, const Identified* model);

}  // namespace verify
