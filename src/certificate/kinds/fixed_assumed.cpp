// What the assumptions alone say, without data and without an event.
#include "certificate/premises.hpp"
#include "kinds/fixed_list.hpp"

namespace loopcert {
namespace {

// tr(M C M') + |m|^2 for zero mean and a covariance of at most C.
Certificate assumed(const FixedSetting& setting, const std::string& kind, const Matrix& C,
                    const Statement& bound) {
  const WeightedResponse y =
      weighted_response(setting.system.cost, setting.system.sizes(), setting.response);
  Certificate c = fixed_certificate(setting, kind, {}, {"zero-mean"});
  c.assumptions = {{"zero-mean"}, bound, {"model"}};
  c.terms = {{kind, (y.M * C).cwiseProduct(y.M).sum()}, {"offset", y.m.squaredNorm()}};
  c.value = c.terms[0].value + c.terms[1].value;
  check_certificate(c);
  return c;
}

std::optional<Missing> scale_needs(const Premises& premises) {
  const std::string kind = "assumed-scale";
  return first_missing({missing_zero_mean(premises, kind), missing_scale_bound(premises, kind)});
}

Certificate assumed_scale(const FixedSetting& setting) {
  require_granted(scale_needs(premises_of(setting)));
  const double scale = *setting.assumptions.scale_bound;
  const Index d_w = setting.system.sizes().d_w();
  return assumed(setting, "assumed-scale", scale * Matrix::Identity(d_w, d_w), scale_bound(scale));
}

std::optional<Missing> covariance_needs(const Premises& premises) {
  const std::string kind = "assumed-covariance";
  return first_missing(
      {missing_zero_mean(premises, kind), missing_covariance_bound(premises, kind)});
}

Certificate assumed_covariance(const FixedSetting& setting) {
  require_granted(covariance_needs(premises_of(setting)));
  return assumed(setting, "assumed-covariance", *setting.assumptions.covariance_bound,
                 {"covariance-bound"});
}

}  // namespace

FixedResponseKind assumed_scale_kind() {
  return {"assumed-scale",
          "any law, zero mean, ||Sigma_w|| <= scale_bound: no data, no event",
          {},
          scale_needs,
          assumed_scale};
}

FixedResponseKind assumed_covariance_kind() {
  return {"assumed-covariance",
          "any law, zero mean, Sigma_w <= covariance_bound: no data, no event",
          {},
          covariance_needs,
          assumed_covariance};
}

}  // namespace loopcert
