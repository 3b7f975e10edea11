#include "single_rounding.hpp"

#include "controller/single.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

double error_cost(const System& system, const Vector& x, Index t) {
  Vector error = x;
  if (system.cost.reference.size() > 0) error -= system.cost.reference.col(t);
  return error.dot(system.cost.Q_at(t, system.plant.T) * error);
}

// Inputs of one episode, step by step, and what it costs.
struct Episode {
  Vector u;
  double cost = 0;
};

Episode run_states(const System& system, const Controller& controller, const Vector& w) {
  const Sizes s = system.sizes();
  Episode found{Vector(s.d_u()), 0};
  SingleRun run(controller);
  Vector x = w.head(s.n_x);
  for (Index t = 0; t <= s.T; ++t) {
    found.cost += error_cost(system, x, t);
    if (t == s.T) break;
    const Vector u = run.step(x);
    found.u.segment(t * s.n_u, s.n_u) = u;
    found.cost += u.dot(system.cost.R_at(t) * u);
    Vector next =
        system.plant.A_at(t) * x + system.plant.B_at(t) * u + w.segment((t + 1) * s.n_x, s.n_x);
    if (system.plant.d.size() > 0) next += system.plant.d.col(t);
    x = std::move(next);
  }
  return found;
}

// y_t = eta_t + d_t + sum over s < t of G_ts u_s, and the signals in the cost when all is done.
Episode run_outputs(const System& system, const Controller& controller, const Vector& w) {
  const Sizes s = system.sizes();
  const Plant& plant = system.plant;
  Episode found{Vector(s.d_u()), 0};
  SingleRun run(controller);
  const Vector free = w + plant.stacked_offset();
  for (Index t = 0; t < s.T; ++t) {
    const Index row = t * s.n_y, given = t * s.n_u;
    const Vector y =
        free.segment(row, s.n_y) + plant.G.block(row, 0, s.n_y, given) * found.u.head(given);
    const Vector u = run.step(y);
    found.u.segment(given, s.n_u) = u;
    found.cost += u.dot(system.cost.R_at(t) * u);
  }
  const Matrix& G = plant.G_x.size() > 0 ? plant.G_x : plant.G;
  const Vector x = free(free_places(plant)) + G * found.u;
  for (Index t = 0; t <= s.T; ++t) found.cost += error_cost(system, x.segment(t * s.n_x, s.n_x), t);
  return found;
}

}  // namespace

SingleRounding measure_single(const System& system, const Controller& controller,
                              const Disturbances& data) {
  const Sizes s = system.sizes();
  const Simulation exact = simulate(system, controller, data, /*keep_paths=*/true);
  SingleRounding found;
  found.n = data.n();
  found.inputs = Vector::Zero(s.n_u);
  found.cost = exact.cost.mean();
  const auto run = system.plant.has_state() ? run_states : run_outputs;
  for (Index i = 0; i < data.n(); ++i) {
    const Episode episode = run(system, controller, data.w.row(i).transpose());
    const Vector gap = (episode.u - exact.paths.u.row(i).transpose()).cwiseAbs();
    for (Index t = 0; t < s.T; ++t)
      found.inputs = found.inputs.cwiseMax(gap.segment(t * s.n_u, s.n_u));
    found.cost_change += (episode.cost - exact.cost(i)) / static_cast<double>(data.n());
  }
  return found;
}

}  // namespace loopcert
