#include "certificate/cumulant.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/linalg.hpp"

namespace loopcert {

GaussianTrajectory gaussian_trajectory(const MatrixView& M, const VectorView& m,
                                       const VectorView& mean, const MatrixView& covariance) {
  // Sigma_y = X X' with X = M W, W W' = covariance; the small Gram X'X has the same spectrum, and
  // X v / sqrt(s) is the eigenvector of Sigma_y.
  const Matrix X = M * covariance_factor(covariance);
  const Vector mu = M * mean + m;
  GaussianTrajectory y;
  if (X.cols() == 0) {
    y.mu_rest = mu.squaredNorm();
    return y;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(X.transpose() * X));
  const Vector projected = eigen.eigenvectors().transpose() * Vector(X.transpose() * mu);
  y.s = eigen.eigenvalues().cwiseMax(0.0);
  const double cut = 1e-14 * y.s.maxCoeff();
  y.mu_sq = Vector::Zero(y.s.size());
  for (Index i = 0; i < y.s.size(); ++i)
    if (y.s(i) > cut) y.mu_sq(i) = projected(i) * projected(i) / y.s(i);
  y.mu_rest = std::max(0.0, mu.squaredNorm() - y.mu_sq.sum());
  return y;
}

double chernoff_f(double x) {
  // Below 1e-4 the difference cancels: x^2 - 4/3 x^3 + 2 x^4 - 16/5 x^5 + …
  if (std::abs(x) < 1e-4) return x * x * (1 + x * (-4.0 / 3 + x * (2 - x * 16.0 / 5)));
  return x - 0.5 * std::log1p(2 * x);
}

double exact_gaussian_cgf(const GaussianTrajectory& y, double lambda) {
  double sum = 0;
  for (Index i = 0; i < y.s.size(); ++i) {
    const double x = lambda * y.s(i);
    sum += chernoff_f(x) + 2 * lambda * x * y.mu_sq(i) / (1 + 2 * x);
  }
  return sum;
}

// I + A = L D L' with A = 2 lambda G and D = I + diag(e). The e come from A itself, not from I + A,
// and  tr A - sum e = sum_k ||column k||^2 / d_k:  every term is positive, nothing cancels.
double exact_gaussian_cgf(const GaussianGram& y, double lambda) {
  Matrix A = 2 * lambda * y.G;
  Vector v = y.g;
  double sum = 0, mean = 0;
  for (Index k = 0; k < A.rows(); ++k) {
    const double e = A(k, k), d = 1 + e;
    const Index below = A.rows() - k - 1;
    const auto column = A.col(k).tail(below);
    sum += chernoff_f(e / 2) + 0.5 * column.squaredNorm() / d;
    mean += v(k) * v(k) / d;  // g'(I + A)^-1 g
    v.tail(below) -= v(k) / d * column;
    for (Index j = k + 1; j < A.rows(); ++j)
      A.col(j).tail(A.rows() - j) -= A(j, k) / d * A.col(k).tail(A.rows() - j);
  }
  return sum + 2 * lambda * lambda * mean;
}

double quadratic_coefficient(const GaussianTrajectory& y) {
  return y.s.squaredNorm() + 2 * y.s.dot(y.mu_sq);
}

double hoeffding_coefficient(double b) { return b * b / 8; }

}  // namespace loopcert
