// Plants to identify: a problem, its truth, and logs drawn from it under feedback with excitation.
#pragma once

#include <string>

#include "data/logs.hpp"
#include "problem/problem_json.hpp"
#include "seed.hpp"

namespace loopcert::testing {

// x+ = A x + B u + c + v, v ~ N(0, noise^2 I) in the rows of `noisy`.
struct TruePlant {
  Matrix A, B;
  Vector c;
  Matrix K;  // of the controller that logs
  double noise = 0.3, excitation = 0.5, start = 0.3;
  Vector noisy;  // 1 or 0 for each row
};

inline TruePlant paper_plant() {
  TruePlant plant;
  plant.A = (Matrix(2, 2) << 1, 1, 0, 1).finished();
  plant.B = (Matrix(2, 1) << 0.5, 1).finished();
  plant.c = Vector::Zero(2);
  plant.K = (Matrix(1, 2) << -0.5, -1).finished();
  plant.noisy = Vector::Ones(2);
  return plant;
}

inline LogEpisode draw_log(const TruePlant& plant, const Stream& stream, std::uint64_t episode,
                           Index steps) {
  const Index n_x = plant.A.rows(), n_u = plant.B.cols();
  const Matrix z = standard_normal_rows(stream, episode, 1, (steps + 1) * (n_x + n_u));
  Index at = 0;
  const auto draw = [&](Index count) {
    const Vector part = z.row(0).segment(at, count).transpose();
    at += count;
    return part;
  };
  LogEpisode log{Matrix(steps + 1, n_x), Matrix(steps, n_u)};
  Vector x = plant.start * draw(n_x);
  for (Index t = 0; t < steps; ++t) {
    log.y.row(t) = x.transpose();
    const Vector u = plant.K * x + plant.excitation * draw(n_u);
    log.u.row(t) = u.transpose();
    x = plant.A * x + plant.B * u + plant.c + plant.noise * plant.noisy.cwiseProduct(draw(n_x));
  }
  log.y.row(steps) = x.transpose();
  return log;
}

inline Logs draw_logs(const TruePlant& plant, const Stream& stream, Index n, Index steps) {
  Logs logs;
  for (Index i = 0; i < n; ++i)
    logs.push_back(draw_log(plant, stream, static_cast<std::uint64_t>(i), steps));
  return logs;
}

// {"horizon": …, "system": {…}} with the cost of the paper's example.
inline Problem identified_problem(const nlohmann::json& horizon, nlohmann::json system,
                                  double delta = 0.05) {
  nlohmann::json tree = {{"horizon", horizon},
                         {"system", std::move(system)},
                         {"cost", {{"Q", {1, 0.1}}, {"R", {0.5}}}},
                         {"certificate", {{"delta", delta}}}};
  if (!horizon.is_string()) tree["cost"]["P"] = {2, 0.2};
  return problem_from_json(tree);
}

inline Problem unknown_plant(const nlohmann::json& horizon, double delta = 0.05) {
  return identified_problem(horizon, {{"identify", true}, {"states", 2}, {"inputs", 1}}, delta);
}

}  // namespace loopcert::testing
