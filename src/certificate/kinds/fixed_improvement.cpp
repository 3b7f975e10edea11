// L(controller) - L(baseline) = P - N with P, N >= 0 the expectations of the positive and the
// negative part. Nothing is known of the scale: the ratio P/N is bounded by one event, N or P by
// another.
#include "certificate/premises.hpp"
#include "certificate/tails.hpp"
#include "kinds/fixed_difference.hpp"

namespace loopcert {
namespace {

// Of the delta of event "scale": most for N from below, which decides when the controller is
// better, a little for P from above, which makes the bound finite when it is not.
constexpr double share_of_N = 0.9;

// P <= k N. Better (k < 1): P - N <= -(1 - k) N. Otherwise P - N <= (1 - 1/k) P.
double improvement_bound(const SignedMeans& means, double ratio, double lower_N, double upper_P) {
  if (means.P < ratio * means.N) return -(means.N - means.P / ratio) / lower_N;
  if (means.P == 0) return 0;
  return (means.P - ratio * means.N) / upper_P;
}

std::vector<Event> events(const FixedSetting& setting) {
  return {fixed_event(setting, "ratio", "ratio"), fixed_event(setting, "scale", "scale")};
}

// How far the three means may stray: x of tails.hpp, for the deltas of the setting.
struct Factors {
  double (*ratio)(Index, double);
  double (*upper)(Index, double);
  double (*lower)(Index, double);
};

Certificate improvement_by(const FixedSetting& setting, const std::string& kind,
                           const std::optional<Missing>& missing, const Factors& x) {
  require_granted(missing);
  require_granted(missing_baseline(setting, kind));
  const Index n = setting.evidence.n;
  const double delta = setting.delta.at("scale");
  const SignedMeans means = signed_means(setting, difference_form(setting));
  Certificate c = difference_certificate(setting, kind, events(setting), gaussian_law(false));
  if (setting.metric) c.assumptions.push_back({"metric-fixed"});
  finish_difference(
      c, setting, means.P - means.N,
      improvement_bound(means, x.ratio(n, setting.delta.at("ratio")),
                        x.upper(n, share_of_N * delta), x.lower(n, (1 - share_of_N) * delta)));
  return c;
}

std::optional<Missing> improvement_needs(const Premises& premises) {
  const std::string kind = "improvement";
  return first_missing({missing_gaussian(premises, kind), missing_zero_mean(premises, kind),
                        missing_no_offset(premises, kind), missing_data(premises, kind)});
}

Certificate improvement(const FixedSetting& setting) {
  Certificate c = improvement_by(setting, "improvement", improvement_needs(premises_of(setting)),
                                 {centred_ratio_factor, centred_upper_factor, centred_factor});
  c.assumptions.push_back({"zero-mean"});
  return c;
}

std::optional<Missing> improvement_mean_needs(const Premises& premises) {
  const std::string kind = "improvement-mean";
  return first_missing({missing_gaussian(premises, kind), missing_data(premises, kind)});
}

Certificate improvement_mean(const FixedSetting& setting) {
  return improvement_by(setting, "improvement-mean", improvement_mean_needs(premises_of(setting)),
                        {scale_free_ratio_factor, scale_free_upper_factor, scale_free_factor});
}

}  // namespace

FixedResponseKind improvement_kind() {
  return {
      "improvement",      "cost minus a baseline's: Gaussian, zero mean, no offset, unknown scale",
      {"ratio", "scale"}, improvement_needs,
      improvement,        true};
}

FixedResponseKind improvement_mean_kind() {
  return {"improvement-mean",
          "cost minus a baseline's: Gaussian, any mean, unknown scale",
          {"ratio", "scale"},
          improvement_mean_needs,
          improvement_mean,
          true,
          /*dominated_by=*/"improvement"};
}

}  // namespace loopcert
