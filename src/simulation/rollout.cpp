#include "loopcert/simulation/rollout.hpp"

#include <algorithm>
#include <optional>

#include "clipper.hpp"
#include "controller/input_limits.hpp"
#include "core/check.hpp"
#include "core/parallel.hpp"
#include "core/work.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

constexpr Index batch_size = 64;  // fixed: results must not depend on the number of threads

// One batch of trajectories, one to a row: every operation runs along whole columns. X and U are
// m x (T+1) n_x and m x T n_u.
struct Batch {
  Matrix X;
  Matrix U;
  Vector cost;
  Matrix clipped;  // m x n_u
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

// The same for signals minus their reference.
void add_error_cost(const Cost& of, const Matrix& weight, const MatrixView& x, Index t,
                    Matrix& work, Vector& cost) {
  if (of.reference.size() == 0) return add_cost(weight, x, work, cost);
  const Matrix error = x.rowwise() - of.reference.col(t).transpose();
  add_cost(weight, error, work, cost);
}

// Step by step through G: y_t = eta_t + d_t + sum over s < t of G_ts u_s.
Batch run_output_batch(const System& system, const Controller& controller, const MatrixView& w,
                       const SimulationOptions& options) {
  const Sizes s = system.sizes();
  const Plant& plant = system.plant;
  const bool other = plant.G_x.size() > 0;  // signals in the cost
  const Vector offset = plant.stacked_offset();
  Batch batch;
  Matrix Y = w.leftCols(s.d_y());
  if (plant.has_offset()) Y.rowwise() += offset.head(s.d_y()).transpose();
  batch.U = controller.k.transpose().replicate(w.rows(), 1);
  batch.cost = Vector::Zero(w.rows());
  Matrix work;
  std::optional<Clipper> clipper;
  if (options.clip.size() > 0) clipper.emplace(options, w.rows(), s.n_u, s.T);
  for (Index t = 0; t < s.T; ++t) {
    const Index seen = (t + 1) * s.n_y, given = (t + 1) * s.n_u;
    batch.U.middleCols(t * s.n_u, s.n_u).noalias() +=
        Y.leftCols(seen) * controller.K.block(t * s.n_u, 0, s.n_u, seen).transpose();
    if (clipper) clipper->step(t, batch.U);
    Y.middleCols(seen, s.n_y).noalias() +=
        batch.U.leftCols(given) * plant.G.block(seen, 0, s.n_y, given).transpose();
    add_cost(system.cost.R_at(t), batch.U.middleCols(t * s.n_u, s.n_u), work, batch.cost);
  }
  if (other) {
    const std::vector<Index> places = free_places(plant);
    batch.X = w(Eigen::all, places);
    batch.X.rowwise() += offset(places).transpose();
    batch.X += batch.U * plant.G_x.transpose();
  } else {
    batch.X = Y;
  }
  for (Index t = 0; t <= s.T; ++t)
    add_error_cost(system.cost, system.cost.Q_at(t, s.T), batch.X.middleCols(t * s.n_x, s.n_x), t,
                   work, batch.cost);
  if (clipper) batch.clipped = std::move(clipper->counts());
  return batch;
}

Batch run_batch(const System& system, const Controller& controller, const MatrixView& w,
                const SimulationOptions& options) {
  if (!system.plant.has_state()) return run_output_batch(system, controller, w, options);
  const Sizes s = system.sizes();
  const Index n_x = s.n_x, n_u = s.n_u, T = s.T;
  Batch batch;
  batch.X = w;
  batch.X.rowwise() += system.plant.stacked_offset().transpose();
  batch.U = controller.k.transpose().replicate(w.rows(), 1);
  batch.cost = Vector::Zero(w.rows());
  Matrix work;
  std::optional<Clipper> clipper;
  if (options.clip.size() > 0) clipper.emplace(options, w.rows(), n_u, T);
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
    if (clipper) clipper->step(t, batch.U);
    auto next = batch.X.middleCols(seen, n_x);
    add_product(next, x, system.plant.A_at(t).transpose());
    add_product(next, u, system.plant.B_at(t).transpose());
    add_error_cost(system.cost, system.cost.Q_at(t, T), x, t, work, batch.cost);
    add_cost(system.cost.R_at(t), u, work, batch.cost);
  }
  add_error_cost(system.cost, system.cost.P, batch.X.rightCols(n_x), T, work, batch.cost);
  if (clipper) batch.clipped = std::move(clipper->counts());
  return batch;
}

}  // namespace

Simulation simulate(const System& system, const Controller& controller, const Disturbances& data,
                    bool keep_paths, int threads, const Matrix& clip) {
  return simulate(system, controller, data,
                  {.keep_paths = keep_paths, .threads = threads, .clip = clip});
}

Simulation simulate(const System& system, const Controller& controller, const Disturbances& data,
                    const SimulationOptions& options) {
  const Sizes sizes = system.sizes();
  const bool keep_paths = options.keep_paths;
  check_disturbances(data, sizes);
  check_size("K", controller.K, sizes.d_u(), sizes.d_y());
  check_size("k", controller.k, sizes.d_u(), 1);
  check_input_limits(options.clip, sizes.n_u);
  if (options.replies.size() > 0) check_size("replies", options.replies, sizes.d_u(), sizes.d_u());
  if (options.limits) check_limits(*options.limits, sizes);
  const Index n = data.n();
  Simulation result;
  result.cost.resize(n);
  if (keep_paths) {
    result.paths.x.resize(n, sizes.d_x());
    result.paths.u.resize(n, sizes.d_u());
  }
  if (options.clip.size() > 0) result.clipped.resize(n, sizes.n_u);
  if (options.limits) result.violated.resize(n, static_cast<Index>(options.limits->rows.size()));
  Work work("simulate", n);
  parallel_for((n + batch_size - 1) / batch_size, options.threads, [&](Index b) {
    const Index first = b * batch_size;
    const Index count = std::min(batch_size, n - first);
    const Batch batch = run_batch(system, controller, data.w.middleRows(first, count), options);
    result.cost.segment(first, count) = batch.cost;
    if (options.clip.size() > 0) result.clipped.middleRows(first, count) = batch.clipped;
    if (options.limits)
      result.violated.middleRows(first, count) =
          count_violations(*options.limits, sizes, batch.X, batch.U);
    if (keep_paths) {
      result.paths.x.middleRows(first, count) = batch.X;
      result.paths.u.middleRows(first, count) = batch.U;
    }
    work.add(count);
  });
  return result;
}

}  // namespace loopcert
