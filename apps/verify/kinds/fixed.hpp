// What the kinds for one response that was fixed before the certifying data were seen share.
#pragma once

#include "kinds/kinds.hpp"

namespace verify {

// One response, as cost matrices of z = (1, w), and what its trajectories say.
struct Part {
  Mat gram, baseline;
  Data data;
  Mat metric;   // for differences: from data that do not certify, or empty
  Ball lambda;  // zero when the kind has none
};
// One of hold-out..., assumed..., improvement...
Bound one_response(const Record& record, const Part& part);

// Any metric will do that the certifying data did not make: this one is of the others.
Mat metric_of(const Table& rows, long n_x, const Mat& lqr_gram);
// Beside a difference, at least the cost itself: for what rounding may add.
Ball cost_above(const Part& part, double delta, Bound& bound);

// The mean over the folds of what the trajectories of each say about its response.
Bound cross_bound(const Case& given, const std::vector<Mat>& responses, const Mat& baseline);

}  // namespace verify
