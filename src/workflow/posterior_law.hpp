// A posterior under the law that the problem states, and controllers drawn from it.
#pragma once

#include <vector>

#include "certificate/cumulant.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/response/response_maps.hpp"
#include "response/space.hpp"
#include "workflow/evaluate_run.hpp"

namespace loopcert {

// The law of y = M w + m for one response, w ~ N(mean, covariance).
GaussianTrajectory response_trajectory(const System& system, const Response& response,
                                       const VectorView& mean, const MatrixView& covariance);

// The mean response under the law, and its cumulants at the lambda of each bound.
void add_law(Evaluation& evaluation, const Problem& problem, const ResponseSpace& space,
             const Posterior& posterior);

// The right end of the interval of lambda in which E_rho exp(lambda L) is finite, under the law;
// empty when no lambda is admissible. Throws InputError without a law, or above the largest p.
std::optional<double> lambda_end(const Problem& problem, const Posterior& posterior);

struct PosteriorDraw {
  Matrix Z;
  Response response;
  Controller controller;
};

// Draws 0, 1, … of Z ~ rho. `seen` are the trajectories that the posterior was learned
// from: none of them may certify a drawn controller.
std::vector<PosteriorDraw> draw_controllers(const Problem& problem, const Posterior& posterior,
                                            std::uint64_t seed, Index count,
                                            const Disturbances& seen = {});

}  // namespace loopcert
