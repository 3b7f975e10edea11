// lqg: the Kalman filter and the Riccati recursion, for a plant given by A, B and C whose noise is
// stated and white. It looks at no data.
#include <Eigen/QR>

#include "loopcert/core/error.hpp"
#include "methods.hpp"
#include "response/lqr.hpp"
#include "response/response.hpp"

namespace loopcert {
namespace {

bool is_white(const Matrix& covariance, Index n) {
  for (Index t = 0; t * n < covariance.rows(); ++t)
    if (!covariance.block((t + 1) * n, t * n, covariance.rows() - (t + 1) * n, n).isZero(0.0))
      return false;
  return true;
}

const StatedNoise& noise_of(const Problem& problem) {
  const Plant& plant = problem.system.plant;
  const auto& noise = problem.disturbance.noise;
  if (plant.has_state() || !noise)
    throw_input_error("learning.method", "'lqg'",
                      "A, B and C in [system], and disturbance.covariance and measurement");
  if (plant.delay > 0 || !noise->states.mean.isZero(0.0))
    throw_input_error("learning.method", "'lqg'",
                      "optimum, which takes a delay and a mean: lqg does without");
  if (!is_white(noise->states.covariance, plant.A[0].rows()) ||
      !is_white(noise->measurement, plant.sizes().n_y))
    throw_input_error("learning.method", "'lqg'",
                      "optimum, which takes noise with a colour: lqg is for white noise");
  return *noise;
}

const Matrix& C_at(const Plant& plant, Index t) {
  return plant.C.size() == 1 ? plant.C[0] : plant.C[static_cast<size_t>(t)];
}

// The state as if it were measured; a cost on outputs is x'C'Q C x, for v_t is independent of x_t.
System full_state(const System& system) {
  const Plant& plant = system.plant;
  System full{{}, system.cost};
  full.plant.T = plant.T;
  full.plant.A = plant.A;
  full.plant.B = plant.B;
  full.cost.reference = {};  // moves the feedforward, not the gains
  if (plant.G_x.size() > 0) return full;
  full.cost.Q.clear();
  for (Index t = 0; t <= plant.T; ++t) {
    const Matrix& C = C_at(plant, t);
    Matrix weight = C.transpose() * system.cost.Q_at(t, plant.T) * C;
    weight = 0.5 * (weight + weight.transpose()).eval();
    if (t < plant.T)
      full.cost.Q.push_back(std::move(weight));
    else
      full.cost.P = std::move(weight);
  }
  return full;
}

// X S^-1 for a covariance S that may be singular.
Matrix divided(const Matrix& X, const Matrix& S) {
  return S.completeOrthogonalDecomposition().solve(X.transpose()).transpose();
}

// u_t = K_t x_t|t: the estimate is that of the states without inputs, from purified outputs, plus
// what the inputs have moved. Columns answer to eta.
Learned learn_lqg(const LearnTask& task) {
  const System& system = task.problem.system;
  const Plant& plant = system.plant;
  const StatedNoise& noise = noise_of(task.problem);
  const LqrGains gains = lqr_gains(full_state(system));
  const Sizes s = plant.sizes();
  const Index n = plant.A[0].rows();
  const auto part = [](const Matrix& covariance, Index t, Index size) {
    return covariance.block(t * size, t * size, size, size);
  };
  Matrix ahead = part(noise.states.covariance, 0, n);  // of x_t before y_t
  Matrix free = Matrix::Zero(n, s.d_w()), moved = free;
  Matrix Phi_u = Matrix::Zero(s.d_u(), s.d_w());
  for (Index t = 0; t < s.T; ++t) {
    const Matrix& C = C_at(plant, t);
    const Matrix gain = divided(ahead * C.transpose(),
                                C * ahead * C.transpose() + part(noise.measurement, t, s.n_y));
    Matrix innovation = -C * free;
    innovation.middleCols(t * s.n_y, s.n_y) += Matrix::Identity(s.n_y, s.n_y);
    free += gain * innovation;
    const Matrix rest = Matrix::Identity(n, n) - gain * C;  // Joseph's form stays semidefinite
    const Matrix now = rest * ahead * rest.transpose() +
                       gain * part(noise.measurement, t, s.n_y) * gain.transpose();
    const Matrix u = gains.K[static_cast<size_t>(t)] * (free + moved);
    Phi_u.middleRows(t * s.n_u, s.n_u) = u;
    moved = plant.A_at(t) * moved + plant.B_at(t) * u;
    free = plant.A_at(t) * free;
    ahead =
        plant.A_at(t) * now * plant.A_at(t).transpose() + part(noise.states.covariance, t + 1, n);
  }
  Learned learned;
  // What is known beforehand, offset and reference, is answered by a feedforward of its own.
  learned.response = complete_response(system, std::move(Phi_u), lqr_response(system).phi_u);
  return learned;
}

}  // namespace

LearnMethod lqg_method() { return {.needs_data = false, .learn = learn_lqg, .coordinates = false}; }

}  // namespace loopcert
