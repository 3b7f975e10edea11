// Holds a record against the files, and against the bound that was recomputed.
#pragma once

#include "kinds/kinds.hpp"
#include "portfolio/portfolio.hpp"

namespace verify {

// What does not depend on data: the problem's hash, the kind, what no law has, deltas.
void check_problem(const Record& record);
// What does not depend on the precision: that, hashes, sizes, repeated trajectories.
void check_files(const Record& record, const Controller& controller, const Table& data);
// The trajectories that certify: those that the controller or the prior was not learned from.
Table certifying_rows(const Record& record, const Table& data);

// Rows that point into different directions, in units of each column and up to rounding; whether
// there are several on one line, and their lengths could be those of draws of a Gaussian number.
struct Distinct {
  long directions = 0;
  bool line = false;
};
Distinct distinct(const Table& data);
// Refuted when they cannot be independent draws of a Gaussian law, where the kind needs one.
void require_draws(const Record& record, const Table& rows, const Distinct& found);

// 1 - sum of the deltas; Refuted when the record states more.
Ball check_confidence(const Record& record);

// Refuted when some entry's mean is further from zero than chance leads once in 10^10.
void require_likely_mean(const Data& data);
// Refuted when the data contradict a mean of zero that the bound rests on, and when no law that the
// assumptions allow could cost so little.
void require_possible(const Record& record, const Bound& bound, const Controller& controller,
                      const Table& rows, double value);

// The upper end of the bound. Refuted with the first thing that fails, TooWide when balls are too
// wide to tell.
double judge(const Record& record, const Bound& bound);

}  // namespace verify
