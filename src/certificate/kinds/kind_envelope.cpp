// PAC-Bayes kinds that differ only in the matrix above the covariance (envelope.hpp): rank-aware
// psi, mean response by the rule of docs/theory/derandomization.md.
#include "data/moments.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {

BoundSetup envelope_setup(const Setting& setting, const Envelope& envelope) {
  const CausalPattern& pattern = setting.space.coordinates.pattern;
  const Moments& moments = setting.evidence.moments;
  BoundSetup setup;
  BoundInputs& in = setup.inputs;
  in.n = setting.evidence.n;
  in.delta = setting.delta.at("pac_bayes");
  in.priors = setting.priors;
  in.Sigma_hat = moment_matrix(moments, pattern.constant);
  in.U = extend(pattern, envelope.U);
  if (pattern.constant) {  // E[(1, w)] = (1, 0): only the response's own offset has a mean
    in.B = Matrix::Zero(pattern.cols(), pattern.cols());
    in.B(0, 0) = 1;
  }
  in.psi = Psi::rank_aware;
  in.rank = moments.mean.size();
  // L(mu) = E_rho L - sum_j a_j Sigma_jj with Sigma_jj >= floor_j; the constant's entry is 1 in
  // both moments and cancels.
  in.spread = extend(pattern, 0.0, moments.second.diagonal() - envelope.floor);
  // L(mu) <= E_rho L for any covariance: the floor is one of diagonal entries alone.
  in.spread_matrix = extend(pattern, moments.second);
  setup.spread = "mean-deployment";
  setup.events = {pac_bayes_event(setting)};
  setup.events.insert(setup.events.end(), envelope.events.begin(), envelope.events.end());
  setup.assumptions = envelope.assumptions;
  setup.assumptions.push_back({"prior-fixed"});
  setup.assumptions.push_back({"model"});
  return setup;
}

Envelope make_envelope(const EnvelopeKind& kind, const Setting& setting) {
  return make_envelope(kind, setting.assumptions, setting.evidence, setting.system.sizes(),
                       setting.delta);
}

PosteriorKind posterior_under(const EnvelopeKind& envelope) {
  std::vector<std::string> events = {"pac_bayes"};
  events.insert(events.end(), envelope.events.begin(), envelope.events.end());
  return {envelope.posterior.name,
          envelope.posterior.about,
          Subject::mean_response,
          false,
          events,
          envelope.needs,
          [&envelope](const Setting& setting) {
            return envelope_setup(setting, make_envelope(envelope, setting));
          }};
}

}  // namespace loopcert
