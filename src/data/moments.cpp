#include "data/moments.hpp"

#include "core/check.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

Matrix Moments::covariance() const { return second - mean * mean.transpose(); }

Moments sample_moments(const Disturbances& data) {
  check_at_least("disturbances rows", data.n(), 1);
  const double n = static_cast<double>(data.n());
  const Index d_w = data.w.cols();
  Moments moments{data.w.colwise().sum().transpose() / n, Matrix::Zero(d_w, d_w)};

  // Sigma_w_hat = 1/n sum_i w_i w_i', one triangle and its mirror image
  // (eq:emprical_covariance_app)
  moments.second.selfadjointView<Eigen::Lower>().rankUpdate(data.w.transpose(), 1.0 / n);
  moments.second.triangularView<Eigen::StrictlyUpper>() = moments.second.transpose();

  if (!moments.second.allFinite())
    throw_input_error("disturbances",
                      "an entry of size " + number_text(data.w.cwiseAbs().maxCoeff()),
                      "entries whose squares add up to a finite number");
  const double largest = data.w.cwiseAbs().maxCoeff();
  if (largest > 0 && largest < 1e-140)  // costs would be zero
    throw_input_error("disturbances", "no entry larger than " + number_text(largest),
                      "larger ones, whose squares are not lost");
  return moments;
}

Matrix moment_matrix(const Moments& moments, bool constant) {
  if (!constant) return moments.second;
  const Index d_w = moments.mean.size();
  Matrix extended(d_w + 1, d_w + 1);
  extended(0, 0) = 1.0;
  extended.bottomLeftCorner(d_w, 1) = moments.mean;
  extended.topRightCorner(1, d_w) = moments.mean.transpose();
  extended.bottomRightCorner(d_w, d_w) = moments.second;
  return extended;
}

Matrix extended_rows(const Disturbances& data, bool constant) {
  if (!constant) return data.w;
  Matrix extended(data.n(), data.w.cols() + 1);
  extended.col(0).setOnes();
  extended.rightCols(data.w.cols()) = data.w;
  return extended;
}

}  // namespace loopcert
