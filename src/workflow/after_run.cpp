#include "workflow/after_run.hpp"

#include <fmt/format.h>

#include "data/moments.hpp"
#include "loopcert/core/error.hpp"
#include "system/riccati.hpp"

namespace loopcert {
namespace {

// One covariance and mean for every step, and no step correlated with another.
bool is_white(const Law& law, const Sizes& s) {
  const StepNoise step = noise_of_steps(law_moments(law), s);
  Matrix expected = Matrix::Zero(s.d_w(), s.d_w());
  expected.topLeftCorner(s.n_w, s.n_w) = law.covariance.topLeftCorner(s.n_w, s.n_w);
  for (Index t = 1; t <= s.T; ++t)
    expected.block(t * s.n_w, t * s.n_w, s.n_w, s.n_w) = step.covariance;
  // In units of each entry: colour in a small one counts as in any other.
  const Vector size = law.covariance.diagonal().cwiseSqrt();
  const Matrix room = 1e-9 * size * size.transpose();
  const Vector means = law.mean.tail(s.T * s.n_w) - step.mean.replicate(s.T, 1);
  const Vector mean_room = 1e-9 * (size + law.mean.cwiseAbs()).tail(s.T * s.n_w);
  return ((law.covariance - expected).cwiseAbs().array() <= room.array()).all() &&
         (means.cwiseAbs().array() <= mean_room.array()).all();
}

struct Noise {
  StepNoise step;
  std::string text;
};

Noise noise_for(const Problem& problem, const Disturbances& data) {
  const Sizes sizes = problem.sizes();
  const auto& law = problem.disturbance.law;
  if (law)
    return {noise_of_steps(law_moments(*law), sizes),
            is_white(*law, sizes) ? "the stated law"
                                  : "the stated law, its steps taken as independent"};
  if (data.n() > 0)
    return {noise_of_steps(sample_moments(data), sizes),
            "the mean and covariance of the data, their steps taken as independent"};
  return {unit_noise(sizes), "white noise of covariance I"};
}

std::string word_of(AfterHorizon after) { return after_names()[static_cast<size_t>(after)]; }

}  // namespace

std::optional<AfterRun> look_after(const Problem& problem, const Controller& controller,
                                   AfterHorizon after, const Disturbances& data) {
  require_known_plant(problem, "what comes after the horizon");
  if (after == AfterHorizon::refuse || !is_time_invariant(problem.system)) return std::nullopt;
  Noise noise = noise_for(problem, data);
  return AfterRun{after, long_run(problem.system, controller, after, noise.step),
                  std::move(noise.text)};
}

std::vector<std::pair<std::string, std::string>> after_rows(const AfterRun& found) {
  const LongRun& run = found.run;
  const std::string best =
      run.optimal_cost ? fmt::format("; the optimum is {:.6g}", *run.optimal_cost) : "";
  return {{"after the horizon", word_of(found.after)},
          {"spectral radius", fmt::format("{:.6g} per step{}", run.spectral_radius,
                                          run.stable() ? "" : ": not stable")},
          {"average cost", (run.cost ? fmt::format("{:.6g} per step", *run.cost)
                                     : std::string("none: the loop is not stable")) +
                               best + ", under " + found.noise}};
}

nlohmann::json after_to_json(const AfterRun& found) {
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
  };
  return {{"after", word_of(found.after)},
          {"spectral_radius", found.run.spectral_radius},
          {"stable", found.run.stable()},
          {"average_cost", number(found.run.cost)},
          {"optimal_cost", number(found.run.optimal_cost)},
          {"noise", found.noise},
          {"warning", after_warning(found)}};
}

std::string after_warning(const AfterRun& found) {
  const LongRun& run = found.run;
  if (!run.is_bad()) return "";
  const std::string what = fmt::format("after the horizon ({}) ", word_of(found.after));
  const std::string advice =
      std::string(found.after == AfterHorizon::hold
                      ? "the last gains are those of a loop that is about to end"
                      : "each restart discards the information of earlier states") +
      ": cost.P = \"riccati\" in the problem file makes the last step like all others";
  if (!run.stable() || !run.cost)
    return fmt::format("{}the loop is not stable, its spectral radius is {:.6g}; {}", what,
                       run.spectral_radius, advice);
  return fmt::format("{}the average cost per step is {:.4g}, the optimum is {:.4g}, under {}; {}",
                     what, *run.cost, *run.optimal_cost, found.noise, advice);
}

}  // namespace loopcert
