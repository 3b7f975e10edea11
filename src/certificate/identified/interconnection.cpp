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
  Matrix to_state(m.n(), T * n_r);  // of each j: Phi(t, j) M_j C_j'
  Matrix to_input(m.n(), T * n_v);  // of each j: Phi(t, j+1) E
  Matrix M = U_0;
  for (Index t = 0; t < T; ++t) {
    const LoopStep step = step_of(loop, gains[static_cast<size_t>(t)], t);
    const Index r = (t + 1) * n_r, v = (t + 1) * n_v;  // of all j <= t
    to_state.middleCols(t * n_r, n_r).noalias() = M * step.C.transpose();
    out.moments.block(t * n_r, 0, n_r, r).noalias() = step.C * to_state.leftCols(r);
    out.replies.block(t * n_r, 0, n_r, v - n_v).noalias() = step.C * to_input.leftCols(v - n_v);
    to_state.leftCols(r) = (step.Acl * to_state.leftCols(r)).eval();
    to_input.leftCols(v - n_v) = (step.Acl * to_input.leftCols(v - n_v)).eval();
    to_input.middleCols(t * n_v, n_v) = m.E;
    const Matrix ES = m.E.transpose() * S[static_cast<size_t>(t) + 1];
    out.to_cost.block(t * n_v, 0, n_v, r).noalias() = ES * to_state.leftCols(r);
    out.inputs.block(t * n_v, 0, n_v, v).noalias() = ES * to_input.leftCols(v);
    const Matrix next = step.Acl * M * step.Acl.transpose() + noise;
    M = 0.5 * (next + next.transpose());
  }
  out.moments.triangularView<Eigen::StrictlyUpper>() = out.moments.transpose();
  out.inputs.triangularView<Eigen::StrictlyUpper>() = out.inputs.transpose();
  return out;
}

}  // namespace loopcert
