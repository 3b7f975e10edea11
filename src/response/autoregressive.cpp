#include "response/autoregressive.hpp"

#include <algorithm>

#include "core/linalg.hpp"

namespace loopcert {
namespace {

// The lags l_t = (w_{t-1}, ..., w_{t-p}) move by l_{t+1} = C l_t + (v_t, 0, ...).
Matrix companion(const Matrix& Phi) {
  const Index n_x = Phi.rows(), kept = Phi.cols() - n_x;
  Matrix C = Matrix::Zero(Phi.cols(), Phi.cols());
  C.topRows(n_x) = Phi;
  C.bottomLeftCorner(kept, kept).setIdentity();
  return C;
}

// Of step t: lags from before the first disturbance are zero.
Matrix coefficients_at(Index t, const Matrix& later, const std::vector<Matrix>& first) {
  if (t < 1 || t > static_cast<Index>(first.size())) return later;
  const Matrix& known = first[static_cast<size_t>(t) - 1];
  Matrix Phi = Matrix::Zero(later.rows(), later.cols());
  Phi.leftCols(known.cols()) = known;
  return Phi;
}

// The cost-to-go is x'V x + 2 x'W l + ..., backwards from W_T = 0:
//   N_t = -G_t^-1 B'(V_{t+1} Phi + W_{t+1} C),   W_t = (A + B K_t)'(V_{t+1} Phi + W_{t+1} C).
std::vector<Matrix> lag_gains(const System& system, const LqrGains& gains, const Matrix& later,
                              const std::vector<Matrix>& first) {
  const Sizes sizes = system.sizes();
  std::vector<Matrix> N(static_cast<size_t>(sizes.T));
  Matrix W = Matrix::Zero(sizes.n_x, later.cols());
  for (Index t = sizes.T - 1; t >= 0; --t) {
    const auto at = static_cast<size_t>(t);
    const Matrix& B = system.plant.B_at(t);
    const Matrix Phi = coefficients_at(t, later, first);
    const Matrix sum = gains.V[at + 1] * Phi + W * companion(Phi);
    const Matrix U = upper_cholesky(gains.G[at]);  // G = U U'
    N[at] = -U.transpose().triangularView<Eigen::Lower>().solve(
        Matrix(U.triangularView<Eigen::Upper>().solve(Matrix(B.transpose() * sum))));
    W = (system.plant.A_at(t) + B * gains.K[at]).transpose() * sum;
  }
  return N;
}

}  // namespace

Response autoregressive_response(const System& system, const LqrGains& gains, const Matrix& Phi,
                                 const std::vector<Matrix>& first) {
  const Sizes sizes = system.sizes();
  const Index n_x = sizes.n_x, n_u = sizes.n_u, T = sizes.T, p = Phi.cols() / n_x;
  const std::vector<Matrix> N = lag_gains(system, gains, Phi, first);
  Response r = lqr_response(system, gains);
  for (Index t = 0; t < T; ++t) {
    const auto at = static_cast<size_t>(t);
    const Index now = t * n_x, next = now + n_x, input = t * n_u;
    auto U = r.Phi_u.block(input, 0, n_u, next);
    U.noalias() = gains.K[at] * r.Phi_x.block(now, 0, n_x, next);
    for (Index j = 0; j < std::min(p, t); ++j)  // block t - j of a trajectory is w_{t-1-j}
      U.middleCols((t - j) * n_x, n_x) += N[at].middleCols(j * n_x, n_x);
    r.Phi_x.block(next, 0, n_x, next).noalias() =
        system.plant.A_at(t) * r.Phi_x.block(now, 0, n_x, next) + system.plant.B_at(t) * U;
  }
  return r;
}

}  // namespace loopcert
