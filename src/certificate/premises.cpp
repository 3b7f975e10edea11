#include "certificate/premises.hpp"

#include "core/check.hpp"
#include "data/moments.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

bool grants_zero_mean(const Premises& premises) {
  const Assumptions& assumptions = premises.assumptions;
  return assumptions.zero_mean && !(assumptions.law && !assumptions.law->mean.isZero(0.0));
}

void require_granted(const std::optional<Missing>& missing) {
  if (missing) throw_input_error(missing->place, missing->found, missing->expected);
}

Evidence evidence_of(const Disturbances& data) {
  check_at_least("trajectories", data.n(), 1);
  Evidence evidence;
  evidence.n = data.n();
  evidence.moments = sample_moments(data);
  const Matrix centred = data.w.rowwise() - evidence.moments.mean.transpose();
  evidence.covariance = centred.transpose() * centred / static_cast<double>(data.n());
  evidence.largest_norm = data.w.rowwise().norm().maxCoeff();
  return evidence;
}

}  // namespace loopcert
