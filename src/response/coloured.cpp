#include "response/coloured.hpp"

#include "response/autoregressive.hpp"
#include "response/white_outputs.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

// In place, from block `first` on: correlations a^|t-s| of a chain that begins there with variance
// `unit`.
void set_chain(Matrix& Sigma, const Vector& unit, double a, Index first) {
  const Index n = unit.size(), T = Sigma.rows() / n;
  double variance = 0;
  for (Index s = first; s < T; ++s) {
    variance = 1 + a * a * variance;
    double c = variance;  // a^(t-s) of it with step t
    for (Index t = s; t < T; ++t, c *= a) {
      Sigma.block(t * n, s * n, n, n) = (c * unit).asDiagonal();
      Sigma.block(s * n, t * n, n, n) = (c * unit).asDiagonal();
    }
  }
}

Vector one_over(const Vector& costs) {
  return costs.unaryExpr([](double v) { return v > 0 ? 1 / v : 1.0; });
}

}  // namespace

const std::vector<double>& lqr_colours() {
  static const std::vector<double> colours = {0, 0.8, 1};
  return colours;
}

Response coloured_response(const System& system, const LqrGains& gains, double a) {
  if (!system.plant.has_state()) return white_outputs_response(system, a);
  if (a == 0) return lqr_response(system, gains);
  const Index n_x = system.sizes().n_x;
  return autoregressive_response(system, gains, a * Matrix::Identity(n_x, n_x));
}

Matrix coloured_covariance(const System& system, const LqrGains& gains, double a) {
  const Sizes sizes = system.sizes();
  const Index d_w = sizes.d_w();
  Matrix Sigma = Matrix::Identity(d_w, d_w);
  if (system.plant.has_state()) {  // x_0 is no part of the chain
    const Vector unit = one_over(gains.V[0].diagonal());
    Sigma.topLeftCorner(sizes.n_x, sizes.n_x) = unit.asDiagonal();
    set_chain(Sigma, unit, a, 1);
  } else if (sizes.n_w == sizes.n_x) {
    set_chain(Sigma, one_over(system.cost.Q_at(0, sizes.T).diagonal()), a, 0);
    if (unseen_outputs(system.plant) > 0) {
      Matrix ordered = Sigma;
      const std::vector<Index> places = free_places(system.plant);
      ordered(places, places) = Sigma;
      return ordered;
    }
  }
  return Sigma;
}

}  // namespace loopcert
