// Mistakes that are often made, tried one by one: the model or the log is changed as the mistake
// would have it, and looked at again.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>
#include <functional>

#include "model_fit.hpp"

namespace loopcert {
namespace {

constexpr ResponseEffort effort{.episodes = 300, .back = 3};
constexpr Index pair_limit = 8;  // states, for two of them in other units

struct Factor {
  double value;
  const char* why;
};
const std::vector<Factor>& factors() {
  static const std::vector<Factor> table = {{180 / M_PI, "degrees and radians"},
                                            {1000, "a factor of 1000"},
                                            {100, "a factor of 100"},
                                            {60, "minutes and seconds"},
                                            {3.6, "km/h and m/s"},
                                            {30 / M_PI, "rpm and rad/s"}};
  return table;
}

std::string state_name(const Problem& problem, Index i) {
  return problem.data.states.empty() ? fmt::format("x[{}]", i)
                                     : column_text(problem.data.states[static_cast<size_t>(i)]);
}

std::string input_name(const Problem& problem, Index j) {
  return problem.data.inputs.empty() ? fmt::format("u[{}]", j)
                                     : column_text(problem.data.inputs[static_cast<size_t>(j)]);
}

// The candidate so far that agrees best.
class Best {
 public:
  void consider(const Plant& plant, const Rollouts& logs, const std::string& cause) {
    if (!plant.A[0].allFinite() || !plant.B[0].allFinite()) return;
    const auto found = input_responses(plant, logs, effort);
    if (!found || found->p < agrees_above) return;
    const double misfit = found->z.squaredNorm() / found->tests;
    if (misfit >= misfit_) return;
    misfit_ = misfit;
    cause_ = cause;
  }
  std::string cause() const { return cause_; }

