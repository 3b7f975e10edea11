// As relative, additive: Sigma_w - Sigma_hat = Sigma_w^1/2 (I - W) Sigma_w^1/2 <= (1 - q) Sigma_w
// on lambda_min(W) >= q, and Sigma_w <= sigma_bar^2 I.
#include <algorithm>

#include "certificate/premises.hpp"
#include "certificate/wishart.hpp"
#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

const std::string name = "one-sided";

std::optional<Missing> needs(const Premises& premises) {
  return first_missing({missing_centred_gaussian(premises, name),
                        missing_scale_bound(premises, name),
                        missing_samples(premises, premises.sizes.d_w(), name)});
}

Envelope make(const Assumptions& assumptions, const Evidence& evidence, const Sizes& sizes,
              double delta) {
  const Index d = sizes.d_w();
  const double scale = *assumptions.scale_bound;
  const double gap = scale * std::max(0.0, 1 - wishart_floor(d, evidence.n, delta));
  return {evidence.moments.second + gap * Matrix::Identity(d, d),
          Vector::Zero(d),
          {{"covariance", delta, {"covariance-one-sided", {{"gap", gap}}}}},
          {gaussian_law(true), scale_bound(scale)}};
}

}  // namespace

EnvelopeKind one_sided_envelope() {
  return {name,
          "Sigma_hat + (1 - q) sigma_bar^2 I, q the Wishart quantile",
          {"covariance"},
          needs,
          make,
          {"one-sided", "as relative with a scale bound: additive instead of multiplicative"}};
}

}  // namespace loopcert
