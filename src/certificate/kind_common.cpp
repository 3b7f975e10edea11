#include <fmt/format.h>

#include <Eigen/Cholesky>

#include "kind_list.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/text.hpp"

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

void check_scale_bound_against_law(const Assumptions& assumptions) {
  if (!assumptions.law || !assumptions.scale_bound) return;
  const Matrix& Sigma = assumptions.law->covariance;
  // scale I - Sigma >= 0, with room for rounding: a Cholesky is much cheaper than eigenvalues.
  const double scale = *assumptions.scale_bound * (1 + 1e-9);
  const Matrix gap = scale * Matrix::Identity(Sigma.rows(), Sigma.cols()) - Sigma;
  if (Eigen::LLT<Matrix>(gap).info() != Eigen::Success)
    throw_input_error(
        "disturbance.scale_bound", number_text(*assumptions.scale_bound),
        "at least the largest eigenvalue of disturbance.covariance, which exceeds it");
}

void check_zero_mean(const Assumptions& assumptions, const std::string& kind) {
  if (!assumptions.zero_mean)
    throw_input_error("disturbance.zero_mean", "false",
                      "true for certificate '" + kind + "', which assumes it");
  if (assumptions.law && !assumptions.law->mean.isZero(0.0))
    throw_input_error("disturbance.zero_mean", "true beside a disturbance.mean that is not zero",
                      "false, or no mean");
}

Event pac_bayes_event(const Setting& setting) {
  return {"pac_bayes", setting.delta.at("pac_bayes"),
          "the PAC-Bayes-Chernoff inequality holds for all posteriors and all lambda at once"};
}

double require_scale_bound(const Setting& setting, const std::string& kind) {
  if (!setting.assumptions.scale_bound)
    throw_input_error("disturbance.scale_bound", "nothing",
                      "a bound on ||Sigma_w||: certificate '" + kind + "' assumes one");
  check_scale_bound_against_law(setting.assumptions);
  return *setting.assumptions.scale_bound;
}

void require_gaussian(const Setting& setting, const std::string& kind) {
  if (setting.assumptions.model != "gaussian")
    throw_input_error("disturbance.model", "'" + setting.assumptions.model + "'",
                      "'gaussian': certificate '" + kind + "' assumes it");
}

const Law& require_law(const Setting& setting, const std::string& kind) {
  if (!setting.assumptions.law)
    throw_input_error("disturbance.covariance", "nothing",
                      "the true law: certificate '" + kind + "' is an oracle");
  return *setting.assumptions.law;
}

std::string gaussian_iid_sentence(bool zero_mean) {
  return std::string(
             "The trajectories (x_0, w_0, ..., w_{T-1}) are independent draws of one "
             "Gaussian law") +
         (zero_mean ? " with mean zero" : "") + ", the law met after deployment.";
}

std::string scale_sentence(double scale) {
  return fmt::format("No eigenvalue of the covariance of a trajectory exceeds {}.", scale);
}

std::string prior_sentence() { return "The prior was chosen without the certifying data."; }

std::string model_sentence() {
  return "The plant, its offset and the cost are as in the problem file.";
}

}  // namespace loopcert
