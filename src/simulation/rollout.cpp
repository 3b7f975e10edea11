#include "loopcert/simulation/rollout.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.hpp"
#include "core/parallel.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr Index batch_size = 64;  // fixed: results must not depend on the number of threads

// One batch of trajectories, one to a row: every operation runs along whole columns. X and U are
// m x (T+1) n_x and m x T n_u.
struct Batch {
  Matrix X;
  Matrix U;
  Vector cost;
};

// From this many columns on a blocked product is faster than one column after the other.
constexpr Index wide = 16;

// to += value factor
template <class To, class Value, class Factor>
void add_product(To&& to, const Value& value, const Factor& factor) {
  if (factor.cols() < wide)
    to += value.lazyProduct(factor);
  else
    to.noalias() += value * factor;
}

// cost += diag(value weight value')
void add_cost(const Matrix& weight, const MatrixView& value, Matrix& work, Vector& cost) {
  work.setZero(value.rows(), weight.cols());
  add_product(work, value, weight);
  for (Index j = 0; j < work.cols(); ++j) cost += work.col(j).cwiseProduct(value.col(j));
}

Batch run_batch(const System& system, const Controller& controller, const MatrixView& w) {
  const Sizes s = system.sizes();
  const Index n_x = s.n_x, n_u = s.n_u, T = s.T;
  Batch batch;
  batch.X = w;
  batch.X.rowwise() += system.plant.stacked_offset().transpose();
  batch.U = controller.k.transpose().replicate(w.rows(), 1);
  batch.cost = Vector::Zero(w.rows());
  Matrix work;
  for (Index t = 0; t < T; ++t) {
    const Index seen = (t + 1) * n_x;
    const auto x = batch.X.middleCols(t * n_x, n_x);
    const auto u = batch.U.middleCols(t * n_u, n_u);
    const auto K_t = controller.K.middleRows(t * n_u, n_u).leftCols(seen);
    if (n_u < wide / 2)
      for (Index i = 0; i < n_u; ++i)
        batch.U.col(t * n_u + i).noalias() += batch.X.leftCols(seen) * K_t.row(i).transpose();
    else
      batch.U.middleCols(t * n_u, n_u).noalias() += batch.X.leftCols(seen) * K_t.transpose();
    auto next = batch.X.middleCols(seen, n_x);
    add_product(next, x, system.plant.A_at(t).transpose());
    add_product(next, u, system.plant.B_at(t).transpose());
    add_cost(system.cost.Q_at(t, T), x, work, batch.cost);
    add_cost(system.cost.R_at(t), u, work, batch.cost);
  }
  add_cost(system.cost.P, batch.X.rightCols(n_x), work, batch.cost);
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
      result.paths.x.middleRows(first, count) = batch.X;
      result.paths.u.middleRows(first, count) = batch.U;
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

CostStatistics finite_statistics(const VectorView& cost) {
  const CostStatistics statistics = cost_statistics(cost);
  if (!cost.allFinite() || !std::isfinite(statistics.standard_error))
    throw NumericsError(
        "simulation: a cost is too large for double precision: the closed loop grows from step to "
        "step");
  return statistics;
}

}  // namespace loopcert
