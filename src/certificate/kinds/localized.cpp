#include "certificate/localized.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "certificate/cumulant.hpp"
#include "certificate/premises.hpp"
#include "data/moments.hpp"
#include "kinds/kind_list.hpp"
#include "loopcert/core/error.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

constexpr Index largest_p = 4000;        // a p x p matrix of 128 MB
constexpr Index largest_joint_p = 1000;  // as many products of such matrices as lambdas are tried

}  // namespace

LocalizedMoment localized_moment(const ResponseSpace& space, const MatrixView& second_moment,
                                 const Posterior& posterior) {
  const Index p = space.coordinates.p();
  if (p > largest_p)
    throw_input_error("certificate 'posterior-localized'", fmt::format("p = {}", p),
                      fmt::format("at most {}: it needs a p x p matrix", largest_p));
  LocalizedMoment moment;
  moment.risk = risk(space.cost, second_moment, posterior.mean);
  const Vector sigma = pack(space.coordinates.pattern, posterior.variance.cwiseSqrt());
  if (!sigma.allFinite()) {  // no finite second moment: nothing is admissible
    moment.gamma = Vector::Constant(1, std::numeric_limits<double>::infinity());
    moment.slope = Vector::Zero(1);
    return moment;
  }
  // Row and column of each coordinate; G[(i,j),(k,l)] = P_ik Sigma_jl.
  Eigen::VectorXi row(p), column(p);
  Index index = 0;
  for (Index j = 0; j < space.coordinates.pattern.cols(); ++j)
    for (Index i = space.coordinates.pattern.first_row(j); i < space.coordinates.pattern.rows();
         ++i, ++index) {
      row(index) = static_cast<int>(i);
      column(index) = static_cast<int>(j);
    }
  Matrix G(p, p);
  for (Index l = 0; l < p; ++l)
    for (Index k = 0; k < p; ++k)
      G(k, l) = space.cost.P(row(k), row(l)) * second_moment(column(k), column(l));
  Matrix root = sigma.asDiagonal();  // root root' = Sigma_rho
  if (posterior.frame) root = frame_matrix(*posterior.frame) * root;
  G = (root.transpose() * G * root).eval();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(G);
  moment.gamma = eigen.eigenvalues().cwiseMax(0.0);
  const Vector slope =
      0.5 * root.transpose() *
      pack(space.coordinates.pattern, risk_gradient(space.cost, second_moment, posterior.mean));
  moment.slope = eigen.eigenvectors().transpose() * slope;
  moment.directions = root * eigen.eigenvectors();
  return moment;
}

std::optional<double> admissible_end(const LocalizedMoment& moment) {
  const double largest = moment.gamma.maxCoeff();
  if (!std::isfinite(largest)) return std::nullopt;
  if (largest == 0) return std::numeric_limits<double>::infinity();
  const double end = 1 / (2 * largest);
  if (!(end > 0)) return std::nullopt;
  return end;
}

double log_exponential_moment(const LocalizedMoment& moment, double lambda) {
  double value = lambda * moment.risk;
  for (Index i = 0; i < moment.gamma.size(); ++i) {
    const double x = 2 * lambda * moment.gamma(i);
    if (x >= 1) return std::numeric_limits<double>::infinity();
    value +=
        -0.5 * std::log1p(-x) + 2 * lambda * lambda * moment.slope(i) * moment.slope(i) / (1 - x);
  }
  return value;
}

JointCgfDiagnostic joint_cgf_diagnostic(const System& system, const ResponseSpace& space,
                                        const Law& law, const Posterior& posterior, double lambda,
                                        Index draws, const Stream& stream) {
  const Moments moments = law_moments(law);
  const Disturbances w = sample_disturbances(law, {stream.seed, stream.cell + 1}, draws);
  Vector exponent(draws);
  for (Index i = 0; i < draws; ++i) {
    const Matrix Z = sample_posterior(posterior, stream, static_cast<std::uint64_t>(i));
    const Response response = response_at(system, space.coordinates, Z);
    const WeightedResponse y = weighted_response(system.cost, system.sizes(), response);
    const double loss = (y.M * w.w.row(i).transpose() + y.m).squaredNorm();
    exponent(i) = lambda * (response_risk(system, response, moments) - loss);
  }
  const double shift = exponent.maxCoeff();
  const Vector weight = (exponent.array() - shift).exp();
  const auto N = static_cast<double>(draws);
  const double mean = weight.mean();
  const double deviation = std::sqrt((weight.array() - mean).square().sum() / (N * (N - 1)));
  return {shift + std::log(mean), deviation / mean, draws};
}

