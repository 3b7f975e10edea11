// Logs as transitions of a linear model: the sums that a confidence set is made from, those of a
// pilot part apart.
#pragma once

#include "model/linear_model.hpp"
#include "model/transition_sums.hpp"

namespace loopcert {

// One log: r_t and what is left of zeta_{t+1} - A0 zeta_t - B0 u_t, a column for each transition.
struct LogTransitions {
  Matrix r, change;
};
LogTransitions transitions_of(const LinearModel& model, const LogEpisode& log);

// Which transitions only choose V_0. For a finite horizon whole episodes, at least 6 % of them,
// evenly spaced in the order of their starts: neither noise nor the order of the files chooses
// them. Otherwise the first 5 % of all transitions, the logs in the order of time. In both cases at
// least four for each regressor.
struct Pilot {
  std::vector<Index> of_log;  // so many of the first of each
  Index transitions = 0;      // all of these
  Index total = 0;            // pilot and all others
};
Pilot pilot_of(const LinearModel& model, const Logs& logs, bool whole_episodes);

// Of the transitions outside the pilot; `prior` is 0.35 N / N_pilot times the pilot's Gram matrix.
// Throws InputError when a row that is known does not hold (with the row and where), and when
// nothing is left outside the pilot.
TransitionSums sums_of(const LinearModel& model, const Logs& logs, const Pilot& pilot);

// What coefficients leave over, v_t = y_t - Theta r_t: n_v x transitions for each log.
std::vector<Matrix> innovations_of(const LinearModel& model, const Logs& logs, const Matrix& Theta);

// The second moment of y_0: (1/n) sum y_0 y_0'.
Matrix start_moment(const Logs& logs);

// The direction in (zeta, u) that the transitions excite least, in units of each entry's own size.
struct Excitation {
  double ratio = 0;  // of the smallest to the largest eigenvalue of the Gram with a unit diagonal
  Vector direction;  // unit length, those units
};
Excitation least_excited(const Matrix& gram);

}  // namespace loopcert
