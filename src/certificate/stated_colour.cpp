// A law that the file states beside disturbance.autoregressive must have that form.
#include <Eigen/QR>

#include "certificate/from_problem.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// Whether a law of (x_0, w_0, ...) has w_t = Phi r_t + v_t with one Phi, r_t = (w_{t-1}, ...,
// w_{t-p}), and v_t of one covariance that is uncorrelated with all before: up to rounding, in
// units of each entry.
bool follows_from(const Matrix& covariance, Index p, Index n_w) {
  constexpr double rounding = 1e-9;
  const Index T = covariance.rows() / n_w - 1;
  Vector unit = Vector::Zero(n_w);
  for (Index t = 0; t <= T; ++t)
    unit = unit.cwiseMax(covariance.diagonal().segment(t * n_w, n_w).cwiseSqrt());
  for (double& size : unit) size = size > 0 ? 1 / size : 0;
  const Vector all = unit.replicate(T + 1, 1);
  const Matrix C = all.asDiagonal() * covariance * all.asDiagonal();
  Matrix rr = Matrix::Zero(p * n_w, p * n_w), wr = Matrix::Zero(n_w, p * n_w);
  // Block t + 1 is w_t; r_t here from the oldest on.
  for (Index t = p; t < T; ++t) {
    rr += C.block((t + 1 - p) * n_w, (t + 1 - p) * n_w, p * n_w, p * n_w);
    wr += C.block((t + 1) * n_w, (t + 1 - p) * n_w, n_w, p * n_w);
  }
  const Matrix Phi = rr.completeOrthogonalDecomposition().solve(wr.transpose()).transpose();
  Matrix first;
  for (Index t = p; t < T; ++t) {
    const Matrix left = C.middleRows((t + 1) * n_w, n_w) -
                        Phi * C.middleRows((t + 1 - p) * n_w, p * n_w);  // E v_t (x_0, w_0, ...)'
    const Matrix own = left.middleCols((t + 1) * n_w, n_w);
    if (t == p) first = own;
    if (left.leftCols((t + 1) * n_w).cwiseAbs().maxCoeff() > rounding ||
        (own - first).cwiseAbs().maxCoeff() > rounding)
      return false;
  }
  return true;
}

}  // namespace

void check_stated_colour(const Problem& problem) {
  const Assumptions& assumptions = problem.disturbance;
  if (!assumptions.autoregressive || !assumptions.law) return;
  if (follows_from(assumptions.law->covariance, *assumptions.autoregressive, problem.sizes().n_w))
    return;
  throw_input_error(
      "disturbance.autoregressive",
      std::to_string(*assumptions.autoregressive) + " with a covariance of another colour",
      "a covariance in which w_t follows from so many before it, always in the same "
      "way");
}

}  // namespace loopcert
