// Sigma_hat = Sigma_w^1/2 W Sigma_w^1/2 with W a standard Wishart over n, so lambda_min(W) >= q
// says Sigma_w <= Sigma_hat / q. No scale is needed; nothing is said from below.
#include "certificate/premises.hpp"
#include "certificate/wishart.hpp"
#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

const std::string name = "relative";

std::optional<Missing> needs(const Premises& premises) {
  return first_missing({missing_centred_gaussian(premises, name),
                        missing_samples(premises, premises.sizes.d_w(), name)});
}

Envelope make(const Assumptions&, const Evidence& evidence, const Sizes& sizes, double delta) {
  const double q = wishart_floor(sizes.d_w(), evidence.n, delta);
  require_quantile(q, evidence.n, name);
  return {evidence.moments.second / q,
          Vector::Zero(sizes.d_w()),
          {{"covariance", delta, {"covariance-relative", {{"q", q}}}}},
          {gaussian_law(true)}};
}

double least_relative(const Premises& premises) {
  return least_under(wishart_floor(premises.sizes.d_w(), premises.n, *premises.delta / 2),
                     premises);
}

}  // namespace

EnvelopeKind relative_envelope() {
  return {name,
          "Sigma_hat / q, q the Wishart quantile; no scale needed",
          {"covariance"},
          needs,
          make,
          {"relative",
           "mean response, zero mean, no scale: covariance from more than d_w trajectories"},
          {"hold-out-relative", "Gaussian, zero mean, covariance from the same trajectories"},
          least_relative,
          /*dominated_by=*/"hold-out-frobenius"};
}

}  // namespace loopcert