 private:
  double misfit_ = INFINITY;
  std::string cause_;
};

// The same log with u_t replaced by u_{t+1} or u_{t-1}: one step less.
void consider_shifts(Best& best, const Plant& plant, const Rollouts& logs) {
  const auto [n_x, n_u, T] = plant.sizes();
  if (T < 3) return;
  Plant shorter = plant;
  shorter.T = T - 1;
  for (const bool late : {true, false}) {
    if (plant.d.size() > 0) shorter.d = late ? plant.d.leftCols(T - 1) : plant.d.rightCols(T - 1);
    const Rollouts moved{late ? logs.x.leftCols(T * n_x) : logs.x.rightCols(T * n_x),
                         late ? logs.u.rightCols((T - 1) * n_u) : logs.u.leftCols((T - 1) * n_u)};
    best.consider(shorter, moved,
                  late ? "the inputs logged one sample too late (u_{t+1} in place of u_t fits)"
                       : "the inputs logged one sample too early (u_{t-1} in place of u_t fits)");
  }
}

Plant in_units(const Plant& plant, const Vector& scale) {
  Plant other = plant;
  const Vector inverse = scale.cwiseInverse();
  other.A[0] = scale.asDiagonal() * plant.A[0] * inverse.asDiagonal();
  other.B[0] = scale.asDiagonal() * plant.B[0];
  if (plant.d.size() > 0) other.d = scale.asDiagonal() * plant.d;
  return other;
}

void consider_states(Best& best, const Problem& problem, const Rollouts& logs) {
  const Plant& plant = problem.system.plant;
  const Index n_x = plant.sizes().n_x;
  const auto try_scale = [&](Index i, Index j, double value, const std::string& why) {
    Vector scale = Vector::Ones(n_x);
    scale(i) = scale(j) = value;
    const std::string names =
        state_name(problem, i) + (i == j ? "" : " and " + state_name(problem, j));
    best.consider(in_units(plant, scale), logs,
                  fmt::format("{} logged {:.4g} times as large as the model means it ({})", names,
                              value, why));
  };
  for (Index i = 0; i < n_x; ++i) {
    try_scale(i, i, -1, "the other sign");
    for (const Factor& f : factors())
      for (const double value : {f.value, 1 / f.value}) try_scale(i, i, value, f.why);
    if (n_x <= pair_limit)
      for (Index j = 0; j < i; ++j)
        for (const double value : {factors()[0].value, 1 / factors()[0].value})
          try_scale(i, j, value, factors()[0].why);
  }
}

// The factor on column j of B that the logs want, and the name of a known one near it.
void consider_inputs(Best& best, const Problem& problem, const Rollouts& logs) {
  const Plant& plant = problem.system.plant;
  const auto r = input_responses(plant, logs, {.episodes = 1000, .back = 2, .regressors = true});
  if (!r) return;
  const FittedInputs fit = fit_inputs(*r);
  for (Index j = 0; j < plant.sizes().n_u; ++j) {
    double BB = 0, Bc = 0;
    for (Index i = 0; i < plant.sizes().n_x; ++i) {
      const double error = fit.error(i, j);
      if (!(error > 0)) continue;
      BB += std::pow(plant.B[0](i, j) / error, 2);
      Bc += plant.B[0](i, j) * fit.change(i, j) / (error * error);
    }
    if (!(BB > 0)) continue;
    const double factor = 1 + Bc / BB;
    Plant other = plant;
    other.B[0].col(j) *= factor;
    std::string why;
    if (std::abs(factor + 1) < 0.05) why = " (the other sign)";
    for (const Factor& f : factors())
      for (const double value : {f.value, 1 / f.value})
        if (std::abs(factor / value - 1) < 0.05) why = fmt::format(" ({})", f.why);
    best.consider(other, logs,
                  fmt::format("{} acting {:.3g} times as strongly as B says{}",
                              input_name(problem, j), factor, why));
  }
}

// [A B; 0 I]^r is the plant sampled r times as slowly, inputs held.
void consider_sampling_times(Best& best, const Plant& plant, const Rollouts& logs) {
  const auto [n_x, n_u, T] = plant.sizes();
  Matrix M = Matrix::Identity(n_x + n_u, n_x + n_u);
  M.topLeftCorner(n_x, n_x) = plant.A[0];
  M.topRightCorner(n_x, n_u) = plant.B[0];
  const auto consider = [&](const Matrix& power, const std::string& ratio) {
    Plant other = plant;
    other.A[0] = power.topLeftCorner(n_x, n_x);
    other.B[0] = power.topRightCorner(n_x, n_u);
    best.consider(other, logs, "a sampling time " + ratio + " as long in the log as in the model");
  };
  Matrix power = M;
  for (int r = 2; r <= 10; ++r) {
    power = power * M;
    if (r <= 5 || r == 10) consider(power, fmt::format("{} times", r));
  }
  // Roots by the eigenvalues; the ones of the inputs (and any other multiple ones) make M defective
  // at times, so the power of the root is held against M.
  const Eigen::EigenSolver<Matrix> eigen(M);
  if (eigen.info() != Eigen::Success) return;
  const Eigen::MatrixXcd V = eigen.eigenvectors();
  for (const int r : {2, 3, 4, 5, 10}) {
    const Eigen::VectorXcd roots =
        eigen.eigenvalues().array().pow(std::complex<double>(1.0 / r, 0)).matrix();
    const Matrix root = (V * roots.asDiagonal() * V.inverse()).real();
    Matrix back = root;
    for (int k = 1; k < r; ++k) back = back * root;
    if (!((back - M).norm() <= 1e-6 * M.norm())) continue;
    consider(root, fmt::format("1/{}", r));
  }
}

}  // namespace

std::string likely_cause(const Problem& problem, const Rollouts& logs) {
  const Plant& plant = problem.system.plant;
  Best best;
  consider_shifts(best, plant, logs);
  consider_inputs(best, problem, logs);
  consider_states(best, problem, logs);
  consider_sampling_times(best, plant, logs);
  if (plant.A[0] != plant.A[0].transpose()) {
    Plant other = plant;
    other.A[0] = plant.A[0].transpose();
    best.consider(other, logs, "A transposed");
  }
  return best.cause();
}

}  // namespace loopcert
