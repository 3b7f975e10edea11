#include "response/coloured.hpp"

#include "core/linalg.hpp"

namespace loopcert {
namespace {

// With E w_{t+k} = a^{k+1} w_{t-1} the cost-to-go is x'V x + 2 x'W w + ..., backwards from W_T = 0:
//   N_t = -a G_t^-1 B'(V_{t+1} + W_{t+1}),   W_t = a (A + B K_t)'(V_{t+1} + W_{t+1}).
std::vector<Matrix> disturbance_gains(const System& system, const LqrGains& gains, double a) {
  const Sizes sizes = system.sizes();
  const Index n_x = sizes.n_x, T = sizes.T;
  std::vector<Matrix> N(static_cast<size_t>(T));
  Matrix W = Matrix::Zero(n_x, n_x);
  for (Index t = T - 1; t >= 0; --t) {
    const auto at = static_cast<size_t>(t);
    const Matrix& B = system.plant.B_at(t);
    const Matrix sum = a * (gains.V[at + 1] + W);
    const Matrix U = upper_cholesky(gains.G[at]);  // G = U U'
    N[at] = -U.transpose().triangularView<Eigen::Lower>().solve(
        Matrix(U.triangularView<Eigen::Upper>().solve(Matrix(B.transpose() * sum))));
    W = (system.plant.A_at(t) + B * gains.K[at]).transpose() * sum;
  }
  return N;
}

}  // namespace

const std::vector<double>& lqr_colours() {
  static const std::vector<double> colours = {0, 0.8, 1};
  return colours;
}

Response coloured_response(const System& system, const LqrGains& gains, double a) {
  if (a == 0) return lqr_response(system, gains);
  const Sizes sizes = system.sizes();
  const Index n_x = sizes.n_x, n_u = sizes.n_u, T = sizes.T;
  const std::vector<Matrix> N = disturbance_gains(system, gains, a);
  Response r = lqr_response(system, gains);
  for (Index t = 0; t < T; ++t) {
    const auto at = static_cast<size_t>(t);
    const Index now = t * n_x, next = now + n_x, input = t * n_u;
    auto U = r.Phi_u.block(input, 0, n_u, next);
    U.noalias() = gains.K[at] * r.Phi_x.block(now, 0, n_x, next);
    if (t > 0) U.rightCols(n_x) += N[at];  // block t of a trajectory is w_{t-1}
    r.Phi_x.block(next, 0, n_x, next).noalias() =
        system.plant.A_at(t) * r.Phi_x.block(now, 0, n_x, next) + system.plant.B_at(t) * U;
  }
  return r;
}

Matrix coloured_covariance(const System& system, const LqrGains& gains, double a) {
  const Sizes sizes = system.sizes();
  const Index n_x = sizes.n_x, T = sizes.T;
  const Vector unit = gains.V[0].diagonal().unaryExpr([](double v) { return v > 0 ? 1 / v : 1.0; });
  Matrix Sigma = Matrix::Zero((T + 1) * n_x, (T + 1) * n_x);
  Sigma.topLeftCorner(n_x, n_x) = unit.asDiagonal();
  double variance = 0;  // of w_s, from w_0 of variance 1 on
  for (Index s = 0; s < T; ++s) {
    variance = 1 + a * a * variance;
    double c = variance;  // a^(t-s) of it with w_t
    for (Index t = s; t < T; ++t, c *= a) {
      Sigma.block((t + 1) * n_x, (s + 1) * n_x, n_x, n_x) = (c * unit).asDiagonal();
      Sigma.block((s + 1) * n_x, (t + 1) * n_x, n_x, n_x) = (c * unit).asDiagonal();
    }
  }
  return Sigma;
}

}  // namespace loopcert
