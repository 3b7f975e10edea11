#include "kinds/fixed_difference.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/check.hpp"
#include "data/moments.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// [m, M]
Matrix extended(const FixedSetting& setting, const Response& response) {
  const WeightedResponse y =
      weighted_response(setting.system.cost, setting.system.sizes(), response);
  Matrix joined(y.M.rows(), 1 + y.M.cols());
  joined << y.m, y.M;
  return joined;
}

// R with R R' = metric, extended by 1 for the constant.
Matrix metric_root(const FixedSetting& setting) {
  const Index d_w = setting.system.sizes().d_w();
  Matrix root = Matrix::Identity(1 + d_w, 1 + d_w);
  if (!setting.metric) return root;
  check_size("metric", *setting.metric, d_w, d_w);
  check_finite("metric", *setting.metric);
  check_positive_definite("metric", *setting.metric);
  root.bottomRightCorner(d_w, d_w) = Eigen::LLT<Matrix>(*setting.metric).matrixL();
  return root;
}

}  // namespace

Matrix difference_form(const FixedSetting& setting) {
  const Matrix M = extended(setting, setting.response);
  const Matrix M_0 = extended(setting, *setting.baseline);
  return M.transpose() * M - M_0.transpose() * M_0;
}

// R'DR = U diag(e) U' gives D = sum_j e_j x_j x_j' with x_j = R^-T u_j: a sum of squares, sorted by
// sign.
SignedMeans signed_means(const FixedSetting& setting, const MatrixView& D) {
  const Matrix R = metric_root(setting);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(R.transpose() * D * R));
  const Matrix X = R.transpose().triangularView<Eigen::Upper>().solve(Matrix(eigen.eigenvectors()));
  const Matrix second = moment_matrix(setting.evidence.moments, true);
  const Vector squares = (second * X).cwiseProduct(X).colwise().sum().cwiseMax(0.0);
  SignedMeans means;
  means.P = eigen.eigenvalues().cwiseMax(0.0).dot(squares);
  means.N = (-eigen.eigenvalues()).cwiseMax(0.0).dot(squares);
  // Parts that do not add up to the difference are rounding errors.
  const double difference = D.cwiseProduct(second).sum();
  if (!(std::abs(means.P - means.N - difference) <= 1e-9 * size_of_costs(setting)))
    throw NumericsError("the difference of the costs is lost in rounding: other units may help");
  return means;
}

double size_of_costs(const FixedSetting& setting) {
  const Matrix second = moment_matrix(setting.evidence.moments, true);
  const Matrix M = extended(setting, setting.response);
  const Matrix M_0 = extended(setting, *setting.baseline);
  return (M * second).cwiseProduct(M).sum() + (M_0 * second).cwiseProduct(M_0).sum();
}

Certificate difference_certificate(const FixedSetting& setting, const std::string& kind,
                                   std::vector<Event> events, const Statement& law) {
  Certificate c = fixed_certificate(setting, kind, std::move(events), law);
  c.functional = {"cost-difference"};
  c.assumptions[0] = {"controller-and-baseline-fixed"};
  return c;
}

void finish_difference(Certificate& c, const FixedSetting& setting, double empirical,
                       double bound) {
  const double margin = bound + 1e-12 * size_of_costs(setting) - empirical;
  c.terms = {{"empirical-difference", empirical}, {"margin", margin}};
  c.value = empirical + margin;
  check_certificate(c);
}

}  // namespace loopcert
