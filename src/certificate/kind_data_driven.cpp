// The paper's data-driven certificates (Prop. data_driven_randomized, Prop. data-driven-derand) and
// the rank-aware refinement: zero mean, ||Sigma_w|| <= scale bound.
#include <fmt/format.h>

#include "kind_list.hpp"

namespace loopcert {

std::optional<Missing> data_driven_needs(const Premises& premises) {
  const std::string kind = "data-driven";
  return first_missing({missing_gaussian(premises, kind), missing_zero_mean(premises, kind),
                        missing_scale_bound(premises, kind)});
}

BoundSetup data_driven_setup(const Setting& setting) {
  require_granted(data_driven_needs(premises_of(setting)));
  const double scale = *setting.assumptions.scale_bound;
  const CausalPattern& pattern = setting.space.pattern;
  const Moments& moments = setting.evidence.moments;
  const Index d_w = moments.mean.size(), n = setting.evidence.n;
  const double delta = setting.delta.at("covariance");
  const double eps = covariance_radius(scale, d_w, n, delta);

  BoundSetup setup;
  BoundInputs& in = setup.inputs;
  in.n = n;
  in.delta = setting.delta.at("pac_bayes");
  in.Sigma_hat = moment_matrix(moments, pattern.constant);
  // On the event Sigma_w <= Sigma_hat + eps I (eq:inflated-covariance-app).
  in.U = extend(pattern, moments.second + eps * Matrix::Identity(d_w, d_w));
  if (pattern.constant) {  // E[(1, w)] = (1, 0): only the response's own offset has a mean
    in.B = Matrix::Zero(pattern.cols(), pattern.cols());
    in.B(0, 0) = 1;
  }
  in.rank = d_w;
  // tr((Ghat - G) Sigma_rho) = sum_j a_j (Sigma_hat - Sigma)_jj: the constant's entry is exact.
  in.spread = extend(pattern, 0.0, Vector::Constant(d_w, eps));
  setup.spread_name = "curvature mismatch";
  setup.spread_symbol = "eps_Sigma tr(Sigma_rho M_G)";
  setup.events = {
      pac_bayes_event(setting),
      {"covariance", delta, fmt::format("||Sigma_hat - Sigma_w|| <= eps_Sigma = {:.6g}", eps)}};
  setup.assumptions = {gaussian_iid_sentence(true), scale_sentence(scale), prior_sentence(),
                       model_sentence()};
  return setup;
}

namespace {

// E_rho Lhat = Lhat(mu) + tr(Ghat Sigma_rho), and nothing else to pay.
BoundSetup randomized_setup(const Setting& setting) {
  BoundSetup setup = data_driven_setup(setting);
  setup.inputs.spread = setup.inputs.Sigma_hat.diagonal();
  setup.spread_name = "empirical cost of the posterior's spread";
  setup.spread_symbol = "tr(Ghat Sigma_rho)";
  return setup;
}

BoundSetup rank_aware_setup(const Setting& setting) {
  BoundSetup setup = data_driven_setup(setting);
  setup.inputs.psi = Psi::rank_aware;
  return setup;
}

const std::vector<std::string> two_events = {"pac_bayes", "covariance"};

}  // namespace

CertificateKind data_driven_kind() {
  return {"data-driven",
          "mean response, zero mean, covariance inflated by its radius (the paper's)",
          "mean response",
          false,
          two_events,
          data_driven_needs,
          data_driven_setup,
          nullptr};
}

CertificateKind data_driven_randomized_kind() {
  return {"data-driven-randomized",
          "posterior average, zero mean, inflated covariance",
          "posterior average",
          false,
          two_events,
          data_driven_needs,
          randomized_setup,
          nullptr};
}

CertificateKind data_driven_rank_aware_kind() {
  return {"data-driven-rank-aware",
          "as data-driven with the rank-aware Gaussian complexity, never above it",
          "mean response",
          false,
          two_events,
          data_driven_needs,
          rank_aware_setup,
          nullptr};
}

}  // namespace loopcert
