// Mistakes that are often made, tried one by one: the model or the log is changed as the mistake
// would have it, and looked at again.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "core/dense_solvers.hpp"
#include "model_fit.hpp"

namespace loopcert {
namespace {

constexpr ResponseEffort cause_effort{.episodes = 300, .back = 3};
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
  Best(const Plant& file, const FittedInputs& fit) : file_(file), fit_(fit) {}
  // A change of the model alone: its B has to be the fitted one, which spares most looks.
  void consider(const Plant& plant, const Rollouts& logs, const std::string& cause) {
    if (!plant.A[0].allFinite() || !plant.B[0].allFinite()) return;
    const Matrix gap = plant.B[0] - file_.B[0] - fit_.change;
    const Matrix room = wide * fit_.error + 1e-9 * (plant.B[0].cwiseAbs() + file_.B[0].cwiseAbs());
    if ((gap.cwiseAbs().array() <= room.array()).all()) look(plant, logs, cause);
  }
  void look(const Plant& plant, const Rollouts& logs, const std::string& cause) {
    const auto found = input_responses(plant, logs, cause_effort);
    if (!found || found->p < agrees_above) return;
    const double misfit = innovation_size(*found) + 0.05 * found->z.squaredNorm() / found->tests;
    if (misfit >= misfit_ - margin) return;  // of those that agree alike, the first
    misfit_ = misfit;
    cause_ = cause;
  }
  std::string cause() const { return cause_; }

 private:
  static constexpr double wide = 6;  // standard errors
  static constexpr double margin = 0.02;
  const Plant& file_;
  const FittedInputs& fit_;
  double misfit_ = INFINITY;
  std::string cause_;
};

// The same log with u_t replaced by u_{t+1} or u_{t-1}: one step less.
void consider_shifts(Best& best, const Plant& plant, const Rollouts& logs) {
  const Sizes sizes = plant.sizes();
  const Index n_x = sizes.n_x, n_u = sizes.n_u, T = sizes.T;
  if (T < 3) return;
  Plant shorter = plant;
  shorter.T = T - 1;
  for (const bool late : {true, false}) {
    if (plant.d.size() > 0) shorter.d = late ? plant.d.leftCols(T - 1) : plant.d.rightCols(T - 1);
    const Rollouts moved{late ? logs.x.leftCols(T * n_x) : logs.x.rightCols(T * n_x),
                         late ? logs.u.rightCols((T - 1) * n_u) : logs.u.leftCols((T - 1) * n_u)};
    best.look(shorter, moved,
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
    best.consider(
        in_units(plant, scale), logs,
        fmt::format("{} logged {:.4g} times as large as in the model ({})", names, value, why));
  };
  for (Index i = 0; i < n_x; ++i) {
    try_scale(i, i, -1, "the other sign");
    for (const Factor& f : factors())
      for (const double value : {f.value, 1 / f.value}) try_scale(i, i, value, f.why);
  }
  if (!best.cause().empty() || n_x > pair_limit) return;
  for (Index i = 0; i < n_x; ++i)  // an angle and its rate
    for (Index j = 0; j < i; ++j)
      for (const double value : {factors()[0].value, 1 / factors()[0].value})
        try_scale(i, j, value, factors()[0].why);
}

std::string known_factor(double factor) {
  if (std::abs(factor + 1) < 0.05) return " (the other sign)";
  for (const Factor& f : factors())
    for (const double value : {f.value, 1 / f.value})
      if (std::abs(factor / value - 1) < 0.05) return fmt::format(" ({})", f.why);
  return "";
}

// The factor on some columns of B that the logs want.
void consider_factor(Best& best, const Plant& plant, const Rollouts& logs, const FittedInputs& fit,
                     Index first, Index count, const std::string& name) {
  double BB = 0, Bc = 0;
  for (Index j = first; j < first + count; ++j)
    for (Index i = 0; i < plant.sizes().n_x; ++i) {
      const double error = fit.error(i, j);
      if (!(error > 0)) continue;
      BB += std::pow(plant.B[0](i, j) / error, 2);
      Bc += plant.B[0](i, j) / error * (fit.change(i, j) / error);
    }
  if (!(BB > 0)) return;
  const double factor = 1 + Bc / BB;
  Plant other = plant;
  other.B[0].middleCols(first, count) *= factor;
  best.consider(other, logs,
                fmt::format("{} acting {:.3g} times as strongly as in B{}", name, factor,
                            known_factor(factor)));
}

void consider_inputs(Best& best, const Problem& problem, const Rollouts& logs,
                     const FittedInputs& fit) {
  const Plant& plant = problem.system.plant;
  const Index n_u = plant.sizes().n_u;
  for (Index j = 0; j < n_u; ++j)
    consider_factor(best, plant, logs, fit, j, 1, input_name(problem, j));
  if (n_u > 1) consider_factor(best, plant, logs, fit, 0, n_u, "all inputs");
}

// [A B; 0 I]^r is the plant sampled r times as slowly, inputs held.
void consider_sampling_times(Best& best, const Plant& plant, const Rollouts& logs) {
  const Index n_x = plant.sizes().n_x, n_u = plant.sizes().n_u;
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
  const Matrix log = logarithm(M);  // none that is real, if an eigenvalue is not positive
  for (const double r : {2.0, 3.0, 4.0, 5.0, 10.0}) {
    const Matrix root = exponential(log / r);
    Matrix back = root;
    for (int k = 1; k < static_cast<int>(r); ++k) back = back * root;
    if ((back - M).norm() <= 1e-6 * M.norm()) consider(root, fmt::format("1/{}", r));
  }
}

}  // namespace

std::string likely_cause(const Problem& problem, const Rollouts& logs, const FittedInputs& fit) {
  const Plant& plant = problem.system.plant;
  Best best(plant, fit);
  consider_inputs(best, problem, logs, fit);
  consider_states(best, problem, logs);
  consider_sampling_times(best, plant, logs);
  if (plant.A[0] != plant.A[0].transpose()) {
    Plant other = plant;
    other.A[0] = plant.A[0].transpose();
    best.consider(other, logs, "A transposed");
  }
  consider_shifts(best, plant, logs);
  return best.cause();
}

}  // namespace loopcert
