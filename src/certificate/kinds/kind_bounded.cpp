// Bounded disturbances ||w|| <= W, any law: Hoeffding's lemma with 0 <= l <= b(alpha).
#include <fmt/format.h>

#include "certificate/premises.hpp"
#include "core/text.hpp"
#include "data/moments.hpp"
#include "kinds/kind_list.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

void check_radius(const Setting& setting) {
  const double W = *setting.assumptions.radius;
  if (setting.evidence.largest_norm > W)
    throw_input_error("disturbance.radius", number_text(W),
                      fmt::format("at least {}: a trajectory in the data has this norm",
                                  setting.evidence.largest_norm));
}

BoundedReach bounded_reach(const CausalPattern& pattern, double W) {
  return {pattern.constant ? 2 * W * W : W * W,
          extend(pattern, 1 / (W * W), Vector::Ones(pattern.sizes.d_w()))};
}

Statement radius_bound(double W) { return {"radius", {{"radius", W}}}; }

namespace {

std::optional<Missing> bounded_needs(const Premises& premises) {
  return missing_radius(premises, "bounded");
}

// b <= W^2 ||K||_F without an offset. With z = (1, w) and D = diag(1/W, I), ||D^-1 z||^2 <= 2 W^2
// and b <= 2 W^2 ||D K D||_F. So E_rho b^2 / 8 is a quartic moment with U = D^2.
BoundSetup bounded_setup(const Setting& setting) {
  require_granted(bounded_needs(premises_of(setting)));
  check_radius(setting);
  const double W = *setting.assumptions.radius;
  const CausalPattern& pattern = setting.space.coordinates.pattern;
  const BoundedReach bounded = bounded_reach(pattern, W);
  BoundSetup setup;
  BoundInputs& in = setup.inputs;
  in.n = setting.evidence.n;
  in.delta = setting.delta.at("pac_bayes");
  in.priors = setting.priors;
  in.Sigma_hat = moment_matrix(setting.evidence.moments, pattern.constant);
  in.U = bounded.D_squared.asDiagonal();
  in.scale = bounded.reach * bounded.reach / 8;
  in.rank = pattern.cols();
  in.spread = in.Sigma_hat.diagonal();  // L(mu) <= E_rho L by convexity
  setup.spread = "posterior-spread";
  setup.events = {pac_bayes_event(setting)};
  setup.assumptions = {{"any-law"}, radius_bound(W), {"prior-fixed"}, {"model"}};
  return setup;
}

}  // namespace

PosteriorKind bounded_kind() {
  return {"bounded",
          "mean response, ||w|| bounded, any law (Hoeffding)",
          Subject::mean_response,
          false,
          {"pac_bayes"},
          bounded_needs,
          bounded_setup,
          nullptr};
}

}  // namespace loopcert
