#include "system/stacked.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

Matrix states(const Plant& plant, const MatrixView& W, const MatrixView& U) {
  const Sizes s = plant.sizes();
  Matrix Y = W + apply_Z_B(plant, U);
  for (Index t = 0; t < s.T; ++t)
    Y.middleRows((t + 1) * s.n_x, s.n_x).noalias() +=
        plant.A_at(t) * Y.middleRows(t * s.n_x, s.n_x);
  return Y;
}

Matrix output_signals(const Plant& plant, const MatrixView& W, const MatrixView& U) {
  const Matrix& G = plant.G_x.size() > 0 ? plant.G_x : plant.G;
  Matrix Y = unseen_outputs(plant) > 0 ? Matrix(W(free_places(plant), Eigen::all))
                                       : Matrix(W.bottomRows(G.rows()));
  Y.noalias() += G * U;
  return Y;
}

}  // namespace

PlantOperator plant_operator(const Plant& plant) {
  if (!plant.has_state())
    return {
        plant.sizes(),
        [plant](const MatrixView& W, const MatrixView& U) { return output_signals(plant, W, U); },
        plant.stacked_offset()};
  return {plant.sizes(),
          [plant](const MatrixView& W, const MatrixView& U) { return states(plant, W, U); },
          plant.stacked_offset()};
}

Matrix apply_Z_A(const Plant& plant, const MatrixView& X) {
  const Sizes s = plant.sizes();
  Matrix Y = Matrix::Zero(X.rows(), X.cols());
  for (Index t = 0; t < s.T; ++t)
    Y.middleRows((t + 1) * s.n_x, s.n_x).noalias() = plant.A_at(t) * X.middleRows(t * s.n_x, s.n_x);
  return Y;
}

Matrix apply_Z_B(const Plant& plant, const MatrixView& U) {
  const Sizes s = plant.sizes();
  Matrix Y = Matrix::Zero(s.d_x(), U.cols());
  for (Index t = 0; t < s.T; ++t)
    Y.middleRows((t + 1) * s.n_x, s.n_x).noalias() = plant.B_at(t) * U.middleRows(t * s.n_u, s.n_u);
  return Y;
}

}  // namespace loopcert
