// Episodes of a plant under feedback with noise on the inputs, pushed by coloured disturbances.
#pragma once

#include <cmath>

#include "loopcert/core/random.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert::testing {

struct Logging {
  Index n = 60;
  double colour = 0.8;      // of an AR(1) force
  double excitation = 0.3;  // standard deviation of the noise on the inputs
  bool low_rank = true;     // the force enters along one direction
  std::uint64_t seed = 1;
};

// An oscillator of 2 states, 1 input.
inline Problem logged_problem(Index T) {
  Problem problem;
  problem.name = "oscillator";
  problem.system.plant.T = T;
  problem.system.plant.A = {(Matrix(2, 2) << 0.95, 0.2, -0.3, 0.85).finished()};
  problem.system.plant.B = {(Matrix(2, 1) << 0.1, 0.5).finished()};
  problem.system.cost.Q = {Matrix::Identity(2, 2)};
  problem.system.cost.R = {Matrix::Identity(1, 1)};
  problem.system.cost.P = Matrix::Identity(2, 2);
  return problem;
}

inline Rollouts logged_episodes(const Problem& problem, const Logging& how) {
  const Sizes s_ = problem.sizes();
  const Index n_x = s_.n_x, n_u = s_.n_u, T = s_.T;
  const Matrix K = (Matrix(1, 2) << -0.4, -0.6).finished();
  const Vector direction = (Vector(2) << 0.05, 0.3).finished();
  const Matrix noise =
      standard_normal_rows(Stream{how.seed, 501}, 0, how.n, (T + 1) * (2 * n_x + n_u));
  Rollouts logs{Matrix::Zero(how.n, (T + 1) * n_x), Matrix::Zero(how.n, T * n_u)};
  for (Index i = 0; i < how.n; ++i) {
    Index at = 0;
    const auto draw = [&](Index count) {
      const Vector e = noise.row(i).segment(at, count).transpose();
      at += count;
      return e;
    };
    Vector x = draw(n_x), f = draw(n_x);
    logs.x.row(i).head(n_x) = x.transpose();
    for (Index t = 0; t < T; ++t) {
      const Vector u = K * x + how.excitation * draw(n_u);
      const Vector w = how.low_rank ? Vector(direction * f(0)) : Vector(0.3 * f);
      x = problem.system.plant.A[0] * x + problem.system.plant.B[0] * u + w;
      f = how.colour * f + std::sqrt(1 - how.colour * how.colour) * draw(n_x);
      logs.u.row(i).segment(t * n_u, n_u) = u.transpose();
      logs.x.row(i).segment((t + 1) * n_x, n_x) = x.transpose();
    }
  }
  return logs;
}

}  // namespace loopcert::testing
