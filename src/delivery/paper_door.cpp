// The functions of loopcert/delivery/paper.hpp.
#include "certificate/cumulant.hpp"
#include "certificate/localized.hpp"
#include "certificate/record_arrays.hpp"
#include "core/check.hpp"
#include "core/file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/delivery/paper.hpp"
#include "response/response.hpp"
#include "response/space.hpp"
#include "workflow/evaluate_run.hpp"
#include "workflow/learn_run.hpp"
#include "workflow/posterior_law.hpp"

namespace loopcert::paper {
namespace {

loopcert::Posterior inside(const Posterior& posterior) {
  loopcert::Posterior made;
  made.mean = posterior.mean;
  made.variance = posterior.variance;
  made.frame = posterior.frame;
  return made;
}

std::optional<loopcert::Prior> inside(const std::optional<Prior>& prior) {
  if (!prior) return std::nullopt;
  loopcert::Prior made;
  made.center = prior->center;
  made.scale = prior->scale;
  return made;
}

Posterior outside(const loopcert::Posterior& posterior) {
  return {posterior.mean, posterior.variance, posterior.frame};
}

GaussianTrajectory inside(const TrajectoryLaw& law) { return {law.s, law.mu_sq, law.mu_rest}; }

ResponseSpace space_of(const Problem& problem) {
  return make_response_space(problem.system, problem.response);
}

}  // namespace

std::optional<Posterior> posterior_of(const LearnResult& result) {
  if (!result.run || !result.run->posterior) return std::nullopt;
  return outside(*result.run->posterior);
}

Posterior read_posterior(const std::filesystem::path& path) {
  const std::string bytes = read_file(path, largest_record);
  return at_place(path.string(), [&] { return outside(parse_posterior(bytes)); });
}

Matrix covariance_of(const Problem& problem, const Posterior& posterior) {
  const CausalPattern pattern = space_of(problem).coordinates.pattern;
  check_posterior(inside(posterior), pattern);
  return posterior_covariance(inside(posterior), pattern);
}

Posterior with_covariance(const Problem& problem, const MatrixView& mean, const MatrixView& Sigma) {
  return outside(posterior_with_covariance(space_of(problem).coordinates.pattern, mean, Sigma));
}

std::vector<Bound> bounds(const Problem& problem, const Disturbances& data,
                          const Posterior& posterior, const std::string& kind,
                          const std::optional<Prior>& prior, const std::optional<double>& lambda) {
  std::vector<Bound> found;
  for (BoundAt& b :
       evaluate_posterior(problem, inside(posterior), data, {kind, lambda, inside(prior)}).bounds)
    found.push_back({b.kind, std::move(b.certificate), b.missing, b.rate, b.psi, b.C, b.mean_term});
  return found;
}

GlobalMinimum global_minimum(const Problem& problem, const Disturbances& data,
                             const std::string& kind, const std::optional<Prior>& prior) {
  const GlobalCheck check = global_check(problem, data, kind, inside(prior));
  return {check.value, check.lambda, outside(check.posterior)};
}

std::vector<Draw> draw(const Problem& problem, const Posterior& posterior, std::uint64_t seed,
                       Index count, const Disturbances& seen) {
  std::vector<Draw> draws;
  for (PosteriorDraw& d : draw_controllers(problem, inside(posterior), seed, count, seen))
    draws.push_back({std::move(d.Z), std::move(d.response), std::move(d.controller)});
  return draws;
}

Response response_at(const Problem& problem, const MatrixView& Z) {
  return loopcert::response_at(problem.system, space_of(problem).coordinates, Z);
}

Matrix coordinates_of(const Problem& problem, const Response& response) {
  return loopcert::coordinates_of(space_of(problem).coordinates, response);
}

TrajectoryLaw trajectory_law(const Problem& problem, const Response& response, const Law& law) {
  const GaussianTrajectory y =
      response_trajectory(problem.system, response, law.mean, law.covariance);
  return {y.s, y.mu_sq, y.mu_rest, y.risk(), quadratic_coefficient(y)};
}

double cumulant(const TrajectoryLaw& law, double lambda) {
  check_positive("lambda", lambda);
  return exact_gaussian_cgf(inside(law), lambda);
}

double quadratic_bound(const TrajectoryLaw& law, double lambda) {
  check_positive("lambda", lambda);
  return lambda * lambda * law.phi;
}

std::optional<double> lambda_end(const Problem& problem, const Posterior& posterior) {
  return loopcert::lambda_end(problem, inside(posterior));
}

double pointwise_radius(const Problem& problem, const MatrixView& Z, const MatrixView& covariance) {
  check_size("covariance", covariance, problem.sizes().d_w(), problem.sizes().d_w());
  check_positive_semidefinite("covariance", covariance);
  return loopcert::pointwise_radius(problem.system, space_of(problem), Z, covariance);
}

}  // namespace loopcert::paper
