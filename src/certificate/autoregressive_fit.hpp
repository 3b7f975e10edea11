// An autoregressive model of disturbances by least squares, with as many lags as the data bear.
#pragma once

#include <vector>

#include "certificate/premises.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

struct AutoregressiveFit {
  Matrix Phi;                     // [Phi_1 ... Phi_p], n_w x p n_w; no columns for p = 0
  std::vector<Matrix> first;      // w_t from (w_{t-1}, ..., w_0), t = 1 ... p-1
  std::vector<double> criterion;  // of p = 0, 1, ...: the smallest is taken
  Index lags() const { return Phi.rows() == 0 ? 0 : Phi.cols() / Phi.rows(); }
};

// What was before the first disturbance is not known, and not zero: the steps below p have
// coefficients of their own where these are worth their number by the same criterion. p <= most by
// Akaike's criterion with the correction for few data.
AutoregressiveFit fit_autoregressive(const Evidence& evidence, const Sizes& sizes, Index most);

// The second moment of a whole trajectory under that model: the start as the data say, later steps
// by the coefficients and one covariance of what they leave. `Sigma_hat`: of w, or of (1, w).
Matrix autoregressive_moment(const AutoregressiveFit& fit, const MatrixView& Sigma_hat,
                             const Sizes& sizes);

}  // namespace loopcert
