#include "report/statistics.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace loopcert::report {

double quantile(const std::vector<double>& sorted, double probability) {
  const double place = probability * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Summary summarize(std::vector<double> values) {
  Summary summary;
  summary.count = static_cast<Index>(values.size());
  if (values.empty()) return summary;
  std::sort(values.begin(), values.end());
  const Eigen::Map<const Vector> all(values.data(), summary.count);
  summary.mean = all.mean();
  summary.median = quantile(values, 0.5);
  if (summary.count > 1)
    summary.standard_deviation = std::sqrt((all.array() - summary.mean).square().sum() /
                                           static_cast<double>(summary.count - 1));
  // Values that are equal up to rounding do not vary.
  if (summary.standard_deviation < 1e-12 * std::abs(summary.mean)) summary.standard_deviation = 0;
  return summary;
}

namespace {

Matrix centred(const MatrixView& data) {
  const Eigen::RowVectorXd mean = data.colwise().mean();
  return data.rowwise() - mean;
}

}  // namespace

Matrix sample_covariance(const MatrixView& data) {
  const Matrix rows = centred(data);
  return rows.transpose() * rows / static_cast<double>(data.rows());
}

Matrix sample_correlation(const MatrixView& data) {
  const Matrix covariance = sample_covariance(data);
  const Vector inverse = covariance.diagonal().unaryExpr(
      [](double variance) { return variance > 0 ? 1 / std::sqrt(variance) : 0.0; });
  return inverse.asDiagonal() * covariance * inverse.asDiagonal();
}

Vector eigenvalues(const MatrixView& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .reverse();
}

Vector covariance_eigenvalues(const MatrixView& data) {
  const Matrix rows = centred(data);
  const Matrix gram =
      rows.rows() < rows.cols() ? Matrix(rows * rows.transpose()) : Matrix(rows.transpose() * rows);
  Vector all = Vector::Zero(rows.cols());
  const Vector some = eigenvalues(gram / static_cast<double>(rows.rows()));
  all.head(some.size()) = some.cwiseMax(0.0);
  return all;
}

std::vector<double> standardized(const MatrixView& data) {
  const Matrix rows = centred(data);
  std::vector<double> pooled;
  if (rows.rows() < 2) return pooled;
  for (Index j = 0; j < rows.cols(); ++j) {
    const double deviation =
        std::sqrt(rows.col(j).squaredNorm() / static_cast<double>(rows.rows() - 1));
    if (!(deviation > 1e-12 * data.col(j).cwiseAbs().maxCoeff())) continue;
    for (Index i = 0; i < rows.rows(); ++i) pooled.push_back(rows(i, j) / deviation);
  }
  std::sort(pooled.begin(), pooled.end());
  return pooled;
}

}  // namespace loopcert::report
