#include "loopcert/simulation/rollout.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "loopcert/core/check.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/parallel.hpp"

namespace loopcert {
namespace {

constexpr Index batch_size = 64;  // fixed: results must not depend on the number of threads

// One batch of trajectories side by side, one time step after the other. X and U are
// (T+1) n_x x m and T n_u x m.
struct Batch {
  Matrix X;
  Matrix U;
  Vector cost;
};

Batch run_batch(const System& system, const Controller& controller, const MatrixView& w) {
  const auto [n_x, n_u, T] = system.sizes();
  Batch batch;
  batch.X = w.transpose();
  batch.X.colwise() += system.plant.stacked_offset();
  batch.U = controller.k.replicate(1, w.rows());
  batch.cost = Vector::Zero(w.rows());
  const auto add_cost = [&](const Matrix& weight, const MatrixView& value) {
    batch.cost += (weight * value).cwiseProduct(value).colwise().sum().transpose();
  };
  for (Index t = 0; t < T; ++t) {
    const Index seen = (t + 1) * n_x;
    auto x = batch.X.middleRows(t * n_x, n_x);
    auto u = batch.U.middleRows(t * n_u, n_u);
    u.noalias() += controller.K.block(t * n_u, 0, n_u, seen) * batch.X.topRows(seen);
    batch.X.middleRows(seen, n_x).noalias() += system.plant.A_at(t) * x + system.plant.B_at(t) * u;
    add_cost(system.cost.Q_at(t, T), x);
    add_cost(system.cost.R_at(t), u);
  }
  add_cost(system.cost.P, batch.X.bottomRows(n_x));
  return batch;
}

}  // namespace

Simulation simulate(const System& system, const Controller& controller, const Disturbances& data,
                    bool keep_paths, int threads) {
  const Sizes sizes = system.sizes();
  check_disturbances(data, sizes);
  check_size("K", controller.K, sizes.d_u(), sizes.d_w());
  check_size("k", controller.k, sizes.d_u(), 1);
  const Index n = data.n();
  Simulation result;
  result.cost.resize(n);
  if (keep_paths) {
    result.paths.x.resize(n, sizes.d_w());
    result.paths.u.resize(n, sizes.d_u());
  }
  parallel_for((n + batch_size - 1) / batch_size, threads, [&](Index b) {
    const Index first = b * batch_size;
    const Index count = std::min(batch_size, n - first);
    const Batch batch = run_batch(system, controller, data.w.middleRows(first, count));
    result.cost.segment(first, count) = batch.cost;
    if (keep_paths) {
      result.paths.x.middleRows(first, count) = batch.X.transpose();
      result.paths.u.middleRows(first, count) = batch.U.transpose();
    }
  });
  return result;
}

CostStatistics cost_statistics(const VectorView& cost) {
  check_at_least("trajectories", cost.size(), 1);
  CostStatistics s;
  s.n = cost.size();
  const auto n = static_cast<double>(s.n);
  s.mean = cost.mean();
  if (s.n > 1) s.standard_deviation = std::sqrt((cost.array() - s.mean).square().sum() / (n - 1));
  s.standard_error = s.standard_deviation / std::sqrt(n);
  std::vector<double> parted(cost.begin(), cost.end());
  const auto middle = parted.begin() + static_cast<std::ptrdiff_t>(parted.size() / 2);
  std::nth_element(parted.begin(), middle, parted.end());
  s.median =
      parted.size() % 2 ? *middle : 0.5 * (*std::max_element(parted.begin(), middle) + *middle);
  const auto [least, most] = std::minmax_element(cost.begin(), cost.end());
  s.minimum = *least;
  s.maximum = *most;
  return s;
}

}  // namespace loopcert
