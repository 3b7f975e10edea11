// A posterior in the hand: every PAC-Bayes bound at it, and what the bounds are made of. A bound
// holds for all posteriors at once (Thm. pb_cgf), so that any posterior may be asked about.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "certificate/gaussian.hpp"
#include "inspection/warnings.hpp"
#include "learning/pac_bayes.hpp"
#include "loopcert/certificate/record.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert {

struct EvaluateOptions {
  std::string kind = "all";                     // or one PAC-Bayes kind
  std::optional<double> lambda = std::nullopt;  // in place of the best one: any is valid
  std::optional<Prior> prior = std::nullopt;    // in place of the problem's; it has seen no data
};

// One bound. Its complexity term is (rate + psi)/lambda.
struct BoundAt {
  std::string kind;
  std::optional<Certificate> certificate = std::nullopt;
  std::string missing = "";                        // why there is none
  double rate = 0;                                 // of certificate/complexity.hpp
  double psi = 0;                                  // what stands above E_rho Lambda_alpha at lambda
  double prior_scale = 0;                          // of the prior that its KL is to
  std::optional<double> C = std::nullopt;          // q(U, U); absent where psi is not made of it
  std::optional<double> mean_term = std::nullopt;  // 2 q(U, B)
  // At the mean response, under a Gaussian law that the problem states.
  std::optional<double> cumulant = std::nullopt;   // Lambda_mu(lambda)
  std::optional<double> quadratic = std::nullopt;  // lambda^2 phi(mu), which stands above it
};

// Under the law that the problem states.
struct PosteriorUnderLaw {
  double risk = 0;            // L(mu_rho)
  double sensitivity = 0;     // C(mu_rho) = ||M Sigma_w M'||_F^2
  std::optional<double> phi;  // of the mean response; Gaussian laws only
  std::optional<double> end;  // E_rho exp(lambda L) is finite for lambda below it
  std::string end_missing;    // why there is none
  double radius = 0;          // 1/(2 ||Sigma_y||) at the mean response
};

struct Evaluation {
  Index n = 0;  // trajectories given; certificate.n certify
  Index p = 0;
  std::vector<BoundAt> bounds;  // each at its own confidence: they do not hold together
  std::optional<PosteriorUnderLaw> law;
  std::vector<Warning> warnings;  // what the data say against assumptions and model
};

// A kind that is asked for by name must be possible; of "all", those that are not say why. Delta:
// the problem's parts where they name all events of a kind, else its total, shared equally.
// Throws InputError.
Evaluation evaluate_posterior(const Problem& problem, const Posterior& posterior,
                              const Disturbances& data, const EvaluateOptions& options = {});
nlohmann::json evaluation_to_json(const Evaluation& evaluation);

// The smallest value of one kind over all diagonal posteriors, by a search over lambda
// (pac_bayes.hpp). Throws InputError for a kind whose psi is not the quadratic one.
GlobalCheck global_check(const Problem& problem, const Disturbances& data, const std::string& kind,
                         const std::optional<Prior>& prior = std::nullopt);

}  // namespace loopcert
