#include "data/law_of_outputs.hpp"

namespace loopcert {

Law law_of_outputs(const Plant& plant, const StatedNoise& noise) {
  const Sizes s = plant.sizes();
  const Index n = plant.A[0].rows(), d = (s.T + 1) * n;
  // F: the states without inputs, block row t+1 = A_t block row t + I.
  Matrix F = Matrix::Identity(d, d), CF(s.d_y(), d);
  for (Index t = 0; t <= s.T; ++t) {
    const Matrix& C = plant.C.size() == 1 ? plant.C[0] : plant.C[static_cast<size_t>(t)];
    CF.middleRows(t * s.n_y, s.n_y).noalias() = C * F.middleRows(t * n, n);
    if (t < s.T) F.middleRows((t + 1) * n, n).noalias() += plant.A_at(t) * F.middleRows(t * n, n);
  }
  Matrix map = CF;
  if (plant.G_x.size() > 0) {
    map.resize(s.d_w(), d);
    map << CF, F;
  }
  Law law{map * noise.states.mean, map * noise.states.covariance * map.transpose()};
  law.covariance.topLeftCorner(s.d_y(), s.d_y()) += noise.measurement;
  law.covariance = 0.5 * (law.covariance + law.covariance.transpose()).eval();
  return law;
}

}  // namespace loopcert
