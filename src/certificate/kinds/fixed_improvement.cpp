// L(controller) - L(baseline) = P - N with P, N >= 0 the expectations of the positive and the
// negative part. Nothing is known of the scale: one event bounds their ratio, N from below where
// the controller is better, and P from above where it is not (docs/theory/improvement.md).
#include <algorithm>

#include "certificate/premises.hpp"
#include "certificate/tails.hpp"
#include "kinds/fixed_difference.hpp"

namespace loopcert {
namespace {

// P <= k N. Better (k < 1): P - N <= -(1 - k) N. Otherwise P - N <= (1 - 1/k) P.
double improvement_bound(const SignedMeans& means, double ratio, double upper_N, double lower_P) {
  if (means.P < ratio * means.N) return -(means.N - means.P / ratio) / upper_N;
  if (means.P == 0) return 0;
  return (means.P - ratio * means.N) / lower_P;
}

// How far the three means may stray, each with all of delta: x of tails.hpp.
struct Factors {
  double ratio, upper_N, lower_P;

  bool never_worse_than(const Factors& other) const {
    return ratio >= other.ratio && upper_N <= other.upper_N && lower_P >= other.lower_P;
  }
};

Factors any_mean(Index n, double delta) {
  return {scale_free_ratio_factor(n, delta), scale_free_upper_factor(n, delta),
          scale_free_factor(n, delta)};
}

// In the range where single variables are the worst case, if that is better.
Factors centred(Index n, double delta) {
  const Factors any = any_mean(n, delta);
  if (n < 3) return any;
  const auto m = static_cast<double>(n);
  const Factors single{std::min(centred_ratio_factor(n, delta), (m - 2) / (m + 2)),
                       centred_upper_factor(n, delta),
                       std::min(centred_factor(n, delta), (m - 2) / (m + 5))};
  return single.never_worse_than(any) ? single : any;
}

Certificate improvement_by(const FixedSetting& setting, const std::string& kind,
                           const std::optional<Missing>& missing,
                           Factors (*factors)(Index, double)) {
  require_granted(missing);
  require_granted(missing_baseline(setting, kind));
  const Factors x = factors(setting.evidence.n, setting.delta.at("difference"));
  const SignedMeans means = signed_means(setting, difference_form(setting));
  Certificate c = difference_certificate(
      setting, kind, {fixed_event(setting, "difference", "difference")}, gaussian_law(false));
  if (setting.metric) c.assumptions.push_back({"metric-fixed"});
  finish_difference(c, setting, means.P - means.N,
                    improvement_bound(means, x.ratio, x.upper_N, x.lower_P));
  return c;
}

std::optional<Missing> improvement_needs(const Premises& premises) {
  const std::string kind = "improvement";
  return first_missing({missing_gaussian(premises, kind), missing_zero_mean(premises, kind),
                        missing_no_offset(premises, kind), missing_data(premises, kind)});
}

Certificate improvement(const FixedSetting& setting) {
  Certificate c =
      improvement_by(setting, "improvement", improvement_needs(premises_of(setting)), centred);
  c.assumptions.push_back({"zero-mean"});
  return c;
}

std::optional<Missing> improvement_mean_needs(const Premises& premises) {
  const std::string kind = "improvement-mean";
  return first_missing({missing_gaussian(premises, kind), missing_data(premises, kind)});
}

Certificate improvement_mean(const FixedSetting& setting) {
  return improvement_by(setting, "improvement-mean", improvement_mean_needs(premises_of(setting)),
                        any_mean);
}

}  // namespace

FixedResponseKind improvement_kind() {
  return {"improvement",  "cost minus a baseline's: Gaussian, zero mean, no offset, unknown scale",
          {"difference"}, improvement_needs,
          improvement,    true};
}

FixedResponseKind improvement_mean_kind() {
  return {"improvement-mean",
          "cost minus a baseline's: Gaussian, any mean, unknown scale",
          {"difference"},
          improvement_mean_needs,
          improvement_mean,
          true,
          /*dominated_by=*/"improvement"};
}

}  // namespace loopcert
