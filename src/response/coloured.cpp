#include "response/coloured.hpp"

#include "response/autoregressive.hpp"

namespace loopcert {
const std::vector<double>& lqr_colours() {
  static const std::vector<double> colours = {0, 0.8, 1};
  return colours;
}

Response coloured_response(const System& system, const LqrGains& gains, double a) {
  if (a == 0) return lqr_response(system, gains);
  const Index n_x = system.sizes().n_x;
  return autoregressive_response(system, gains, a * Matrix::Identity(n_x, n_x));
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
