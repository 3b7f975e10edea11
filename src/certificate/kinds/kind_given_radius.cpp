// As data-driven-rank-aware, with a radius that the user states with its own delta: from physics,
// from earlier data, from a sharper inequality. It needs no scale bound.
#include "certificate/premises.hpp"
#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

const std::string name = "data-driven-given-radius";

std::optional<Missing> needs(const Premises& premises) {
  if (const auto missing = missing_centred_gaussian(premises, name)) return missing;
  if (premises.assumptions.covariance_radius) return std::nullopt;
  return Missing{"disturbance.covariance_radius", "nothing",
                 "a bound on ||Sigma_hat - Sigma_w||: certificate '" + name + "' assumes one"};
}

// delta of the event is the user's, on top of certificate.delta.
BoundSetup setup_of(const Setting& setting) {
  require_granted(needs(premises_of(setting)));
  const Matrix& Sigma_hat = setting.evidence.moments.second;
  const double eps = *setting.assumptions.covariance_radius;
  const double delta = *setting.assumptions.covariance_radius_delta;
  return radius_setup(
      setting,
      {Sigma_hat + eps * Matrix::Identity(Sigma_hat.rows(), Sigma_hat.cols()),
       (Sigma_hat.diagonal().array() - eps).cwiseMax(0.0),
       {{"covariance", delta, {"covariance-additive", {{"eps", eps}}}}},
       {gaussian_law(true), {"covariance-radius", {{"eps", eps}, {"delta", delta}}}}},
      eps);
}

}  // namespace

PosteriorKind data_driven_given_radius_kind() {
  return {name,
          "as data-driven-rank-aware, the radius of the covariance and its delta as stated",
          Subject::mean_response,
          false,
          {"pac_bayes"},
          needs,
          setup_of,
          nullptr,
          /*minimized=*/"",
          /*dominated_by=*/"",
          /*in_portfolio=*/false};
}

}  // namespace loopcert
