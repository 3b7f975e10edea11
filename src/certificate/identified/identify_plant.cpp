// From logs to a set of plants, and the refusals on the way.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "certificate/bound.hpp"
#include "certificate/from_problem.hpp"
#include "certificate/identified_cost.hpp"
#include "certificate/wishart.hpp"
#include "core/text.hpp"

namespace loopcert {
namespace {

const std::vector<std::string> finite_events = {"model", "noise", "start"};
const std::vector<std::string> average_events = {"model", "noise"};
const std::vector<std::string> both_events = {"model", "noise", "start", "noise-upper",
                                              "start-upper"};

// The largest eigenvalue of a standard Wishart of size d over n exceeds it with probability at
// most delta.
double wishart_ceiling(Index d, Index n, double delta) {
  const auto share = [&](double value) { return std::sqrt(value / static_cast<double>(n)); };
  const double root = 1 + share(static_cast<double>(d)) + share(2 * std::log(1 / delta));
  return root * root;
}

// A law that the file states must be one that the certificate assumes.
std::optional<Missing> law_objection(const Problem& problem, const std::string& kind) {
  const Assumptions& assumptions = problem.disturbance;
  if (assumptions.model != "gaussian")
    return Missing{"disturbance.model", "'" + assumptions.model + "'",
                   "'gaussian': certificate '" + kind + "' assumes it"};
  if (!assumptions.zero_mean)
    return Missing{"disturbance.zero_mean", "false",
                   "true for certificate '" + kind + "' (offset = true identifies a constant)"};
  if (!assumptions.law) return std::nullopt;
  const Law& law = *assumptions.law;
  if (law.shape != LawShape::gaussian)
    return Missing{"disturbance.distribution", "'" + law_shape_name(law.shape) + "'",
                   "'gaussian': certificate '" + kind + "' assumes it"};
  if (!law.mean.isZero(0.0))
    return Missing{"disturbance.mean", "one that is not zero",
                   "zero: certificate '" + kind + "' assumes it"};
  const Sizes s = problem.sizes();
  const Matrix w = law.covariance.block(s.n_w, s.n_w, s.n_w, s.n_w);
  Matrix white = Matrix::Zero(s.d_w(), s.d_w());
  white.topLeftCorner(s.n_w, s.n_w) = law.covariance.topLeftCorner(s.n_w, s.n_w);
  for (Index t = 1; t <= s.T; ++t) white.block(t * s.n_w, t * s.n_w, s.n_w, s.n_w) = w;
  if (white != law.covariance)
    return Missing{"disturbance.covariance", "a law that is not white with one covariance",
                   "{ x0 = ..., w = ... }: certificate '" + kind + "' assumes it"};
  for (Index i = 0; i < s.n_w; ++i)
    if (!problem.model->is_unknown(i) && w(i, i) != 0)
      return Missing{"disturbance.covariance", fmt::format("noise in row {}", i + 1),
                     "none in a row that is not identified"};
  return std::nullopt;
}

// "0.71 x0 - 0.70 u0": the direction in the units of each entry.
std::string direction_text(const Vector& direction, const std::vector<std::string>& names) {
  std::string text;
  for (Index i = 0; i < direction.size(); ++i) {
    if (std::abs(direction(i)) < 0.05) continue;
    text += fmt::format("{}{:.2g} {}",
                        text.empty()       ? (direction(i) < 0 ? "-" : "")
                        : direction(i) < 0 ? " - "
                                           : " + ",
                        std::abs(direction(i)), names[static_cast<size_t>(i)]);
  }
  return text;
}

// The smallest N whose floor exceeds what the model's error takes, if V_0 is about 0.35 V.
Index transitions_enough(Index n_v, Index n_r, const Deltas& delta) {
  const double beta_sq =
      2 * std::log(1 / delta.at("model")) + static_cast<double>(n_v * n_r) * std::log(1 + 1 / 0.35);
  for (Index N = n_r + n_v + 1; N < Index{1} << 30; N += 1 + N / 8)
    if (static_cast<double>(N) * wishart_floor(n_v, N, delta.at("noise")) > 1.35 * beta_sq)
      return N;
  return 0;
}

// Nothing can be said about a direction that the logs never took.
void require_excited(const Matrix& gram, const char* what, const IdentifiedPlant& plant,
                     const Problem& problem) {
  const Excitation found = least_excited(gram);
  if (found.ratio > 1e-10) return;
  throw NotProved(fmt::format(
      "identified: {} never excite the direction {} of state and input: nothing is known about it "
      "(log with inputs that vary by themselves)",
      what, direction_text(found.direction, regressor_names(plant.model, problem.data))));
}

void require_enough(const TransitionSums& sums, const IdentifiedPlant& plant) {
  const Index enough = transitions_enough(plant.model.n_v(), plant.model.n_r(), plant.delta);
  if (sums.N >= enough) return;
  throw NotProved(fmt::format(
      "identified: {} transitions are too few for {} coefficients: about {} are needed before "
      "anything can be certified, besides {} that choose a scale",
      sums.N, plant.model.n_v() * plant.model.n_r(), enough, plant.pilot.transitions));
}

// What the model leaves over must be more than the rounding of what was logged.
void require_noise(const TransitionSums& sums, const Problem& problem) {
  const Matrix Theta = sums.rr.ldlt().solve(sums.yr.transpose()).transpose();
  const Matrix all = Theta + sums.reference;
  for (Index i = 0, row = 0; i < problem.sizes().n_x; ++i) {
    if (!problem.model->is_unknown(i)) continue;
    const double left = sums.yy(row, row) - Theta.row(row).dot(sums.yr.row(row));
    const double explained = all.row(row) * sums.rr * all.row(row).transpose();
    if (!(left > 1e-18 * (explained + left)) || !(left > 1e-10 * sums.yy(row, row)))
      throw NotProved(fmt::format(
          "identified: row {} of the plant leaves nothing over but rounding: a row without noise "
          "must be known (system.identify = [...] lists the others)",
          i + 1));
    ++row;
  }
}

}  // namespace

std::string identified_kind_name(const Problem& problem) {
  return problem.model && problem.model->infinite ? "identified-average" : "identified";
}

IdentifiedPlant identify_plant(const Problem& problem, const Logs& logs, bool both_sides) {
  const std::string kind = identified_kind_name(problem);
  require_granted(law_objection(problem, kind));
  const bool infinite = problem.model.value().infinite;
  IdentifiedPlant plant;
  plant.model = model_of(problem);
  check_logs(logs, plant.model.n_y, plant.model.n_u, problem.data.keep_repeated);
  plant.n = static_cast<Index>(logs.size());
  if (infinite && both_sides) throw_input_error("horizon", "'infinite'", "a number of steps");
  plant.delta = deltas_of(problem, infinite     ? average_events
                                   : both_sides ? both_events
                                                : finite_events);
  plant.pilot = pilot_of(plant.model, logs, !infinite);
  const TransitionSums sums = sums_of(plant.model, logs, plant.pilot);
  require_enough(sums, plant);
  require_excited(sums.rr, "the logs", plant, problem);
  require_excited(sums.prior, "the transitions that choose a scale", plant, problem);
  require_noise(sums, problem);
  plant.set = confidence_set(sums, plant.delta.at("model"), plant.delta.at("noise"));
  plant.loop = loop_of(problem, plant.model, plant_at(plant.model, plant.set.Theta_hat));
  if (infinite) return plant;
  const Index n_y = plant.model.n_y;
  plant.start_floor = wishart_floor(n_y, plant.n, plant.delta.at("start"));
  if (!(plant.start_floor > 0))
    throw NotProved(
        fmt::format("identified: {} episodes are too few for {} entries of the start: at "
                    "least {} are needed",
                    plant.n, n_y, n_y + 1));
  if (both_sides) {
    plant.noise_ceiling =
        wishart_ceiling(plant.model.n_v(), plant.set.transitions, plant.delta.at("noise-upper"));
    plant.start_ceiling = wishart_ceiling(n_y, plant.n, plant.delta.at("start-upper"));
  }
  plant.U_0 = start_on_state(plant.model, start_moment(logs) / plant.start_floor);
  return plant;
}

std::string least_excited_text(const Problem& problem, const IdentifiedPlant& plant) {
  const Matrix gram = (plant.set.G.transpose() * plant.set.G).inverse();
  return direction_text(least_excited(gram).direction, regressor_names(plant.model, problem.data));
}

void throw_not_identified(const Problem& problem, const IdentifiedPlant& plant,
                          const Gains& gains) {
  // With more of the same logs the ellipsoid shrinks by the root of their number.
  std::string enough = "many more transitions";
  IdentifiedPlant more = plant;
  for (Index factor = 2; factor <= 1 << 16; factor *= 2) {
    more.set.G = plant.set.G / std::sqrt(static_cast<double>(factor));
    if (!bound_identified(more, gains)) continue;
    enough = fmt::format("about {} transitions", plant.set.transitions * factor);
    break;
  }
  throw NotProved(
      fmt::format("identified: after {} transitions the plant is too uncertain for any bound: {} "
                  "like these may "
                  "be enough; the direction {} of state and input was excited least",
                  plant.set.transitions, enough, least_excited_text(problem, plant)));
}

}  // namespace loopcert
