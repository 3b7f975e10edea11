#include "certificate/estimated_loop.hpp"

namespace loopcert {

EstimatedLoop loop_of(const Problem& problem, const LinearModel& model,
                      const EstimatedPlant& plant) {
  EstimatedLoop loop{model, plant.A, plant.B, {}, problem.system.cost.R, {}, 0};
  for (const Matrix& Q : problem.system.cost.Q) loop.Q.push_back(weight_on_state(model, Q));
  loop.P = weight_on_state(model, problem.system.cost.P);
  loop.T = problem.model->infinite ? 0 : problem.system.plant.T;
  return loop;
}

LoopStep step_of(const EstimatedLoop& loop, const Matrix& K, Index t) {
  const LinearModel& m = loop.model;
  LoopStep step{loop.A + loop.B * K, m.Cr.leftCols(m.n()) + m.Cr.rightCols(m.n_u) * K,
                loop.Q_at(t) + K.transpose() * loop.R_at(t) * K};
  if (loop.N.empty()) return step;
  const Matrix cross = K.transpose() * loop.N_at(t);
  step.weight += cross + cross.transpose();
  return step;
}

std::vector<Matrix> costs_to_go(const EstimatedLoop& loop, const Gains& gains) {
  std::vector<Matrix> S(static_cast<size_t>(loop.T) + 1, loop.P);
  for (Index t = loop.T - 1; t >= 0; --t) {
    const auto at = static_cast<size_t>(t);
    const LoopStep step = step_of(loop, gains[at], t);
    const Matrix next = step.weight + step.Acl.transpose() * S[at + 1] * step.Acl;
    S[at] = 0.5 * (next + next.transpose());
  }
  return S;
}

double nominal_cost(const EstimatedLoop& loop, const Gains& gains, const Matrix& U_v,
                    const Matrix& U_0) {
  const std::vector<Matrix> S = costs_to_go(loop, gains);
  const Matrix noise = loop.model.E * U_v * loop.model.E.transpose();
  double cost = S[0].cwiseProduct(U_0).sum();
  for (size_t t = 1; t < S.size(); ++t) cost += S[t].cwiseProduct(noise).sum();
  return cost;
}

Matrix start_on_state(const LinearModel& model, const Matrix& of_start) {
  Matrix moment = Matrix::Zero(model.n(), model.n());
  if (model.constant) moment(0, 0) = 1;
  moment.bottomRightCorner(of_start.rows(), of_start.cols()) = of_start;
  return moment;
}

}  // namespace loopcert
