#include "data/offsets.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"
#include "same_bits.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

double& entry(Matrix& matrix, Index i, Index j) { return matrix.data()[j * matrix.rows() + i]; }
double entry(const Matrix& matrix, Index i, Index j) {
  return matrix.data()[j * matrix.rows() + i];
}

// What the difference of the two offsets has done to entry k of the signals at step t + 1.
double moved(const Plant& plant, const Matrix& before, Index i, Index k, Index t) {
  if (!plant.has_state()) return 0;  // the offset of an output is of that output alone
  const Matrix& A = plant.A_at(t);
  double sum = 0;
  for (Index j = 0; j < A.cols(); ++j) sum += entry(A, k, j) * entry(before, i, t * A.cols() + j);
  return sum;
}

}  // namespace

Rollouts at_offset_of_plant(const Plant& plant, const KnownEpisodes& known) {
  const Sizes s = plant.sizes();
  Rollouts logs = known.logs;
  if (known.d.size() == 0) return logs;
  if (plant.G_x.size() > 0 && unseen_outputs(plant) == 0)
    throw InputError("d: not where the cost is on states");
  if (known.d.rows() != logs.x.rows() || known.d.cols() != s.T * s.n_x)
    throw_input_error(
        "d", fmt::format("{} x {}", known.d.rows(), known.d.cols()),
        fmt::format("{} x {}: T n_x numbers for each episode", logs.x.rows(), s.T * s.n_x));
  check_finite("d", known.d);
  Matrix shift(logs.x.rows(), s.d_x());
  for (Index i = 0; i < shift.size(); ++i) shift.data()[i] = 0;
  for (Index t = 0; t < s.T; ++t)
    for (Index k = 0; k < s.n_x; ++k)
      for (Index i = 0; i < shift.rows(); ++i) {
        const double own = plant.d.size() > 0 ? entry(plant.d, k, t) : 0.0;
        const double by = moved(plant, shift, i, k, t) + (entry(known.d, i, t * s.n_x + k) - own);
        entry(shift, i, (t + 1) * s.n_x + k) = by;
        entry(logs.x, i, (t + 1) * s.n_x + k) -= by;
      }
  return logs;
}

}  // namespace loopcert
