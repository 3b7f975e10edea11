#include "inspection/inspection.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <utility>

#include "assumed_checks.hpp"
#include "core/work.hpp"
#include "inspection/sensors.hpp"
#include "loopcert/core/error.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

constexpr double constant_below = 1e-12;  // deviation of a column, relative to its size
constexpr double rank_tolerance = 1e-10;  // eigenvalues of the correlation, relative

using CheckFunction = Check (*)(const PreparedData&);

const std::vector<CheckFunction>& check_functions() {
  static const std::vector<CheckFunction> table = {
      inspect_sizes,        inspect_radius,         inspect_gaussian,         inspect_kurtosis,
      inspect_mean,         inspect_scale_bound,    inspect_covariance_bound, inspect_whiteness,
      inspect_stationarity, inspect_autoregressive, inspect_duplicates,       inspect_order,
  };
  return table;
}

// Rank of z and, when the rows are more than that, its whitened form z V diag(lambda)^-1/2.
void add_whitened(PreparedData& data) {
  const Index n = data.n(), live = data.z.cols();
  if (std::min(n, live) > data.effort.eigenvalues) return;
  const double size = static_cast<double>(n);
  if (n <= live) {  // at most n - 1, and the smaller Gram matrix counts it
    const Matrix gram = data.z * data.z.transpose() / size;
    const Vector s =
        Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly).eigenvalues();
    data.rank = (s.array() > rank_tolerance * s.maxCoeff()).count();
  }
  if (live == 0) data.rank = 0;
  if (n <= live || live == 0) return;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(data.z.transpose() * data.z / size);
  const Vector& s = eigen.eigenvalues();  // increasing
  const Index rank = (s.array() > rank_tolerance * s(live - 1)).count();
  data.rank = rank;
  if (rank >= n - 1) return;
  data.white = data.z * eigen.eigenvectors().rightCols(rank) *
               s.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
}

}  // namespace

PreparedData prepare_data(const Problem& problem, const Disturbances& data,
                          const InspectionEffort& effort) {
  check_disturbances(data, problem.sizes());
  PreparedData prepared{problem, data.w, data.w.colwise().mean(), {}, {}, {}, {}, {}, effort};
  const Matrix centred = data.w.rowwise() - prepared.mean.transpose();
  const double freedom = std::max(1.0, static_cast<double>(data.n() - 1));
  prepared.deviation = (centred.colwise().squaredNorm() / freedom).cwiseSqrt().transpose();
  if (!prepared.deviation.allFinite())
    throw_input_error("disturbances", "entries whose squares overflow", "smaller ones");
  for (Index j = 0; j < data.w.cols(); ++j)
    if (prepared.deviation(j) > constant_below * data.w.col(j).cwiseAbs().maxCoeff())
      prepared.live.push_back(j);
  prepared.z = centred(Eigen::all, prepared.live);
  for (size_t k = 0; k < prepared.live.size(); ++k)
    prepared.z.col(static_cast<Index>(k)) /= prepared.deviation(prepared.live[k]);
  add_whitened(prepared);
  return prepared;
}

StepByStep step_by_step(const Problem& problem, const Disturbances& data) {
  StepByStep same{problem, {data.w(Eigen::all, free_places(problem.system.plant)), data.logs}};
  Plant& plant = same.problem.system.plant;
  plant.G = std::exchange(plant.G_x, Matrix());
  return same;
}

Inspection inspect(const Problem& problem, const Disturbances& data) {
  require_known_plant(problem, "inspect");
  if (unseen_outputs(problem.system.plant) > 0) {
    check_disturbances(data, problem.sizes());
    const StepByStep same = step_by_step(problem, data);
    return inspect(same.problem, same.data);
  }
  const PreparedData prepared = prepare_data(problem, data);
  Inspection inspection;
  inspection.problem = problem.name;
  inspection.n = data.n();
  inspection.d_w = data.w.cols();
  Work work("tests", std::ssize(check_functions()));
  for (const CheckFunction check : check_functions()) {
    inspection.checks.push_back(check(prepared));
    work.add();
  }
  if (data.from_logs() || looks_like_states(problem.system.plant, data))
    inspection.checks.push_back(inspect_model(prepared, data));
  if (data.from_logs()) inspection.checks.push_back(inspect_sensors(problem, data.logs));
  inspection.lags = lag_correlations(prepared);
  inspection.deviations = step_deviations(prepared);
  return inspection;
}

}  // namespace loopcert
