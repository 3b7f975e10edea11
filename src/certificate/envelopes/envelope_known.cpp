// A matrix that the user vouches for, without data and without an event.
#include "certificate/premises.hpp"
#include "core/check.hpp"
#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

std::optional<Missing> needs(const Premises& premises) {
  return first_missing({missing_centred_gaussian(premises, "known-covariance"),
                        missing_covariance_bound(premises, "known-covariance")});
}

Envelope make(const Assumptions& assumptions, const Evidence&, const Sizes& sizes, double) {
  const Index d = sizes.d_w();
  check_size("disturbance.covariance_bound", *assumptions.covariance_bound, d, d);
  return {*assumptions.covariance_bound,
          Vector::Zero(d),
          {},
          {gaussian_law(true), {"covariance-bound"}}};
}

}  // namespace

EnvelopeKind known_envelope() {
  return {"known",
          "covariance_bound of the problem, by assumption",
          {},
          needs,
          make,
          {"known-covariance", "mean response, zero mean, covariance_bound in place of data"},
          {"hold-out-known", "Gaussian, zero mean, Sigma_w <= covariance_bound"}};
}

}  // namespace loopcert
