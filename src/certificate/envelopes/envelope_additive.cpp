// The paper's: ||Sigma_hat - Sigma_w|| <= eps on one event, so Sigma_w <= Sigma_hat + eps I
// (eq:inflated-covariance-app) and (Sigma_w)_jj >= (Sigma_hat)_jj - eps.
#include "certificate/premises.hpp"
#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

std::optional<Missing> needs(const Premises& premises) {
  return first_missing({missing_centred_gaussian(premises, "data-driven"),
                        missing_scale_bound(premises, "data-driven")});
}

Envelope make(const Assumptions& assumptions, const Evidence& evidence, const Sizes& sizes,
              double delta) {
  const Index d = sizes.d_w();
  const double scale = *assumptions.scale_bound;
  const double eps = covariance_radius(scale, d, evidence.n, delta);
  const Matrix& Sigma_hat = evidence.moments.second;
  return {Sigma_hat + eps * Matrix::Identity(d, d),
          (Sigma_hat.diagonal().array() - eps).cwiseMax(0.0),
          {{"covariance", delta, {"covariance-additive", {{"eps", eps}}}}},
          {gaussian_law(true), scale_bound(scale)}};
}

}  // namespace

EnvelopeKind additive_envelope() {
  return {"additive",
          "Sigma_hat + eps I with a scale bound (the paper's)",
          {"covariance"},
          needs,
          make};
}

}  // namespace loopcert
