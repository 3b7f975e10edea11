// As data-driven-rank-aware, with a radius from the trace of the covariance in place of d_w times
// its largest eigenvalue: far smaller when few directions carry the noise. The trace comes from the
// data (docs/theory/data-driven.md).
#include "certificate/premises.hpp"
#include "certificate/tails.hpp"
#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

const std::string name = "data-driven-effective-rank";

std::optional<Missing> needs(const Premises& premises) {
  return first_missing(
      {missing_centred_gaussian(premises, name), missing_scale_bound(premises, name)});
}

BoundSetup setup_of(const Setting& setting) {
  require_granted(needs(premises_of(setting)));
  const Matrix& Sigma_hat = setting.evidence.moments.second;
  const Index n = setting.evidence.n, d = Sigma_hat.rows();
  const double scale = *setting.assumptions.scale_bound, delta = setting.delta.at("covariance");
  // tr Sigma_w <= n tr Sigma_hat / chi2_{n, delta/2}: E|w|^2 is a cost. The other half is for the
  // deviation.
  const double trace =
      std::min(Sigma_hat.trace() / centred_factor(n, delta / 2), static_cast<double>(d) * scale);
  const double eps = effective_rank_radius(scale, trace, n, delta / 2);
  return radius_setup(
      setting,
      {Sigma_hat + eps * Matrix::Identity(d, d),
       (Sigma_hat.diagonal().array() - eps).cwiseMax(0.0),
       {{"covariance", delta, {"covariance-effective-rank", {{"eps", eps}, {"trace", trace}}}}},
       {gaussian_law(true), scale_bound(scale)}},
      eps);
}

}  // namespace

PosteriorKind data_driven_effective_rank_kind() {
  return {name,
          "as data-driven-rank-aware, the radius of the covariance by its trace",
          Subject::mean_response,
          false,
          {"pac_bayes", "covariance"},
          needs,
          setup_of,
          nullptr,
          /*minimized=*/"",
          /*dominated_by=*/"",
          /*in_portfolio=*/false};
}

}  // namespace loopcert
