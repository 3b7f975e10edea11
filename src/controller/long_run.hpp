// What a controller does when it is used for ever: the average cost of holding its last gains or of
// restarting it, under disturbances that are independent from step to step.
#pragma once

#include <optional>
#include <string>

#include "data/moments.hpp"
#include "loopcert/controller/after.hpp"
#include "loopcert/system/cost.hpp"

namespace loopcert {

// Mean and covariance of w_t, the same at every step, w_t independent of all others.
struct StepNoise {
  Vector mean;
  Matrix covariance;
};

StepNoise unit_noise(const Sizes& sizes);  // mean zero, covariance I

// What the moments of a trajectory say of one step, averaged over its steps: the correlation of
// steps with each other is left out.
StepNoise noise_of_steps(const Moments& moments, const Sizes& sizes);

struct LongRun {
  double spectral_radius = 0;          // of the loop, per step: below 1 is stable
  std::optional<double> cost;          // average per step; nothing unless it settles
  std::optional<double> optimal_cost;  // of the best controller of all; nothing where there is none

  bool stable() const;
  // Unstable, or more than half as much again as the best: no choice to make without knowing.
  bool is_bad() const;
};

// `after` is restart or hold; the system does not vary in time (is_time_invariant), and its horizon
// does not matter. With white w
//   restart: X = M X M' + N W N', the covariance of the states at which it restarts; then the cost
//            of one period. M, N: from x_0 and from w to x_T
//   hold:    sum over the impulse response, sum_k tr(W (X_k'Q X_k + U_k'R U_k))
LongRun long_run(const System& system, const Controller& controller, AfterHorizon after,
                 const StepNoise& noise);

// sum_k F^k W F^k', the solution of X = F X F' + W; the spectral radius of F is below 1.
Matrix solve_lyapunov(Matrix F, Matrix W);

}  // namespace loopcert
