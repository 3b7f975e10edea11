#include "single_rounding.hpp"

#include "controller/single.hpp"
#include "loopcert/simulation/rollout.hpp"

namespace loopcert {

SingleRounding measure_single(const System& system, const Controller& controller,
                              const Disturbances& data) {
  const Sizes s = system.sizes();
  const Simulation exact = simulate(system, controller, data, /*keep_paths=*/true);
  SingleRounding found;
  found.n = data.n();
  found.inputs = Vector::Zero(s.n_u);
  found.cost = exact.cost.mean();
  for (Index i = 0; i < data.n(); ++i) {
    SingleRun run(controller);
    Vector x = data.w.row(i).head(s.n_x);
    double cost = 0;
    for (Index t = 0; t <= s.T; ++t) {
      Vector error = x;
      if (system.cost.reference.size() > 0) error -= system.cost.reference.col(t);
      cost += error.dot(system.cost.Q_at(t, s.T) * error);
      if (t == s.T) break;
      const Vector u = run.step(x);
      const Vector exact_u = exact.paths.u.row(i).segment(t * s.n_u, s.n_u);
      found.inputs = found.inputs.cwiseMax((u - exact_u).cwiseAbs());
      cost += u.dot(system.cost.R_at(t) * u);
      Vector next = system.plant.A_at(t) * x + system.plant.B_at(t) * u +
                    data.w.row(i).segment((t + 1) * s.n_x, s.n_x).transpose();
      if (system.plant.d.size() > 0) next += system.plant.d.col(t);
      x = std::move(next);
    }
    found.cost_change += (cost - exact.cost(i)) / static_cast<double>(data.n());
  }
  return found;
}

}  // namespace loopcert
