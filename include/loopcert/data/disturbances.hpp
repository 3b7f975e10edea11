// Recorded disturbance trajectories, their second moments, and their reconstruction from logs.
#pragma once

#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/system/plant.hpp"

namespace loopcert {

// Logged episodes. Row i of x is (x_0, …, x_T) and row i of u is (u_0, …, u_{T-1}) of episode i.
struct Rollouts {
  Matrix x;  // n x (T+1) n_x
  Matrix u;  // n x T n_u
};

struct Disturbances {
  Matrix w;            // n x d_w, row i is one trajectory (x_0, w_0, …, w_{T-1})
  Rollouts logs = {};  // what w was computed from, row by row; empty where w itself was recorded

  Index n() const { return w.rows(); }
  bool from_logs() const { return logs.x.rows() > 0; }
};

// Throws InputError: n = 0, wrong number of columns (named with the d_w it should be), NaN or Inf
// (named with its row and column).
void check_disturbances(const Disturbances& data, const Sizes& sizes);

// w_t = x_{t+1} - A_t x_t - B_t u_t - d_t, and x_0 in front. The same bits in every build.
Disturbances reconstruct_disturbances(const Plant& plant, const Rollouts& rollouts);

// The rows named, in that order.
Disturbances select_rows(const Disturbances& data, const std::vector<Index>& rows);

}  // namespace loopcert
