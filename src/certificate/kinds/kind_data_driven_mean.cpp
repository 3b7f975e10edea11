// Unknown mean: sample covariance with n - 1 degrees of freedom and one more event for the mean
// (docs/theory/unknown-mean.md).
#include <cmath>

#include "certificate/premises.hpp"
#include "data/moments.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

const std::string kind = "data-driven-mean";

std::optional<Missing> mean_needs(const Premises& premises) {
  if (premises.n < 3)
    return Missing{"trajectories for certificate '" + kind + "'", std::to_string(premises.n),
                   "at least 3"};
  return first_missing({missing_gaussian(premises, kind), missing_scale_bound(premises, kind)});
}

BoundSetup mean_setup(const Setting& setting) {
  require_granted(mean_needs(premises_of(setting)));
  const double scale = *setting.assumptions.scale_bound;
  const CausalPattern& pattern = setting.space.coordinates.pattern;
  const Moments& moments = setting.evidence.moments;
  const Index d_w = moments.mean.size(), n = setting.evidence.n;
  const double eps = covariance_radius(scale, d_w, n - 1, setting.delta.at("covariance"));
  const double r = mean_radius(scale, d_w, n, setting.delta.at("mean"));
  const Matrix I = Matrix::Identity(d_w, d_w);

  BoundSetup setup;
  BoundInputs& in = setup.inputs;
  in.n = n;
  in.delta = setting.delta.at("pac_bayes");
  in.priors = setting.priors;
  in.Sigma_hat = moment_matrix(moments, pattern.constant);
  const auto samples = static_cast<double>(n);
  const Matrix unbiased = samples / (samples - 1) * setting.evidence.covariance;
  in.U = extend(pattern, unbiased + eps * I);
  // mu_z mu_z' <= (1 + c) z z' + (1 + 1/c) r^2 I_w for every c > 0, z = (1, wbar).
  const Vector z = extend(pattern, 1.0, moments.mean);
  // Best for r / ||z||; the constant counts as sigma_bar, so that no unit of w enters.
  const double size = std::hypot(pattern.constant ? std::sqrt(scale) : 0.0, moments.mean.norm());
  const double c = size > 0 ? r / size : 1.0;
  in.B = (1 + c) * z * z.transpose() + extend(pattern, (1 + 1 / c) * r * r * I);
  in.rank = d_w;
  in.spread = extend(pattern, 0.0, Vector::Constant(d_w, eps));
  in.mean_radius = r;
  in.mean_hat = extend(pattern, 0.0, moments.mean);
  setup.spread = "curvature-mismatch";
  setup.events = {
      pac_bayes_event(setting),
      {"covariance", setting.delta.at("covariance"), {"covariance-centred", {{"eps", eps}}}},
      {"mean", setting.delta.at("mean"), {"mean-radius", {{"radius", r}}}}};
  setup.assumptions = {gaussian_law(false), scale_bound(scale), {"prior-fixed"}, {"model"}};
  return setup;
}

}  // namespace

PosteriorKind data_driven_mean_kind() {
  return {kind,
          "mean response, unknown mean, inflated covariance",
          Subject::mean_response,
          false,
          {"pac_bayes", "covariance", "mean"},
          mean_needs,
          mean_setup,
          nullptr};
}

}  // namespace loopcert
