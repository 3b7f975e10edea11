// Oracle certificates: the true law inside the bound. References for what estimation costs, and the
// prescient re-evaluation of a posterior learned from data.
#include "certificate/premises.hpp"
#include "data/moments.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

std::optional<Missing> oracle_needs(const Premises& premises) {
  return first_missing({missing_gaussian(premises, "oracle"), missing_law(premises, "oracle")});
}

BoundSetup common_setup(const Setting& setting) {
  require_granted(oracle_needs(premises_of(setting)));
  const Law& law = *setting.assumptions.law;
  const CausalPattern& pattern = setting.space.coordinates.pattern;
  BoundSetup setup;
  BoundInputs& in = setup.inputs;
  in.n = setting.evidence.n;
  in.delta = setting.delta.at("pac_bayes");
  in.priors = setting.priors;
  in.Sigma_hat = moment_matrix(setting.evidence.moments, pattern.constant);
  in.U = extend(pattern, law.covariance);
  const Vector mu = extend(pattern, 1.0, law.mean);
  if (!mu.isZero(0.0)) in.B = mu * mu.transpose();
  in.rank = law.mean.size();
  setup.events = {pac_bayes_event(setting)};
  setup.assumptions = {
      gaussian_law(law.mean.isZero(0.0)), {"known-law"}, {"prior-fixed"}, {"model"}};
  return setup;
}

// L(mu) <= Lhat(mu) + Comp + tr((Ghat - G) Sigma_rho)  (Prop. mean_response_certificate)
BoundSetup oracle_setup(const Setting& setting) {
  BoundSetup setup = common_setup(setting);
  const Matrix second = moment_matrix(law_moments(*setting.assumptions.law),
                                      setting.space.coordinates.pattern.constant);
  setup.inputs.spread_matrix = setup.inputs.Sigma_hat - second;
  setup.inputs.spread = setup.inputs.spread_matrix.diagonal();
  setup.spread = "curvature-mismatch-true";
  return setup;
}

BoundSetup oracle_randomized_setup(const Setting& setting) {
  BoundSetup setup = common_setup(setting);
  setup.inputs.spread = setup.inputs.Sigma_hat.diagonal();
  setup.inputs.spread_matrix = setup.inputs.Sigma_hat;
  setup.spread = "posterior-spread";
  return setup;
}

}  // namespace

PosteriorKind oracle_kind() {
  return {"oracle",
          "mean response, true law known (a reference)",
          Subject::mean_response,
          true,
          {"pac_bayes"},
          oracle_needs,
          oracle_setup,
          nullptr};
}

PosteriorKind oracle_randomized_kind() {
  return {"oracle-randomized",
          "posterior average, true law known (a reference)",
          Subject::posterior_average,
          true,
          {"pac_bayes"},
          oracle_needs,
          oracle_randomized_setup,
          nullptr};
}

}  // namespace loopcert
