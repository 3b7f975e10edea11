// The paper's data-driven certificates (Prop. data_driven_randomized, Prop. data-driven-derand) and
// the rank-aware refinement: zero mean, ||Sigma_w|| <= scale bound.
#include "certificate/premises.hpp"
#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {

std::optional<Missing> data_driven_needs(const Premises& premises) {
  return additive_envelope().needs(premises);
}

BoundSetup radius_setup(const Setting& setting, const Envelope& envelope, double eps) {
  BoundSetup setup = envelope_setup(setting, envelope);
  const Index d_w = setting.evidence.moments.mean.size();
  // tr((Ghat - G) Sigma_rho) = <Sigma_hat - Sigma, A_rho> <= eps tr A_rho; for a diagonal A_rho the
  // weights min(eps, Sigma_hat_jj) are there already.
  setup.inputs.spread_matrix =
      extend(setting.space.coordinates.pattern, 0.0, Vector::Constant(d_w, eps)).asDiagonal();
  setup.spread = "curvature-mismatch";
  return setup;
}

static BoundSetup rank_aware_setup(const Setting& setting) {
  const Envelope envelope = make_envelope(additive_envelope(), setting);
  const double eps = covariance_radius(*setting.assumptions.scale_bound, envelope.U.rows(),
                                       setting.evidence.n, setting.delta.at("covariance"));
  return radius_setup(setting, envelope, eps);
}

BoundSetup data_driven_setup(const Setting& setting) {
  BoundSetup setup = rank_aware_setup(setting);
  setup.inputs.psi = Psi::quadratic;
  setup.inputs.spread = setup.inputs.spread_matrix.diagonal();  // the paper's: eps alone
  return setup;
}

namespace {

// E_rho Lhat = Lhat(mu) + tr(Ghat Sigma_rho), and nothing else to pay.
BoundSetup randomized_setup(const Setting& setting) {
  BoundSetup setup = data_driven_setup(setting);
  setup.inputs.spread = setup.inputs.Sigma_hat.diagonal();
  setup.inputs.spread_matrix = setup.inputs.Sigma_hat;
  setup.spread = "posterior-spread";
  return setup;
}

const std::vector<std::string> two_events = {"pac_bayes", "covariance"};

}  // namespace

PosteriorKind data_driven_kind() {
  return {"data-driven",
          "mean response, zero mean, covariance inflated by its radius (the paper's)",
          Subject::mean_response,
          false,
          two_events,
          data_driven_needs,
          data_driven_setup,
          nullptr,
          /*minimized=*/"",
          /*dominated_by=*/"data-driven-rank-aware"};
}

PosteriorKind data_driven_randomized_kind() {
  return {"data-driven-randomized",
          "posterior average, zero mean, inflated covariance",
          Subject::posterior_average,
          false,
          two_events,
          data_driven_needs,
          randomized_setup,
          nullptr};
}

PosteriorKind data_driven_rank_aware_kind() {
  return {"data-driven-rank-aware",
          "as data-driven with the rank-aware Gaussian complexity, never above it",
          Subject::mean_response,
          false,
          two_events,
          data_driven_needs,
          rank_aware_setup,
          nullptr};
}

}  // namespace loopcert
