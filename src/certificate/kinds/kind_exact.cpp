// E_rho of the exact CGF in place of its rank-aware bound, under the envelope of another kind. The
// expectation is sampled, and the sampling error has an event of its own.
#include "certificate/sampled_cgf.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

constexpr Index draws = 2000;
constexpr Stream draw_stream{20260101, 41};  // fixed before any data: not a choice of the user

Certificate exact_certificate(const PosteriorKind& kind, BoundSetup setup, const Setting& setting,
                              const Prior& prior, const Posterior& posterior) {
  setup.inputs.psi = Psi::rank_aware;  // only its lambda is used: any lambda is allowed
  BoundValue bound = evaluate_bound(setting.space.cost, setup.inputs, prior, posterior);
  const double lambda = bound.complexity.lambda;
  const double rate = rate_of(setup.inputs, bound.kl);
  const Index d_w = setting.evidence.moments.mean.size();
  const double delta = setting.delta.at("sampling");
  const SampledCgf cgf = sampled_cgf(setting.system, setting.space, posterior, Vector::Zero(d_w),
                                     setup.inputs.U.bottomRightCorner(d_w, d_w), lambda, bound.C,
                                     bound.mean_term, delta, draws, draw_stream);
  bound.complexity.value = (rate + cgf.upper()) / lambda;
  setup.events.push_back(
      {"sampling", delta, {"sampling", {{"draws", static_cast<double>(draws)}}}});
  return certificate_of_bound(kind, setup, bound, setup.inputs.n);
}

Certificate data_driven_exact(const Setting& setting, const Prior& prior,
                              const Posterior& posterior) {
  return exact_certificate(data_driven_exact_kind(), data_driven_rank_aware_kind().setup(setting),
                           setting, prior, posterior);
}

Certificate scale_exact(const Setting& setting, const Prior& prior, const Posterior& posterior) {
  return exact_certificate(scale_exact_kind(),
                           posterior_under(envelope_kind("scale")).setup(setting), setting, prior,
                           posterior);
}

}  // namespace

PosteriorKind data_driven_exact_kind() {
  return {"data-driven-exact",
          "as data-driven with the exact Gaussian cumulant, sampled with its own event",
          Subject::mean_response,
          false,
          {"pac_bayes", "covariance", "sampling"},
          data_driven_needs,
          nullptr,
          data_driven_exact,
          "data-driven"};
}

PosteriorKind scale_exact_kind() {
  return {"scale-exact",
          "as scale with the exact Gaussian cumulant, sampled with its own event",
          Subject::mean_response,
          false,
          {"pac_bayes", "sampling"},
          envelope_kind("scale").needs,
          nullptr,
          scale_exact,
          "scale"};
}

}  // namespace loopcert
