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

// How many transitions, the first in the order of the logs, only choose V_0: whole episodes, at
// least 6 % of them, for a finite horizon; otherwise 5 % of all transitions. In both cases at least
// four for each regressor. It depends on the sizes of the logs alone.
struct Pilot {
  Index transitions = 0;
  Index total = 0;  // pilot and all others
};
Pilot pilot_of(const LinearModel& model, const Logs& logs, bool whole_episodes);

// Of the transitions after the pilot; `prior` is 0.35 N / N_pilot times the pilot's Gram matrix.
// Throws InputError when a row that is known does not hold (with the row and where), and when
// nothing is left after the pilot.
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
