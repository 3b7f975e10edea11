// Bounded disturbances ||w|| <= W, any law, by the second moment of the cost: since l >= 0,
// Lambda <= lambda^2 E[l^2]/2, and E[l^2] <= reach tr(K D^2 K E[zz']) (docs/theory/bounded.md). The
// second moment is bounded above on an event of its own.
#include <Eigen/Eigenvalues>
#include <cmath>

#include "certificate/premises.hpp"
#include "certificate/second_moment.hpp"
#include "data/moments.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {
namespace {

const std::string name = "bounded-self";

std::optional<Missing> needs(const Premises& premises) { return missing_radius(premises, name); }

struct SecondMoment {
  Matrix above;  // E[zz'] <= this, d_z x d_z
  Statement statement;
  bool scale = false;  // scale_bound was used
};

// The one of smallest trace, in the coordinates v = D^-1 z where ||v||^2 <= reach, of matrices that
// all stand above E[vv'] on the event: the sample's plus eps, reach I, and diag(W^2, sigma_bar^2 I)
// when zero mean and scale are granted.
SecondMoment second_moment(const Setting& setting, const Matrix& Sigma_hat,
                           const BoundedReach& bounded, double delta) {
  const CausalPattern& pattern = setting.space.coordinates.pattern;
  const Vector D = bounded.D_squared.cwiseSqrt(), inverse = D.cwiseInverse();
  const Matrix V_hat = inverse.asDiagonal() * Sigma_hat * inverse.asDiagonal();
  const Index d = V_hat.rows();
  const Matrix I = Matrix::Identity(d, d);
  const double norm =
      Eigen::SelfAdjointEigenSolver<Matrix>(V_hat, Eigen::EigenvaluesOnly).eigenvalues()(d - 1);
  const double eps = second_moment_radius(norm, bounded.reach, d, setting.evidence.n, delta);
  Matrix best = V_hat + eps * I;
  SecondMoment found{{}, {"second-moment", {{"eps", eps}}}, false};
  if (best.trace() > bounded.reach * static_cast<double>(d)) best = bounded.reach * I;
  const Premises premises = premises_of(setting);
  if (!missing_zero_mean(premises, name) && !missing_scale_bound(premises, name)) {
    const double W = *setting.assumptions.radius, scale = *setting.assumptions.scale_bound;
    const Vector diagonal = extend(pattern, W * W, Vector::Constant(pattern.sizes.d_w(), scale));
    if (diagonal.sum() < best.trace()) {
      best = diagonal.asDiagonal();
      found.scale = true;
    }
  }
  found.above = D.asDiagonal() * best * D.asDiagonal();
  return found;
}

BoundSetup setup_of(const Setting& setting) {
  require_granted(needs(premises_of(setting)));
  check_radius(setting);
  const CausalPattern& pattern = setting.space.coordinates.pattern;
  const Moments& moments = setting.evidence.moments;
  const double W = *setting.assumptions.radius, delta = setting.delta.at("covariance");
  const BoundedReach bounded = bounded_reach(pattern, W);
  BoundSetup setup;
  BoundInputs& in = setup.inputs;
  in.n = setting.evidence.n;
  in.delta = setting.delta.at("pac_bayes");
  in.priors = setting.priors;
  in.Sigma_hat = moment_matrix(moments, pattern.constant);
  const SecondMoment moment = second_moment(setting, in.Sigma_hat, bounded, delta);
  // psi = lambda^2/2 reach q(D^2, E[zz']), written as scale lambda^2 2 q(U, B)
  in.psi = Psi::cross;
  in.U = bounded.D_squared.asDiagonal();
  in.B = moment.above;
  in.scale = bounded.reach / 4;
  in.rank = pattern.cols();
  in.spread = extend(pattern, 0.0, moments.second.diagonal());  // the constant's entry is exact
  setup.spread = "posterior-spread";
  setup.events = {pac_bayes_event(setting), {"covariance", delta, moment.statement}};
  setup.assumptions = {{"any-law"}, radius_bound(W)};
  if (moment.scale) {
    setup.assumptions.push_back({"zero-mean"});
    setup.assumptions.push_back(scale_bound(*setting.assumptions.scale_bound));
  }
  setup.assumptions.push_back({"prior-fixed"});
  setup.assumptions.push_back({"model"});
  return setup;
}

}  // namespace

PosteriorKind bounded_self_kind() {
  return {name,
          "mean response, ||w|| bounded, any law, by the second moment of the cost",
          Subject::mean_response,
          false,
          {"pac_bayes", "covariance"},
          needs,
          setup_of,
          nullptr};
}

}  // namespace loopcert
