#include "response/lqr.hpp"

#include <Eigen/QR>

#include "core/linalg.hpp"
#include "loopcert/core/error.hpp"
#include "response/white_outputs.hpp"

namespace loopcert {

namespace {

// V = S'S, exactly symmetric.
Matrix gram_of(const Matrix& S) {
  Matrix V = Matrix::Zero(S.cols(), S.cols());
  V.selfadjointView<Eigen::Lower>().rankUpdate(S.transpose());
  return V.selfadjointView<Eigen::Lower>();
}

}  // namespace

// Cost-to-go x'V_t x + 2 v_t'x + const, in square-root form: with V_{t+1} = S'S, one QR step
//   [ R^1/2   0     ]       [ G^1/2  G^1/2 (-K) ]
//   [ S B     S A   ]  = Q  [ 0      S_t        ]
//   [ 0       Q^1/2 ]
// so V_t is positive semidefinite by construction, however long or stiff the problem.
LqrGains lqr_gains(const System& system) {
  if (!system.plant.has_state()) return {};
  const Sizes sizes = system.sizes();
  const Index n_x = sizes.n_x, n_u = sizes.n_u, T = sizes.T;
  const Plant& plant = system.plant;
  LqrGains gains;
  gains.K.resize(static_cast<size_t>(T));
  gains.k.resize(static_cast<size_t>(T));
  gains.V.resize(static_cast<size_t>(T + 1));
  gains.G.resize(static_cast<size_t>(T));
  Matrix S = scaled_root(system.cost.P);
  gains.V.back() = system.cost.P;
  // (x - r)'Q(x - r) adds -Q r to v.
  const auto pull = [&](Index t) -> Vector {
    if (system.cost.reference.size() == 0) return Vector::Zero(n_x);
    return -system.cost.Q_at(t, T) * system.cost.reference.col(t);
  };
  Vector v = pull(T);
  for (Index t = T - 1; t >= 0; --t) {
    const Matrix& A = plant.A_at(t);
    const Matrix& B = plant.B_at(t);
    Matrix stack = Matrix::Zero(n_u + 2 * n_x, n_u + n_x);
    stack.topLeftCorner(n_u, n_u) = scaled_root(system.cost.R_at(t));
    stack.block(n_u, 0, n_x, n_u) = S * B;
    stack.block(n_u, n_u, n_x, n_x) = S * A;
    stack.bottomRightCorner(n_x, n_x) = scaled_root(system.cost.Q_at(t, T));
    const Eigen::HouseholderQR<Eigen::Ref<Matrix>> qr(stack);  // in place: R in the upper triangle
    const auto G_root = stack.topLeftCorner(n_u, n_u).triangularView<Eigen::Upper>();
    const Matrix K = -G_root.solve(Matrix(stack.topRightCorner(n_u, n_x)));

    const Vector d = plant.d.size() > 0 ? Vector(plant.d.col(t)) : Vector::Zero(n_x);
    const Matrix& V_next = gains.V[static_cast<size_t>(t + 1)];
    const Vector slope = -B.transpose() * (V_next * d + v);
    const Vector k = G_root.solve(
        stack.topLeftCorner(n_u, n_u).transpose().triangularView<Eigen::Lower>().solve(slope));
    v = A.transpose() * (V_next * (B * k + d) + v) + pull(t);

    S = stack.block(n_u, n_u, n_x, n_x).triangularView<Eigen::Upper>();
    if (!S.allFinite() || !K.allFinite())
      throw NumericsError("LQR: the cost from step " + std::to_string(t) +
                          " on is too large for double precision: check A, B and the horizon");
    gains.K[static_cast<size_t>(t)] = K;
    gains.k[static_cast<size_t>(t)] = k;
    gains.V[static_cast<size_t>(t)] = gram_of(S);
    gains.G[static_cast<size_t>(t)] = gram_of(G_root);
  }
  return gains;
}

Response lqr_response(const System& system, const LqrGains& gains) {
  if (!system.plant.has_state()) return white_outputs_response(system, 0);
  const Sizes sizes = system.sizes();
  const Index n_x = sizes.n_x, n_u = sizes.n_u, T = sizes.T;
  Response r;
  r.Phi_x = Matrix::Identity(sizes.d_w(), sizes.d_w());
  r.Phi_u = Matrix::Zero(sizes.d_u(), sizes.d_w());
  r.phi_x = system.plant.stacked_offset();
  r.phi_u = Vector::Zero(sizes.d_u());
  for (Index t = 0; t < T; ++t) {
    const Matrix& A = system.plant.A_at(t);
    const Matrix& B = system.plant.B_at(t);
    const Matrix& K = gains.K[static_cast<size_t>(t)];
    const Index now = t * n_x, next = now + n_x, input = t * n_u;
    // u_t = K_t x_t + k_t and x_{t+1} = A x_t + B u_t + …, on the columns that have begun.
    const auto X = r.Phi_x.block(now, 0, n_x, next);
    r.Phi_u.block(input, 0, n_u, next).noalias() = K * X;
    r.Phi_x.block(next, 0, n_x, next).noalias() = A * X + B * r.Phi_u.block(input, 0, n_u, next);
    const Vector x = r.phi_x.segment(now, n_x);
    r.phi_u.segment(input, n_u) = K * x + gains.k[static_cast<size_t>(t)];
    r.phi_x.segment(next, n_x) += A * x + B * r.phi_u.segment(input, n_u);
  }
  return r;
}

Response lqr_response(const System& system) { return lqr_response(system, lqr_gains(system)); }

LqrInputs lqr_inputs(const System& system, const LqrGains& gains) {
  const Sizes sizes = system.sizes();
  const Index n_x = sizes.n_x, n_u = sizes.n_u, T = sizes.T;
  LqrInputs r{Matrix::Zero(T * n_u, T * n_u), Matrix::Zero((T + 1) * n_x, T * n_u)};
  const Matrix I = Matrix::Identity(n_u, n_u);
  for (Index t = 0; t < T; ++t) {
    const auto at = static_cast<size_t>(t);
    const Index now = t * n_x, next = now + n_x, input = t * n_u, seen = input + n_u;
    r.to_u.block(input, 0, n_u, input) = gains.K[at] * r.to_x.block(now, 0, n_x, input);
    r.to_u.block(input, input, n_u, n_u) =  // G = U U', L = U^-T
        upper_cholesky(gains.G[at]).transpose().triangularView<Eigen::Lower>().solve(I);
    r.to_x.block(next, 0, n_x, seen).noalias() =
        system.plant.A_at(t) * r.to_x.block(now, 0, n_x, seen) +
        system.plant.B_at(t) * r.to_u.block(input, 0, n_u, seen);
  }
  return r;
}

}  // namespace loopcert
