// The sizes of a problem: signals in the cost, disturbances, measurements and inputs per step.
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// A disturbance trajectory w has (T+1) n_w entries. Those that the controller sees, (T+1) n_y of
// them, come first, step by step; the others follow. With the state measured all of them are seen:
// w = (x_0, w_0, …, w_{T-1}) and n_x = n_w = n_y.
struct Sizes {
  Sizes() = default;
  Sizes(Index x, Index w, Index y, Index u, Index steps)
      : n_x(x), n_w(w), n_y(y), n_u(u), T(steps) {}

  Index n_x = 0;  // signals in the cost: states, or outputs
  Index n_w = 0;  // disturbances
  Index n_y = 0;  // of which the controller sees this many
  Index n_u = 0;  // inputs
  Index T = 0;    // steps

  Index d_x() const { return (T + 1) * n_x; }
  Index d_w() const { return (T + 1) * n_w; }
  Index d_y() const { return (T + 1) * n_y; }
  Index d_u() const { return T * n_u; }
  Index d_xu() const { return d_x() + d_u(); }  // rows of M; d_y in the paper

  bool operator==(const Sizes&) const = default;
};

// The whole state is measured.
inline Sizes state_feedback(Index n_x, Index n_u, Index T) { return {n_x, n_x, n_x, n_u, T}; }

}  // namespace loopcert
