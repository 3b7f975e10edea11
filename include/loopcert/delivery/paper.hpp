// For readers of the paper: its symbols one by one, in plain types. `loopcert/loopcert.hpp` does
// not include it, and no controller needs it.
//
//   const auto result = loopcert::learn(problem, data);
//   const auto rho = loopcert::paper::posterior_of(result);
//   for (const auto& bound : loopcert::paper::bounds(problem, data, *rho)) …
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/certificate/record.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/loopcert.hpp"
#include "loopcert/problem/problem.hpp"
#include "loopcert/response/response_maps.hpp"
#include "loopcert/response/vectorized.hpp"

namespace loopcert {
struct Frame;
}

namespace loopcert::paper {

// rho = N(mean, diag(variance)), or with these variances in the frame of a posterior family, and
// pi = N(center, scale^2 I) on the free entries of Z; matrices are d_u x d_z and zero elsewhere.
struct Posterior {
  Matrix mean, variance;
  std::shared_ptr<const Frame> frame = nullptr;
};
struct Prior {
  Matrix center;
  double scale = 1;
};

std::optional<Posterior> posterior_of(const LearnResult& result);
Posterior read_posterior(const std::filesystem::path& path);  // posterior.npz

// Sigma_rho, p x p over the free entries column by column, and a posterior that has any given one;
// for p up to 600.
Matrix covariance_of(const Problem& problem, const Posterior& posterior);
Posterior with_covariance(const Problem& problem, const MatrixView& mean, const MatrixView& Sigma);

// One bound at a posterior. Its complexity term is (rate + psi)/lambda  (Thm. pb_cgf).
struct Bound {
  std::string kind;
  std::optional<Certificate> certificate;  // value, terms, events, kl, lambda
  std::string missing;                     // why there is none
  double rate = 0;                         // (KL + log(n/delta))/(n - 1); with a grid, ours
  double psi = 0;                          // above E_rho Lambda_alpha(lambda)
  std::optional<double> C, mean_term;      // C_rho hat, and twice the moment with the mean
};

// `kind`: one PAC-Bayes kind, or "all". Without a prior, that of the problem. Any lambda is valid;
// without one each bound has its best. Each holds at its own confidence. Throws InputError.
std::vector<Bound> bounds(const Problem& problem, const Disturbances& data,
                          const Posterior& posterior, const std::string& kind = "all",
                          const std::optional<Prior>& prior = std::nullopt,
                          const std::optional<double>& lambda = std::nullopt);

// The smallest value of one kind over all diagonal posteriors, by convex problems along lambda.
struct GlobalMinimum {
  double value = 0;
  double lambda = 0;
  Posterior posterior;
};
GlobalMinimum global_minimum(const Problem& problem, const Disturbances& data,
                             const std::string& kind = "data-driven",
                             const std::optional<Prior>& prior = std::nullopt);

// Z ~ rho, its response and K = Phi_u Phi_x^-1. `seen`: what the posterior was learned from.
struct Draw {
  Matrix Z;
  Response response;
  Controller controller;
};
std::vector<Draw> draw(const Problem& problem, const Posterior& posterior, std::uint64_t seed,
                       Index count, const Disturbances& seen = {});

// The response with coordinates Z, and back.
Response response_at(const Problem& problem, const MatrixView& Z);
Matrix coordinates_of(const Problem& problem, const Response& response);

// y = M w + m of one response, w ~ N(mean, covariance), by the spectrum of Sigma_y = M Sigma_w M'.
struct TrajectoryLaw {
  Vector s;            // eigenvalues of Sigma_y that may be non-zero
  Vector mu_sq;        // squared coordinates of mu_y along the eigenvectors
  double mu_rest = 0;  // squared mean in the null space of Sigma_y
  double risk = 0;     // L(alpha)
  double phi = 0;      // ||Sigma_y||_F^2 + 2 mu_y'Sigma_y mu_y  (Cor. gaussian-quadratic)
};
TrajectoryLaw trajectory_law(const Problem& problem, const Response& response, const Law& law);

// Lambda_alpha(lambda), exactly (eq:exact-gaussian-cgf), and lambda^2 phi, which stands above it.
double cumulant(const TrajectoryLaw& law, double lambda);
double quadratic_bound(const TrajectoryLaw& law, double lambda);

// Under the law of the problem: E_rho exp(lambda L) is finite for lambda in (0, end), empty when
// none is admissible; and 1/(2 ||Sigma_y||), the radius of one response.
std::optional<double> lambda_end(const Problem& problem, const Posterior& posterior);
double pointwise_radius(const Problem& problem, const MatrixView& Z, const MatrixView& covariance);

}  // namespace loopcert::paper
