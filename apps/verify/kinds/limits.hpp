// Certificates that limits hold: docs/theory/limits.md.
#pragma once

#include "kinds/fixed.hpp"

namespace verify {

// Rows at their steps in a closed loop: the value of row c is rows(c) (1, w).
struct Rows {
  Mat all{0, 0};  // C x (1 + d_w)
  std::vector<Interval> within = {};

  long count() const { return all.rows(); }
};
Rows rows_at_steps(const Problem& problem, const Response& response);
// The same as a function of the inputs alone, C x d_u.
Mat rows_of_inputs(const Problem& problem);

// A response that differs from the one looked at by rounding: its rows, and at least the root mean
// square of each difference.
struct Nearby {
  Rows rows;
  Mat room{0, 0};  // C x 1
};

// What a kind says of the law of the disturbances before it looks at a response: the variance of
// a'w is at most a'above a, or as large as in a set of models.
struct RowLaw {
  Mat above{0, 0};
  std::optional<Identified> model = {};
  std::vector<Event> events = {};
  Statements assumptions = {};
};
// For every kind but limits-count, limits-robust and limits-tolerance of an unknown mean, which
// have none. `fresh`: what certifies a response that was fixed before.
RowLaw row_law(const Record& record, const Data& fresh, const Table& all);
// At least the standard deviation of each row.
Mat row_deviations(const RowLaw& law, const Rows& rows);
// Beside them, what is recorded outside the directions in which disturbances act; or nothing.
std::optional<Nearby> outside_of(const RowLaw& law, const Rows& rows);

// Each row's probability, and all of them as the problem asks: their sum, or the largest.
Ball together(const Limits& limits, const std::vector<Ball>& each);
Ball violation_of(const Limits& limits, const Rows& rows, const Mat& deviations,
                  const Nearby* near = nullptr);

// The kinds without a law. slack: of each row in units of the sum of |(1, w)|, or empty.
Bound count_bound(const Record& record, const Rows& rows, const Data& fresh, const Mat& slack);
Bound robust_bound(const Record& record, const Rows& rows, const Table& all);
Ball violation_any_mean(const Record& record, const Rows& rows, const Data& fresh,
                        const Nearby* near = nullptr);

// One response, one kind; near: what is deployed, where only rounding is between them.
Bound limits_of_response(const Record& record, const Rows& rows, const Case& given,
                         const Nearby* near, const Mat& slack);

// Fixed-sequence testing. members: all kinds that may let a controller pass, of one delta.
Bound limits_of_path(const Case& given, const std::vector<Record>& members,
                     const Response& deployed);

}  // namespace verify
