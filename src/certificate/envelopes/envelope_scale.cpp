// ||Sigma_w|| <= sigma_bar^2 says Sigma_w <= sigma_bar^2 I, without data and without an event.
#include "certificate/premises.hpp"
#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

const std::string name = "scale";

std::optional<Missing> needs(const Premises& premises) {
  return first_missing(
      {missing_centred_gaussian(premises, name), missing_scale_bound(premises, name)});
}

Envelope make(const Assumptions& assumptions, const Evidence&, const Sizes& sizes, double) {
  const Index d = sizes.d_w();
  const double scale = *assumptions.scale_bound;
  return {scale * Matrix::Identity(d, d),
          Vector::Zero(d),
          {},
          {gaussian_law(true), scale_bound(scale)}};
}

}  // namespace

EnvelopeKind scale_envelope() {
  return {"scale",
          "sigma_bar^2 I, by assumption",
          {},
          needs,
          make,
          {"scale", "mean response, zero mean, scale_bound in place of data"},
          {"hold-out", "Gaussian, zero mean, ||Sigma_w|| <= scale_bound, exact cumulant"}};
}

}  // namespace loopcert
