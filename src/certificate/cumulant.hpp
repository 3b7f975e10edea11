// Bounds on the one-sided cumulant Lambda_alpha(lambda) = log E exp(lambda (L - l(w))) of one
// response.
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// The Gaussian weighted trajectory y ~ N(mu_y, Sigma_y) of one response, by its spectrum: the
// eigenvalues of Sigma_y and the squared coordinates of mu_y along the eigenvectors. Singular
// covariances are included: a zero eigenvalue contributes nothing.
struct GaussianTrajectory {
  Vector s;            // eigenvalues of Sigma_y that may be non-zero
  Vector mu_sq;        // squared mean along each of them
  double mu_rest = 0;  // squared mean in the null space of Sigma_y

  double risk() const { return s.sum() + mu_sq.sum() + mu_rest; }
};

// y = M w + m with w ~ N(mean, covariance).
GaussianTrajectory gaussian_trajectory(const MatrixView& M, const VectorView& m,
                                       const VectorView& mean, const MatrixView& covariance);

// f(x) = x - log(1 + 2x)/2 for x > -1/2, accurate near 0.
double chernoff_f(double x);

// Lambda_alpha(lambda), exact for every lambda >= 0 (paper, eq:exact-gaussian-cgf):
//   sum_i f(lambda s_i) + 2 lambda^2 sum_i s_i mu_i^2 / (1 + 2 lambda s_i).
double exact_gaussian_cgf(const GaussianTrajectory& y, double lambda);

// The same y by products alone: y = mu_y + X e with e standard normal, so Sigma_y = X X'.
struct GaussianGram {
  Matrix G;  // X'X
  Vector g;  // X'mu_y
};

// Lambda_alpha(lambda) without a spectrum: as accurate, for one factorization.
double exact_gaussian_cgf(const GaussianGram& y, double lambda);

// phi = ||Sigma_y||_F^2 + 2 mu_y' Sigma_y mu_y, so that Lambda <= lambda^2 phi (Cor.
// gaussian-quadratic).
double quadratic_coefficient(const GaussianTrajectory& y);

// For losses in [0, b]: Lambda <= lambda^2 b^2 / 8 (Hoeffding's lemma).
double hoeffding_coefficient(double b);

}  // namespace loopcert
