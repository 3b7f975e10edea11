#include <fmt/format.h>

#include <Eigen/Cholesky>

#include "certificate/premises.hpp"
#include "core/text.hpp"
#include "envelopes/envelope_list.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {

Matrix extend(const CausalPattern& pattern, const MatrixView& on_w) {
  Matrix extended = Matrix::Zero(pattern.cols(), pattern.cols());
  extended.bottomRightCorner(on_w.rows(), on_w.cols()) = on_w;
  return extended;
}

Vector extend(const CausalPattern& pattern, double constant, const VectorView& on_w) {
  Vector extended = Vector::Constant(pattern.cols(), constant);
  extended.tail(on_w.size()) = on_w;
  return extended;
}

Event pac_bayes_event(const Setting& setting) {
  return {"pac_bayes", setting.delta.at("pac_bayes"), {"pac-bayes"}};
}

Premises premises_of(const Setting& setting) {
  return {setting.assumptions, setting.system.sizes(), setting.evidence.n,
          setting.space.coordinates.pattern.constant};
}

std::optional<Missing> first_missing(std::initializer_list<std::optional<Missing>> all) {
  for (const std::optional<Missing>& missing : all)
    if (missing) return missing;
  return std::nullopt;
}

std::optional<Missing> missing_gaussian(const Premises& premises, const std::string& kind) {
  const std::string& model = premises.assumptions.model;
  const std::optional<Law>& law = premises.assumptions.law;
  if (model == "gaussian" && law && law->shape != LawShape::gaussian)
    return Missing{"disturbance.model",
                   "'gaussian' with distribution = '" + law_shape_name(law->shape) + "'",
                   "another model, or a Gaussian law: certificate '" + kind + "' assumes one"};
  if (model == "gaussian") return std::nullopt;
  return Missing{"disturbance.model", "'" + model + "'",
                 "'gaussian': certificate '" + kind + "' assumes it"};
}

std::optional<Missing> missing_zero_mean(const Premises& premises, const std::string& kind) {
  const Assumptions& assumptions = premises.assumptions;
  if (!assumptions.zero_mean)
    return Missing{"disturbance.zero_mean", "false",
                   "true for certificate '" + kind + "', which assumes it"};
  if (assumptions.law && !assumptions.law->mean.isZero(0.0))
    return Missing{"disturbance.zero_mean", "true with a disturbance.mean that is not zero",
                   "false, or no mean"};
  return std::nullopt;
}

std::optional<Missing> missing_scale_bound(const Premises& premises, const std::string& kind) {
  const Assumptions& assumptions = premises.assumptions;
  if (!assumptions.scale_bound)
    return Missing{"disturbance.scale_bound", "nothing",
                   "a bound on ||Sigma_w||: certificate '" + kind + "' assumes one"};
  if (!assumptions.law) return std::nullopt;
  const Matrix& Sigma = assumptions.law->covariance;
  // scale I - Sigma >= 0, with room for rounding: a Cholesky is much cheaper than eigenvalues.
  const double scale = *assumptions.scale_bound * (1 + 1e-12);
  const Matrix gap = scale * Matrix::Identity(Sigma.rows(), Sigma.cols()) - Sigma;
  if (Eigen::LLT<Matrix>(gap).info() == Eigen::Success) return std::nullopt;
  return Missing{"disturbance.scale_bound", number_text(*assumptions.scale_bound),
                 "at least the largest eigenvalue of disturbance.covariance, which exceeds it"};
}

std::optional<Missing> missing_covariance_bound(const Premises& premises, const std::string& kind) {
  const Assumptions& assumptions = premises.assumptions;
  if (!assumptions.covariance_bound)
    return Missing{"disturbance.covariance_bound", "nothing",
                   "a matrix above the covariance: certificate '" + kind + "' assumes one"};
  if (assumptions.law && !loewner_below(assumptions.law->covariance, *assumptions.covariance_bound))
    return Missing{"disturbance.covariance_bound", "a matrix not above disturbance.covariance",
                   "covariance_bound - covariance without a negative eigenvalue"};
  return std::nullopt;
}

std::optional<Missing> missing_radius(const Premises& premises, const std::string& kind) {
  const Assumptions& assumptions = premises.assumptions;
  if (assumptions.model != "bounded" || !assumptions.radius)
    return Missing{"disturbance", "model '" + assumptions.model + "'",
                   "model = 'bounded' and a radius: certificate '" + kind + "' assumes them"};
  if (!assumptions.law || assumptions.law->shape != LawShape::uniform) return std::nullopt;
  const double reach = law_reach(*assumptions.law);
  if (reach <= *assumptions.radius * (1 + 1e-9)) return std::nullopt;
  return Missing{"disturbance.radius", number_text(*assumptions.radius),
                 fmt::format("at least {:.6g}, which trajectories of the uniform law in the "
                             "problem reach",
                             reach)};
}

std::optional<Missing> missing_law(const Premises& premises, const std::string& kind) {
  if (premises.assumptions.law) return std::nullopt;
  return Missing{"disturbance.covariance", "nothing",
                 "the true law: certificate '" + kind + "' is an oracle"};
}

Statement gaussian_law(bool zero_mean) { return {zero_mean ? "gaussian-zero-mean" : "gaussian"}; }

Statement scale_bound(double scale) { return {"scale-bound", {{"scale", scale}}}; }

}  // namespace loopcert
