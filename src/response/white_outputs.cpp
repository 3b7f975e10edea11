#include "response/white_outputs.hpp"

#include "core/linalg.hpp"
#include "loopcert/core/error.hpp"
#include "system/stacked.hpp"

namespace loopcert {

// With P = G'Q G + R = U U', U upper triangular, N = G'Q F and F the map from the white part v to
// the signals: the columns of W that answer to v_t minimize alone, whatever the covariance of v_t,
//   W = -U^-T [ U^-1 N ]_causal,   Phi_u = W L^-1,  eta = L v.
Response white_outputs_response(const System& system, double a) {
  const PlantOperator plant = plant_operator(system.plant);
  const Sizes& s = plant.sizes;
  const Index d_u = s.d_u(), d_w = s.d_w();
  const Matrix G = plant.G(Matrix::Identity(d_u, d_u));
  const Matrix QG = apply_Q(system.cost, s, G);
  const Matrix U =
      upper_cholesky(G.transpose() * QG + apply_R(system.cost, s, Matrix::Identity(d_u, d_u)));
  const auto root = U.triangularView<Eigen::Upper>();
  Matrix Phi_u = Matrix::Zero(d_u, d_w);
  if (a != 0) {
    Matrix L = Matrix::Identity(d_w, d_w);  // of what is seen; the rest as it is
    double power = 1;
    for (Index lag = 1; lag <= s.T; ++lag) {
      power *= a;
      for (Index i = lag * s.n_y; i < s.d_y(); ++i) L(i, i - lag * s.n_y) = power;
    }
    Matrix W = root.solve(Matrix(QG.transpose() * plant.F(L)));
    project_causal({s, false, false}, W);
    W = -U.transpose().triangularView<Eigen::Lower>().solve(W);
    Phi_u = W;  // L^-1: v_t = eta_t - a eta_{t-1}
    Phi_u.leftCols(s.T * s.n_y) -= a * W.middleCols(s.n_y, s.T * s.n_y);
    if (s.d_y() > s.T * s.n_y) Phi_u.middleCols(s.T * s.n_y, d_w - s.T * s.n_y).setZero();
  }
  // Feedforward for what is known: all of the offset and of the reference at once.
  Vector known = plant.F(plant.d);
  if (system.cost.has_reference()) known -= system.cost.reference.reshaped();
  const Vector slope = QG.transpose() * known;
  Vector phi_u = -U.transpose().triangularView<Eigen::Lower>().solve(Vector(root.solve(slope)));
  if (known.isZero(0.0)) phi_u.setZero();
  if (!Phi_u.allFinite() || !phi_u.allFinite())
    throw NumericsError("the effect of the inputs is too large for double precision: check G");
  return complete_response(plant, std::move(Phi_u), std::move(phi_u));
}

}  // namespace loopcert