double pointwise_radius(const System& system, const ResponseSpace& space, const MatrixView& Z,
                        const MatrixView& covariance) {
  const WeightedResponse y =
      weighted_response(system.cost, system.sizes(), response_at(system, space.coordinates, Z));
  const GaussianTrajectory trajectory =
      gaussian_trajectory(y.M, y.m, Vector::Zero(covariance.rows()), covariance);
  return 1 / (2 * trajectory.s.maxCoeff());
}

namespace {

std::optional<Missing> localized_needs(const Premises& premises) {
  return missing_law(premises, "posterior-localized");
}

Certificate evaluate_localized(const Setting& setting, const Prior& prior,
                               const Posterior& posterior) {
  require_granted(localized_needs(premises_of(setting)));
  if (posterior.frame)
    throw InputError("certificate 'posterior-localized': only for diagonal posteriors");
  const Law& law = *setting.assumptions.law;
  const CausalPattern& pattern = setting.space.coordinates.pattern;
  const Matrix Sigma_hat = moment_matrix(setting.evidence.moments, pattern.constant);
  const LocalizedMoment moment =
      localized_moment(setting.space, moment_matrix(law_moments(law), pattern.constant), posterior);
  const std::optional<double> end = admissible_end(moment);
  if (!end)
    throw NumericsError(
        "certificate 'posterior-localized': no lambda is admissible for so few trajectories: use "
        "more of them, or another kind");
  const double kl = kl_divergence(posterior, prior, pattern);
  const double rate =
      pac_bayes_rate(kl, setting.evidence.n, setting.delta.at("pac_bayes"), setting.priors);
  // The joint cumulant itself needs the law of w; e^{lambda L} only its moments.
  const bool gaussian = !missing_gaussian(premises_of(setting), "posterior-localized") &&
                        pattern.count() <= largest_joint_p;
  const Vector mean = extend(pattern, 1.0, law.mean);
  const Matrix covariance = extend(pattern, law.covariance);
  Complexity complexity = general_complexity(
      rate, [&](double lambda) { return log_exponential_moment(moment, lambda); }, *end);
  if (gaussian) {
    const JointCgf cgf(setting.space.cost, posterior, mean, covariance, moment);
    const auto above = [&](double lambda) { return log_exponential_moment(moment, lambda); };
    const Complexity joint = general_complexity(rate, cgf, *end, above);
    if (joint.value < complexity.value) complexity = joint;  // all lambda hold at once
  }

  Certificate c;
  c.kind = "posterior-localized";
  c.subject = Subject::mean_response;
  c.oracle = true;
  c.n = setting.evidence.n;
  c.kl = kl;
  c.lambda = complexity.lambda;
  c.terms = {
      {"empirical-mean-response", risk(setting.space.cost, Sigma_hat, posterior.mean)},
      {"posterior-spread",
       curvature_diagonal(setting.space.cost, Sigma_hat).cwiseProduct(posterior.variance).sum()},
      {"complexity", complexity.value}};
  for (const Term& term : c.terms) c.value += term.value;
  c.events = {pac_bayes_event(setting)};
  if (std::isfinite(*end)) c.events[0].statement = {"pac-bayes-localized", {{"lambda_end", *end}}};
  c.confidence = confidence_of(c.events);
  c.assumptions = {gaussian ? gaussian_law(law.mean.isZero(0.0)) : Statement{"any-law"},
                   {"known-law"},
                   {"prior-fixed"},
                   {"model"}};
  return c;
}

}  // namespace

PosteriorKind posterior_localized_kind() {
  return {
      "posterior-localized",
      "mean response through the joint cumulant under the posterior, true law known (a reference)",
      Subject::mean_response,
      true,
      {"pac_bayes"},
      localized_needs,
      nullptr,
      evaluate_localized,
      "oracle"};
}

}  // namespace loopcert
