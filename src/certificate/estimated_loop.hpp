// The closed loop of a model's estimate under gains u_t = K_t zeta_t, and its cost.
#pragma once

#include <optional>
#include <vector>

#include "certificate/confidence_set.hpp"
#include "loopcert/core/types.hpp"
#include "model/linear_model.hpp"

namespace loopcert {

// zeta_{t+1} = A zeta_t + B u_t + E (Delta r_t + v_t), with the cost of the problem.
struct EstimatedLoop {
  LinearModel model;
  Matrix A, B;
  std::vector<Matrix> Q, R;    // one, or T; Q on zeta
  Matrix P;                    // of zeta_T
  Index T = 0;                 // 0: for ever
  std::vector<Matrix> N = {};  // 2 u'N zeta, as Q and R; empty: none

  const Matrix& Q_at(Index t) const { return Q.size() == 1 ? Q[0] : Q[static_cast<size_t>(t)]; }
  const Matrix& N_at(Index t) const { return N.size() == 1 ? N[0] : N[static_cast<size_t>(t)]; }
  const Matrix& R_at(Index t) const { return R.size() == 1 ? R[0] : R[static_cast<size_t>(t)]; }
};

using Gains = std::vector<Matrix>;  // n_u x n: one for each step, or one for all

EstimatedLoop loop_of(const Problem& problem, const LinearModel& model,
                      const EstimatedPlant& plant);

// One step under a gain.
struct LoopStep {
  Matrix Acl;     // A + B K
  Matrix C;       // Cr [I; K]: r_t = C zeta_t
  Matrix weight;  // Q + K'R K + K'N + N'K
};
LoopStep step_of(const EstimatedLoop& loop, const Matrix& K, Index t);

// Cost-to-go S_0 … S_T of the estimate itself: S_t = Q_K + Acl'S_{t+1} Acl.
std::vector<Matrix> costs_to_go(const EstimatedLoop& loop, const Gains& gains);

// tr(S_0 U_0) + sum_t tr(E'S_{t+1} E U_v).
double nominal_cost(const EstimatedLoop& loop, const Gains& gains, const Matrix& U_v,
                    const Matrix& U_0);

// The second moment of zeta_0 when that of the start is at most `of_start` and its mean zero.
Matrix start_on_state(const LinearModel& model, const Matrix& of_start);

}  // namespace loopcert
