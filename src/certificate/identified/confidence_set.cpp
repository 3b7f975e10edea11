#include "certificate/confidence_set.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "certificate/bound.hpp"
#include "certificate/wishart.hpp"
#include "core/linalg.hpp"

namespace loopcert {
namespace {

// The factor of a Gram matrix in units of its own diagonal.
Matrix factor_of(const Matrix& gram, const std::string& what) {
  Matrix L = lower_cholesky_or_empty(gram);
  if (L.size() == 0 && gram.size() > 0)
    throw NotProved("identified: " + what +
                    " leave a direction out: it was never excited, and nothing is known about it");
  return L;
}

double log_det(const Matrix& L) { return 2 * L.diagonal().array().log().sum(); }

}  // namespace

double model_radius_squared(const TransitionSums& sums, double delta_model) {
  const auto n_v = static_cast<double>(sums.yy.rows());
  const Matrix W = sums.rr + sums.prior;
  return 2 * std::log(1 / delta_model) +
         n_v * (log_det(factor_of(W, "the regressors")) -
                log_det(factor_of(sums.prior, "the first regressors")));
}

ConfidenceSet confidence_set(const TransitionSums& sums, double delta_model, double delta_noise) {
  const Index n_v = sums.yy.rows(), n_r = sums.rr.rows();
  ConfidenceSet set;
  set.transitions = sums.N;
  const Matrix L = factor_of(sums.rr, "the regressors");
  const auto lower = L.triangularView<Eigen::Lower>();
  const auto upper = L.transpose().triangularView<Eigen::Upper>();
  // Theta_hat = (sum y r') V^-1 and the residual R = sum (y - Theta_hat r)(y - Theta_hat r)'.
  const Matrix half = lower.solve(Matrix(sums.yr.transpose()));  // L^-1 (sum r y')
  set.Theta_hat = upper.solve(half).transpose();
  if (sums.reference.size() > 0) set.Theta_hat += sums.reference;
  Matrix residual = sums.yy - half.transpose() * half;
  residual = 0.5 * (residual + residual.transpose()).eval();

  const double beta_sq = model_radius_squared(sums, delta_model);
  set.beta = std::sqrt(beta_sq);
  // eta = lambda_max(V^-1 V_0): N_ V^-1 N_' <= (1 + eta) beta^2 Sigma_v.
  const Matrix scaled = lower.solve(Matrix(lower.solve(sums.prior).transpose()));
  const double eta = largest_eigenvalue(scaled);
  set.b_sq = (1 + eta) * beta_sq;
  set.q = wishart_floor(n_v, sums.N, delta_noise);
  const double left = static_cast<double>(sums.N) * set.q - set.b_sq;
  if (!(left > 0))
    throw NotProved(fmt::format(
        "identified: {} transitions are too few for {} coefficients (they count as {:.4g}, and the "
        "model's error takes {:.4g} of them)",
        sums.N, n_v * n_r, static_cast<double>(sums.N) * set.q, set.b_sq));
  set.U_v = residual / left;
  set.root = factor_of(set.U_v, "the innovations");
  // G'G = V^-1 (V + V_0) V^-1, the inverse of Vt.
  const Matrix C = factor_of(sums.rr + sums.prior, "the regressors");
  set.G = upper.solve(Matrix(lower.solve(C))).transpose();
  return set;
}

ConfidenceSet with_more_transitions(const ConfidenceSet& set, double factor, double delta_noise) {
  ConfidenceSet more = set;
  const auto N = static_cast<double>(set.transitions);
  more.transitions = static_cast<Index>(std::floor(factor * N));
  more.q = wishart_floor(set.U_v.rows(), more.transitions, delta_noise);
  const double left = N * set.q - set.b_sq;  // U_v = R / left
  const double noise = factor * left / (static_cast<double>(more.transitions) * more.q - set.b_sq);
  more.U_v *= noise;
  more.root *= std::sqrt(noise);
  more.G /= std::sqrt(factor);
  return more;
}

Matrix entry_radii(const ConfidenceSet& set) {
  const Vector rows = set.U_v.diagonal().cwiseSqrt();
  const Vector columns = set.G.colwise().norm();
  return set.beta * rows * columns.transpose();
}

}  // namespace loopcert
