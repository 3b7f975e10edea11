// Plants that nobody knows: docs/theory/identified-models.md and identified-cost.md, items 1 to 4.
#pragma once

#include "formats/logs.hpp"
#include "kinds/kinds.hpp"

namespace verify {

// zeta_{t+1} = A zeta_t + B u_t + E (Theta r_t + v_t), r = Cr (zeta, u), Theta unknown. zeta = xi
// or (1, xi), xi = (y_t, ..., y_{t-p+1}, u_{t-1}, ..., u_{t-p+1}).
struct Plant {
  long n_x = 0, n_u = 0, lags = 1;
  bool constant = false;
  Mat A{0, 0}, B{0, 0}, E{0, 0}, Cr{0, 0};

  long n() const { return A.rows(); }
  long first() const { return constant ? 1 : 0; }  // of xi in zeta
};
Plant plant_of(const Problem& problem);

// Transitions, those first that choose V_0: of an infinite horizon the first of the logs, in the
// order of time; otherwise whole episodes, by the order of the starts.
struct Transition {
  Table r, y;  // a row each
  long pilot = 0;
};
// Refuted when a row that is known does not hold up to rounding, or nothing is left after the
// pilot.
Transition transitions_of(const Problem& problem, const Plant& plant, const Logs& logs);

// Those of one log, after the ones that are there.
void add_transitions(Transition& seen, const Problem& problem, const Plant& plant, const Log& log);
// What the transitions after the pilot say of the plant and its noise.
ConfidenceSet set_of(const Record& record, const Transition& seen);

// Refuted unless the controller's file has exactly the gains of the record.
void require_gains(const Record& record, const Controller& controller);

Bound plant_bound(const Record& record, const Logs& logs);

}  // namespace verify
