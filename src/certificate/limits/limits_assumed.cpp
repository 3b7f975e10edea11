// limits-assumed: a matrix above the covariance that the user vouches for. No data, no event.
#include "limits/limits_list.hpp"

namespace loopcert {
namespace {

const std::string name = "limits-assumed";

std::optional<Missing> needs(const LimitsPremises& premises) {
  std::optional<Missing> bound = missing_covariance_bound(premises.law, name);
  if (bound && premises.law.assumptions.scale_bound)  // it serves as well, or is what is wrong
    bound = missing_scale_bound(premises.law, name);
  return first_missing({missing_chance(premises, name), missing_gaussian(premises.law, name),
                        missing_zero_mean(premises.law, name), bound});
}

LimitsBound evaluate(const LimitsSetting& setting) {
  const Assumptions& assumptions = setting.assumptions;
  const Premises law{assumptions, setting.sizes, 0, false};
  const bool matrix = !missing_covariance_bound(law, name);
  const Index d = setting.sizes.d_w();
  const Matrix U = matrix ? *assumptions.covariance_bound
                          : Matrix(*assumptions.scale_bound * Matrix::Identity(d, d));
  const Statement bound =
      matrix ? Statement{"covariance-bound"} : scale_bound(*assumptions.scale_bound);
  return bound_by_rows(setting, name,
                       violations(setting.deployed, deviations_under(setting.deployed.a, U)), {},
                       {gaussian_law(true), bound, {"model"}}, setting.all.n());
}

}  // namespace

LimitsKind limits_assumed_kind() {
  return {name, "Gaussian, zero mean, covariance_bound or scale_bound: no data, no event", needs,
          evaluate, false};
}

}  // namespace loopcert
