// L(controller) - L(baseline) = P - N with P, N >= 0 the expectations of the positive and the
// negative part. Nothing is known of the scale: the ratio P/N is bounded by one event, N or P by
// another.
#include "fixed_difference.hpp"
#include "loopcert/certificate/tails.hpp"

namespace loopcert {
namespace {

// Of the delta of event "scale": most for N from below, which decides when the controller is
// better, a little for P from above, which makes the bound finite when it is not.
constexpr double share_of_N = 0.9;

constexpr const char* metric_sentence =
    "The metric that tells better from worse was made without these trajectories.";

// P <= k N. Better (k < 1): P - N <= -(1 - k) N. Otherwise P - N <= (1 - 1/k) P.
double improvement_bound(const SignedMeans& means, double ratio, double lower_N, double upper_P) {
  if (means.P < ratio * means.N) return -(means.N - means.P / ratio) / lower_N;
  if (means.P == 0) return 0;
  return (means.P - ratio * means.N) / upper_P;
}

std::vector<Event> events(const FixedSetting& setting) {
  return {fixed_event(setting, "ratio",
                      "P/N <= k, P and N the expected parts of the difference in which the "
                      "controller is worse and better"),
          fixed_event(setting, "scale",
                      "N is not far below its mean on the trajectories, nor P far above")};
}

std::optional<Missing> improvement_needs(const Premises& premises) {
  const std::string kind = "improvement";
  return first_missing({missing_gaussian(premises, kind), missing_zero_mean(premises, kind),
                        missing_no_offset(premises, kind), missing_data(premises, kind)});
}

Certificate improvement(const FixedSetting& setting) {
  require_granted(improvement_needs(premises_of(setting)));
  require_granted(missing_baseline(setting, "improvement"));
  const Index n = setting.evidence.n;
  const double delta = setting.delta.at("scale");
  const SignedMeans means = signed_means(setting, difference_form(setting));
  Certificate c =
      difference_certificate(setting, "improvement", events(setting), gaussian_iid_sentence(false));
  c.assumptions.push_back(zero_mean_sentence());
  if (setting.metric) c.assumptions.push_back(metric_sentence);
  finish_difference(c, means.P - means.N,
                    improvement_bound(means, centred_ratio_factor(n, setting.delta.at("ratio")),
                                      centred_upper_factor(n, share_of_N * delta),
                                      centred_factor(n, (1 - share_of_N) * delta)));
  return c;
}

std::optional<Missing> improvement_mean_needs(const Premises& premises) {
  const std::string kind = "improvement-mean";
  return first_missing({missing_gaussian(premises, kind), missing_data(premises, kind)});
}

Certificate improvement_mean(const FixedSetting& setting) {
  require_granted(improvement_mean_needs(premises_of(setting)));
  require_granted(missing_baseline(setting, "improvement-mean"));
  const Index n = setting.evidence.n;
  const double delta = setting.delta.at("scale");
  const SignedMeans means = signed_means(setting, difference_form(setting));
  Certificate c = difference_certificate(setting, "improvement-mean", events(setting),
                                         gaussian_iid_sentence(false));
  if (setting.metric) c.assumptions.push_back(metric_sentence);
  finish_difference(c, means.P - means.N,
                    improvement_bound(means, scale_free_ratio_factor(n, setting.delta.at("ratio")),
                                      scale_free_upper_factor(n, share_of_N * delta),
                                      scale_free_factor(n, (1 - share_of_N) * delta)));
  return c;
}

}  // namespace

FixedKind improvement_kind() {
  return {"improvement",
          "cost minus a baseline's: Gaussian, zero mean, no offset, nothing known of the scale",
          {"ratio", "scale"},
          improvement_needs,
          improvement,
          true};
}

FixedKind improvement_mean_kind() {
  return {"improvement-mean",
          "cost minus a baseline's: Gaussian, any mean, nothing known of the scale",
          {"ratio", "scale"},
          improvement_mean_needs,
          improvement_mean,
          true,
          /*dominated_by=*/"improvement"};
}

}  // namespace loopcert
