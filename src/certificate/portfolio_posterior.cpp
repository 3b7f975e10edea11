// The PAC-Bayes part of a portfolio beside methods that have no prior of their own.
#include <cmath>

#include "certificate/from_problem.hpp"
#include "certificate/premises.hpp"
#include "portfolio_parts.hpp"
#include "response/space.hpp"

namespace loopcert {
namespace {

// With Z = Z' D, D = diag(unit): M z = (M_0 D^-1 + S Z') (D z).
QuadraticForm in_units(QuadraticForm form, const Vector& unit) {
  const Vector inverse = unit.cwiseInverse();
  form.N_0 = (form.N_0 * inverse.asDiagonal()).eval();
  form.K_0 = (inverse.asDiagonal() * form.K_0 * inverse.asDiagonal()).eval();
  return form;
}

// The same for what a bound is told about z; a_j, and with it t_j and z_j, go with D^2.
BoundInputs in_units(BoundInputs inputs, const Vector& unit) {
  for (Matrix* second : {&inputs.Sigma_hat, &inputs.U, &inputs.B})
    if (second->size() > 0) *second = (unit.asDiagonal() * *second * unit.asDiagonal()).eval();
  for (Vector* weight : {&inputs.spread, &inputs.mean_hat})
    if (weight->size() > 0) *weight = unit.cwiseAbs2().cwiseProduct(*weight).eval();
  return inputs;
}

}  // namespace

// Beside other methods one PAC-Bayes kind has something to offer: no other uses a scale bound when
// the mean is unknown.
std::vector<Entry> mean_entries(const Premises& premises, bool affine) {
  std::vector<Entry> entries = posterior_entries(premises);
  for (Entry& entry : entries) {
    if (entry.objection) continue;
    if (entry.kind != "data-driven-mean" || grants_zero_mean(premises))
      entry.objection = Objection{"other-method"};
    // Without a free offset column LQR need not be one of the responses that a prior is over.
    else if (premises.offset && !affine)
      entry.objection = Objection{"not-granted", Missing{"response.affine", "false", "true"}};
  }
  return entries;
}

// Prior around LQR and posterior around what was deployed, of the same scale: no optimizer is
// needed, and for LQR itself KL = 0. In the coordinates of the cost; a unit of w is sqrt(tr K/d_w)
// of its root, K the cost of LQR, and the constant counts as sigma_bar.
void evaluate_posteriors(const Problem& problem, const Deployment& deployment,
                         const Disturbances& data, std::vector<Entry>& entries) {
  if (!any_granted(entries, "posterior")) return;
  const auto choices = static_cast<Index>(prior_scales().size());
  const double sigma_bar = std::sqrt(*problem.disturbance.scale_bound);
  const ResponseSpace space =
      make_response_space(problem.system, around_lqr(problem.response.affine));
  const CausalPattern& pattern = space.coordinates.pattern;
  const Index d_w = pattern.sizes.d_w();
  const double of_w =
      space.cost.K_0.diagonal().tail(d_w).mean() / static_cast<double>(pattern.rows());
  Vector unit = Vector::Constant(pattern.cols(), std::sqrt(of_w));
  if (pattern.constant) unit(0) *= sigma_bar;
  const QuadraticForm scaled = in_units(space.cost, unit);
  const Matrix center = Matrix::Zero(pattern.rows(), pattern.cols());
  const Matrix mean = coordinates_of(space.coordinates, deployed_response(deployment)) *
                      unit.cwiseInverse().asDiagonal();
  const Matrix free = unpack(pattern, Vector::Ones(space.coordinates.p()));
  const Assumptions& assumptions = problem.disturbance;
  const Evidence evidence = evidence_of(data);
  for (Entry& entry : entries) {
    if (entry.family != "posterior" || entry.objection) continue;
    const PosteriorKind& kind = *entry.posterior;
    Setting setting{problem.system, space, assumptions, evidence,
                    split_delta(kind.events, entry.delta, {})};
    share_among_priors(setting, choices);
    compute(entry, [&] {
      BoundSetup setup = kind.setup(setting);  // one envelope for all priors
      setup.inputs = in_units(setup.inputs, unit);
      std::optional<Certificate> best;
      for (const double scale : prior_scales()) {
        const Prior prior{center, scale};
        const Posterior posterior{mean, scale * scale * free};
        const BoundValue bound = evaluate_bound(scaled, setup.inputs, prior, posterior);
        Certificate c =
            account_for_prior_choice(certificate_of_bound(kind, setup, bound, evidence.n), choices);
        if (!best || c.value < best->value) best = std::move(c);
      }
      return *best;
    });
  }
}

}  // namespace loopcert
