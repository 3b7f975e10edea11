#include "certificate/identified_cost.hpp"

namespace loopcert {

// With Phi(t, j) = Acl_{t-1} … Acl_j, S_t the cost-to-go and M_t = E zeta_t zeta_t' of the
// estimate:
//   H_t'H_j = E'S_{t+1} Phi(t+1, j+1) E            j <= t
//   E (H_t'z) r_j' = E'S_{t+1} Phi(t+1, j) M_j C_j'  j <= t; later j are not needed
//   E r_t r_j' = C_t Phi(t, j) M_j C_j'            j <= t
//   L_tj = C_t Phi(t, j+1) E                       j < t
Interconnection interconnection_of(const EstimatedLoop& loop, const Gains& gains, const Matrix& U_v,
                                   const Matrix& U_0) {
  const LinearModel& m = loop.model;
  const Index T = loop.T, n_v = m.n_v(), n_r = m.n_r();
  Interconnection out{T, n_v, n_r, nominal_cost(loop, gains, U_v, U_0), {}, {}, {}, {}};
  out.to_cost = Matrix::Zero(T * n_v, T * n_r);
  out.inputs = Matrix::Zero(T * n_v, T * n_v);
  out.moments = Matrix::Zero(T * n_r, T * n_r);
  out.replies = Matrix::Zero(T * n_r, T * n_v);
  const std::vector<Matrix> S = costs_to_go(loop, gains);
  const Matrix noise = m.E * U_v * m.E.transpose();
  std::vector<Matrix> to_state;  // of each j: Phi(t, j) M_j C_j'
  std::vector<Matrix> to_input;  // of each j: Phi(t, j+1) E
  Matrix M = U_0;
  for (Index t = 0; t < T; ++t) {
    const LoopStep step = step_of(loop, gains[static_cast<size_t>(t)], t);
    to_state.emplace_back(M * step.C.transpose());
    for (Index j = 0; j <= t; ++j) {
      const Matrix rr = step.C * to_state[static_cast<size_t>(j)];
      out.moments.block(t * n_r, j * n_r, n_r, n_r) = rr;
      out.moments.block(j * n_r, t * n_r, n_r, n_r) = rr.transpose();
      if (j < t)
        out.replies.block(t * n_r, j * n_v, n_r, n_v) = step.C * to_input[static_cast<size_t>(j)];
    }
    for (Matrix& state : to_state) state = step.Acl * state;
    for (Matrix& input : to_input) input = step.Acl * input;
    to_input.push_back(m.E);
    const Matrix ES = m.E.transpose() * S[static_cast<size_t>(t) + 1];
    for (Index j = 0; j <= t; ++j) {
      out.to_cost.block(t * n_v, j * n_r, n_v, n_r) = ES * to_state[static_cast<size_t>(j)];
      const Matrix HH = ES * to_input[static_cast<size_t>(j)];
      out.inputs.block(t * n_v, j * n_v, n_v, n_v) = HH;
      out.inputs.block(j * n_v, t * n_v, n_v, n_v) = HH.transpose();
    }
    const Matrix next = step.Acl * M * step.Acl.transpose() + noise;
    M = 0.5 * (next + next.transpose());
  }
  return out;
}

}  // namespace loopcert
