#include "controller/long_run.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "controller/closed_loop.hpp"
#include "core/eigenvalues.hpp"
#include "data/moments.hpp"
#include "held_loop.hpp"
#include "loopcert/core/error.hpp"
#include "system/riccati.hpp"

namespace loopcert {
namespace {

Vector offset_of(const System& system, const StepNoise& noise) {
  return system.plant.d.size() > 0 ? Vector(noise.mean + system.plant.d.col(0)) : noise.mean;
}

// tr(S W) and what a constant push c costs: with x'S x + 2 v'x the cost-to-go,
//   v = (A + B K)'(S c + v),  h = B'(S c + v),
//   g = tr(S W) + c'S c + 2 v'c - h'(R + B'S B)^-1 h
std::optional<double> optimal_average(const System& system, const StepNoise& noise) try {
  const auto [S, K] = stationary_lqr(system);
  const Matrix &A = system.plant.A[0], &B = system.plant.B[0];
  const Matrix loop = A + B * K;
  const Vector c = offset_of(system, noise);
  double cost = S.cwiseProduct(noise.covariance).sum();
  if (!c.isZero(0.0)) {
    const Matrix I = Matrix::Identity(A.rows(), A.rows());
    const Vector v = (I - loop.transpose()).partialPivLu().solve(loop.transpose() * (S * c));
    const Vector h = B.transpose() * (S * c + v);
    const Matrix G = system.cost.R[0] + B.transpose() * S * B;
    cost += c.dot(S * c) + 2 * v.dot(c) - h.dot(G.llt().solve(h));
  }
  return std::isfinite(cost) ? std::optional(cost) : std::nullopt;
} catch (const InputError&) {
  return std::nullopt;
}

// One period of T steps from x_0 to x_T, again and again.
LongRun restarted(const System& system, const Controller& controller, const StepNoise& noise) {
  const Index n_x = controller.sizes.n_x, T = controller.sizes.T;
  const Response loop = closed_loop_response(system, controller);
  const Matrix M = loop.Phi_x.bottomLeftCorner(n_x, n_x);
  LongRun run;
  // rho(M)^(1/T): M is the product of T steps.
  run.spectral_radius = std::pow(spectral_radius(M), 1.0 / static_cast<double>(T));
  if (!run.stable()) return run;

  Matrix step_covariance = Matrix::Zero(n_x, n_x);
  Vector pushed = loop.phi_x.tail(n_x);
  for (Index b = 1; b <= T; ++b) {
    const Matrix N = loop.Phi_x.block(T * n_x, b * n_x, n_x, n_x);
    step_covariance += N * noise.covariance * N.transpose();
    pushed += N * noise.mean;
  }
  const Matrix X = solve_lyapunov(M, step_covariance);
  Vector mean(system.sizes().d_w());
  mean << (Matrix::Identity(n_x, n_x) - M).partialPivLu().solve(pushed), noise.mean.replicate(T, 1);

  double cost = 0;
  const auto add = [&](const MatrixView& Phi, const Vector& phi, const Matrix& weight, Index t) {
    const Index size = weight.rows();
    const auto row = Phi.middleRows(t * size, size);
    for (Index b = 0; b <= t; ++b) {
      const Matrix part = row.middleCols(b * n_x, n_x);
      cost += (weight * part * (b == 0 ? X : noise.covariance)).cwiseProduct(part).sum();
    }
    const Vector at = row * mean + phi.segment(t * size, size);
    cost += at.dot(weight * at);
  };
  for (Index t = 0; t < T; ++t) {
    add(loop.Phi_x, loop.phi_x, system.cost.Q[0], t);
    add(loop.Phi_u, loop.phi_u, system.cost.R[0], t);
  }
  cost /= static_cast<double>(T);
  if (std::isfinite(cost)) run.cost = cost;
  return run;
}

// In x - r the reference is gone: the offset is d + A r - r, and the controller adds K r.
Controller without_reference(System& system, Controller controller) {
  if (!system.cost.has_reference()) return controller;
  const Vector r = system.cost.reference.col(0);
  const Index T = controller.sizes.T;
  const Vector shift = system.plant.A[0] * r - r;
  if (system.plant.d.size() == 0) system.plant.d = Matrix::Zero(r.size(), T);
  system.plant.d.colwise() += shift;
  system.cost.reference.resize(0, 0);
  controller.k += controller.K * r.replicate(T + 1, 1);
  return controller;
}

LongRun held(const System& system, const Controller& controller, const StepNoise& noise) {
  const HeldLoop loop(system, controller);
  LongRun run;
  run.spectral_radius = loop.radius();
  if (!run.stable()) return run;
  run.cost = loop.average_cost(noise.covariance, offset_of(system, noise));
  return run;
}

}  // namespace

bool LongRun::stable() const { return spectral_radius < 1 - 1e-9; }

bool LongRun::is_bad() const {
  return !stable() || !cost || (optimal_cost && *cost > 1.5 * *optimal_cost);
}

StepNoise unit_noise(const Sizes& s) {
  return {Vector::Zero(s.n_x), Matrix::Identity(s.n_x, s.n_x)};
}

StepNoise noise_of_steps(const Moments& moments, const Sizes& s) {
  const Matrix covariance = moments.covariance();
  StepNoise noise{Vector::Zero(s.n_x), Matrix::Zero(s.n_x, s.n_x)};
  for (Index t = 1; t <= s.T; ++t) {
    noise.mean += moments.mean.segment(t * s.n_x, s.n_x) / static_cast<double>(s.T);
    noise.covariance +=
        covariance.block(t * s.n_x, t * s.n_x, s.n_x, s.n_x) / static_cast<double>(s.T);
  }
  return noise;
}

LongRun long_run(const System& system, const Controller& controller, AfterHorizon after,
                 const StepNoise& noise) {
  if (!is_time_invariant(system))
    throw InputError(
        "the system or its cost varies in time: the behaviour after the horizon is not known");
  System same = system;  // over the controller's own horizon
  same.plant.T = controller.sizes.T;
  if (system.plant.d.size() > 0)
    same.plant.d = system.plant.d.col(0).replicate(1, controller.sizes.T).eval();
  const Controller shifted = without_reference(same, controller);
  LongRun run =
      after == AfterHorizon::restart ? restarted(same, shifted, noise) : held(same, shifted, noise);
  run.optimal_cost = optimal_average(same, noise);
  return run;
}

// Doubling: X holds 2^k terms, F is F^(2^k).
Matrix solve_lyapunov(Matrix F, Matrix W) {
  constexpr int rounds = 64;
  for (int k = 0; k < rounds; ++k) {
    const Matrix more = F * W * F.transpose();
    W += more;
    if (!(more.diagonal().array() > 1e-16 * W.diagonal().array()).any()) break;
    F = (F * F).eval();
  }
  return W;
}

}  // namespace loopcert
