// limits-envelope: a matrix above the covariance from all the data, on an event that holds for
// every response at once; where disturbances follow from those before them, the largest variance of
// each row over the models that the data leave.
#include <cmath>

#include "certificate/autoregressive.hpp"
#include "certificate/envelope.hpp"
#include "certificate/fixed_response.hpp"
#include "limits/limits_list.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

const std::string name = "limits-envelope";

bool is_coloured(const LimitsPremises& premises) {
  return premises.law.assumptions.autoregressive && !premises.law.assumptions.white;
}

Premises with_all(const LimitsPremises& premises) {
  Premises all = premises.law;
  all.n = premises.all;
  return all;
}

// Independent steps, else a colour, else nothing but more trajectories than numbers in one.
const EnvelopeKind& envelope_for(const Assumptions& assumptions) {
  return envelope_kind(assumptions.white ? "white" : "relative");
}

std::optional<Missing> needs(const LimitsPremises& premises) {
  const Premises all = with_all(premises);
  return first_missing({missing_chance(premises, name),
                        is_coloured(premises) ? fixed_response_kind("identified").needs(all)
                                              : envelope_for(all.assumptions).needs(all)});
}

LimitsBound under_matrix(const LimitsSetting& setting) {
  const Evidence evidence = evidence_of(setting.all);
  const Envelope envelope = make_envelope(envelope_for(setting.assumptions), setting.assumptions,
                                          evidence, setting.sizes, {{"covariance", setting.delta}});
  std::vector<Statement> assumptions = envelope.assumptions;
  assumptions.push_back({"model"});
  return bound_by_rows(
      setting, name, violations(setting.deployed, deviations_under(setting.deployed.a, envelope.U)),
      envelope.events, std::move(assumptions), setting.all.n());
}

// The variance of row c is the cost of a response whose only output is that row.
LimitsBound under_colour(const LimitsSetting& setting) {
  const double each = setting.delta / 3;
  const Deltas deltas = {{"model", each}, {"noise", each}, {"start", each}};
  const AutoregressiveModel model = autoregressive_model(
      evidence_of(setting.all), setting.sizes, *setting.assumptions.autoregressive, deltas);
  const Matrix& a = setting.deployed.a;
  Vector deviations(a.rows());
  for (Index c = 0; c < a.rows(); ++c)
    deviations(c) =
        std::sqrt(expand(coloured_loop(model, a.row(c), setting.sizes).loop, model.set).value());
  return bound_by_rows(setting, name, violations(setting.deployed, deviations),
                       autoregressive_events(model, deltas),
                       autoregressive_assumptions(model, setting.sizes.n_w), setting.all.n());
}

LimitsBound evaluate(const LimitsSetting& setting) {
  const bool coloured = setting.assumptions.autoregressive && !setting.assumptions.white;
  return coloured ? under_colour(setting) : under_matrix(setting);
}

}  // namespace

LimitsKind limits_envelope_kind() {
  return {name,
          "Gaussian, zero mean: a matrix above the covariance (white, autoregressive or from more "
          "than d_w trajectories), for every controller at once",
          needs, evaluate};
}

}  // namespace loopcert
