#include "workflow/posterior_law.hpp"

#include "certificate/localized.hpp"
#include "controller/closed_loop.hpp"
#include "core/check.hpp"
#include "core/work.hpp"
#include "data/moments.hpp"
#include "data/recording.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/version.hpp"
#include "risk/risk.hpp"
#include "workflow/freshness.hpp"

namespace loopcert {
namespace {

// Neither those of `learn` nor of `simulate` (SamplePurpose).
constexpr std::uint64_t draw_cell = 3;

const Law& stated_law(const Problem& problem) {
  if (!problem.disturbance.law)
    throw_input_error("disturbance.covariance", "nothing", "the law that expectations are under");
  return *problem.disturbance.law;
}

std::optional<double> end_in(const Problem& problem, const ResponseSpace& space,
                             const Posterior& posterior) {
  const Matrix Sigma = moment_matrix(law_moments(stated_law(problem)), problem.has_constant());
  return admissible_end(localized_moment(space, Sigma, posterior));
}

}  // namespace

GaussianTrajectory response_trajectory(const System& system, const Response& response,
                                       const VectorView& mean, const MatrixView& covariance) {
  const Index d_w = system.sizes().d_w();
  check_size("mean", mean, d_w, 1);
  check_size("covariance", covariance, d_w, d_w);
  check_finite("mean", mean);
  check_positive_semidefinite("covariance", covariance);
  const WeightedResponse y = weighted_response(system.cost, system.sizes(), response);
  return gaussian_trajectory(y.M, y.m, mean, covariance);
}

void add_law(Evaluation& evaluation, const Problem& problem, const ResponseSpace& space,
             const Posterior& posterior) {
  const Law& law = stated_law(problem);
  const Response mean = response_at(problem.system, space.coordinates, posterior.mean);
  PosteriorUnderLaw under;
  under.risk = response_risk(problem.system, mean, law_moments(law));
  under.sensitivity = response_sensitivity(problem.system, mean, law.covariance);
  under.radius = pointwise_radius(problem.system, space, posterior.mean, law.covariance);
  try {
    under.end = end_in(problem, space, posterior);
    if (!under.end) under.end_missing = "no lambda is admissible";
  } catch (const InputError& error) {
    under.end_missing = error.what();
  }
  if (law.shape == LawShape::gaussian) {
    const GaussianTrajectory y =
        response_trajectory(problem.system, mean, law.mean, law.covariance);
    under.phi = quadratic_coefficient(y);
    for (BoundAt& bound : evaluation.bounds)
      if (bound.certificate && bound.certificate->lambda) {
        const double lambda = *bound.certificate->lambda;
        bound.cumulant = exact_gaussian_cgf(y, lambda);
        bound.quadratic = lambda * lambda * *under.phi;
      }
  }
  evaluation.law = std::move(under);
}

std::optional<double> lambda_end(const Problem& problem, const Posterior& posterior) {
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  check_posterior(posterior, space.coordinates.pattern);
  return end_in(problem, space, posterior);
}

std::vector<PosteriorDraw> draw_controllers(const Problem& problem, const Posterior& posterior,
                                            std::uint64_t seed, Index count,
                                            const Disturbances& seen) {
  check_at_least("draws", count, 1);
  const ResponseSpace space = make_response_space(problem.system, problem.response);
  check_posterior(posterior, space.coordinates.pattern);
  const Recording recording = recording_of(seen, problem.system.plant);
  std::vector<PosteriorDraw> draws;
  Work work("draws", count);
  for (Index i = 0; i < count; ++i) {
    work.add();
    PosteriorDraw draw;
    draw.Z = sample_posterior(posterior, {seed, draw_cell}, static_cast<std::uint64_t>(i));
    draw.response = response_at(problem.system, space.coordinates, draw.Z);
    draw.controller = recover_controller(draw.response, problem.system.plant);
    draw.controller.provenance = {{"loopcert", version},
                                  {"method", "drawn from a posterior"},
                                  {"problem", problem.name},
                                  {"draw", std::to_string(i)},
                                  {"seed", std::to_string(seed)}};
    if (seen.n() > 0) remember(draw.controller, recording);
    draws.push_back(std::move(draw));
  }
  return draws;
}

}  // namespace loopcert
