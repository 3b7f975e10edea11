// A plant of which a part is unknown:
//   zeta_{t+1} = A0 zeta_t + B0 u_t + E (Theta r_t + v_t),   r_t = Cr (zeta_t, u_t),
// Theta unknown and constant, v_t ~ N(0, Sigma_v) independent of everything before. zeta = xi, or
// (1, xi) where something is constant; xi = (y_t, …, y_{t-p+1}, u_{t-1}, …, u_{t-p+1}) with p lags,
// which is the state itself for one lag (docs/theory/identified-models.md).
#pragma once

#include "data/logs.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

struct LinearModel {
  Index n_y = 0, n_u = 0, lags = 1;
  bool constant = false;  // zeta begins with a 1
  Matrix A0, B0;          // n x n, n x n_u
  Matrix E;               // n x n_v: columns of the identity, the unknown rows
  Matrix Cr;              // n_r x (n + n_u): rows of the identity

  Index n() const { return A0.rows(); }
  Index n_v() const { return E.cols(); }
  Index n_r() const { return Cr.rows(); }
  Index first() const { return constant ? 1 : 0; }  // where xi begins in zeta
};

// Throws InputError unless the problem identifies its plant.
LinearModel model_of(const Problem& problem);

// y_{t+1} = Theta (y_t, …, y_{t-p+1}) + v_t, without inputs: a disturbance of unknown colour.
LinearModel colour_model(Index n_y, Index lags);

// zeta_t of a log for t = lags-1 … steps, a column each.
Matrix states_of_log(const LinearModel& model, const LogEpisode& log);

// A and B of the estimate: A0 + E Theta Cr(:, zeta), B0 + E Theta Cr(:, u).
struct EstimatedPlant {
  Matrix A, B;
};
EstimatedPlant plant_at(const LinearModel& model, const Matrix& Theta);

// The weights of zeta: Q on y_t, zero elsewhere.
Matrix weight_on_state(const LinearModel& model, const Matrix& Q);

// What zeta's entries and r's entries are called: "constant", "x0", "x0 before", "u0", "u0, 2
// before".
std::vector<std::string> regressor_names(const LinearModel& model, const DataLayout& layout);

}  // namespace loopcert
