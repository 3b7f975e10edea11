// Costs and broken limits of what was logged: no model takes part.
#include <fmt/format.h>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/measurement/measure.hpp"

namespace loopcert {

// sum_{t<T} x_t'Q_t x_t + u_t'R_t u_t + x_T'P x_T
LoggedEpisodes logged_episodes(const Problem& problem, const Rollouts& rollouts) {
  const Sizes s = problem.sizes();
  if (problem.identifies() && problem.model->infinite)
    throw_input_error("horizon", "\"infinite\"", "a number of steps: costs are per episode");
  check_at_least("episodes", rollouts.x.rows(), 1);
  check_size("x", rollouts.x, rollouts.x.rows(), s.d_x());
  check_size("u", rollouts.u, rollouts.x.rows(), s.d_u());
  check_finite("x", rollouts.x);
  check_finite("u", rollouts.u);
  const Matrix x = rollouts.x.transpose(), u = rollouts.u.transpose();
  LoggedEpisodes episodes;
  const Cost& cost = problem.system.cost;
  episodes.costs = (x.cwiseProduct(apply_Q(cost, s, x)).colwise().sum() +
                    u.cwiseProduct(apply_R(cost, s, u)).colwise().sum())
                       .transpose();
  episodes.costs = episodes.costs.cwiseMax(0.0);  // rounding of a semidefinite form
  if (!problem.limits) return episodes;
  const std::vector<LimitAt> places = limits_at_steps(*problem.limits);
  episodes.violations.resize(x.cols(), static_cast<Index>(places.size()));
  for (size_t c = 0; c < places.size(); ++c) {
    const LimitRow& row = problem.limits->rows[static_cast<size_t>(places[c].row)];
    Eigen::RowVectorXd value = row.x.transpose() * x.middleRows(places[c].t * s.n_x, s.n_x);
    if (!row.u.isZero(0.0)) value += row.u.transpose() * u.middleRows(places[c].t * s.n_u, s.n_u);
    episodes.violations.col(static_cast<Index>(c)) =
        (value.array() <= row.high && value.array() >= row.low)
            .select(Eigen::RowVectorXd::Zero(value.size()), Eigen::RowVectorXd::Ones(value.size()))
            .transpose();
    episodes.rows.push_back(row.name);
  }
  return episodes;
}

}  // namespace loopcert
