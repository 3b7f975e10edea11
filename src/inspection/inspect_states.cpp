// Were states handed in where disturbances belong? Then each step follows from the one before it.
#include <Eigen/QR>

#include "assumed_checks.hpp"

namespace loopcert {
namespace {

constexpr double largest_rest = 0.25;  // of the size of a step: what A x_t may leave over
constexpr double largest_start = 2;    // the same of the first step, over that of the others
constexpr Index fewest = 20;           // numbers to judge from: fewer do so by chance

}  // namespace

// With r_t = x_{t+1} - A x_t, without the directions that inputs reach: for states it is the
// disturbance, small beside x_{t+1} and at the first step as large as at others. Coloured
// disturbances follow from each other too, but w_0 does not follow from x_0.
bool looks_like_states(const Plant& plant, const Disturbances& data) {
  const Sizes sizes = plant.sizes();
  const Index n_x = sizes.n_x, T = sizes.T;
  if (!plant.has_state() || T < 3 || data.n() < 2 || plant.A.size() > 1 || plant.B.size() > 1)
    return false;
  const Matrix centred = data.w.rowwise() - data.w.colwise().mean();  // a mean follows from itself
  const auto at = [&, width = n_x](Index t) { return centred.middleCols(t * width, width); };
  Vector size = Vector::Zero(n_x);
  for (Index t = 0; t <= T; ++t) size += at(t).colwise().squaredNorm().transpose();
  if (!(size.minCoeff() > 0) || !size.allFinite()) return false;
  const Vector unit = size.cwiseSqrt().cwiseInverse();  // every coordinate counts alike
  const Eigen::ColPivHouseholderQR<Matrix> qr(unit.asDiagonal() * plant.B[0]);
  const Index rank = qr.rank() < n_x ? qr.rank() : 0;  // all directions, if inputs reach all
  const Matrix Q = qr.householderQ() * Matrix::Identity(n_x, n_x);
  if ((data.n() - 1) * (T - 1) * (n_x - rank) < fewest) return false;
  const Matrix N = unit.asDiagonal() * Q.rightCols(n_x - rank);
  double first = 0, rest = 0, steps = 0;
  for (Index t = 0; t < T; ++t) {
    (t == 0 ? first : rest) += ((at(t + 1) - at(t) * plant.A[0].transpose()) * N).squaredNorm();
    if (t > 0) steps += (at(t + 1) * N).squaredNorm();
  }
  return rest < largest_rest * steps && first < largest_start * rest / static_cast<double>(T - 1);
}

const std::string& states_sentence() {
  static const std::string sentence =
      "the rows look like states, not disturbances: each step follows from the one before by A; "
      "logged states and inputs go to --rollouts";
  return sentence;
}

}  // namespace loopcert
