#include <cmath>

#include "factorization.hpp"
#include "loopcert/core/check.hpp"
#include "loopcert/core/linalg.hpp"
#include "loopcert/learning/minimizers.hpp"
#include "loopcert/risk/risk.hpp"

namespace loopcert {
namespace {

// P (x) (Sigma + gamma/p I) with p the mean eigenvalue of P: against G + gamma I its eigenvalue
// ratios lie within those of P to p.
CausalFactorization ridge_preconditioner(const ResponseSpace& space, const MatrixView& Sigma,
                                         double gamma) {
  Matrix block = free_block(space.pattern, Sigma);
  const double floor = 1e-14 * block.diagonal().maxCoeff();  // keeps the Cholesky alive
  block.diagonal().array() += std::max(gamma / space.P.diagonal().mean(), floor);
  Matrix L = lower_cholesky_or_empty(block, 0.0);
  while (L.size() == 0) {
    block.diagonal().array() += 10 * floor;
    L = lower_cholesky_or_empty(block, 0.0);
  }
  return {space.pattern, upper_cholesky(space.P), std::move(L)};
}

double dot(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

}  // namespace

RidgeResult ridge(const ResponseSpace& space, const MatrixView& Sigma, double gamma,
                  const RidgeOptions& options, const Matrix* warm_start) {
  check_positive("gamma", gamma);
  check_finite("Sigma", Sigma);
  const CausalFactorization preconditioner = ridge_preconditioner(space, Sigma, gamma);
  const Matrix target = -linear_term(space, Sigma);
  const double target_norm = target.norm();

  RidgeResult result;
  result.gamma = gamma;
  result.Z = warm_start ? *warm_start : Matrix::Zero(target.rows(), target.cols());
  Matrix residual = target;
  if (warm_start) residual -= apply_G(space, Sigma, result.Z) + gamma * result.Z;
  Matrix step = preconditioner.solve(residual);
  Matrix direction = step;
  double rho = dot(residual, step);
  const auto converged = [&] {
    result.relative_residual = target_norm > 0 ? residual.norm() / target_norm : 0.0;
    return result.relative_residual <= options.relative_residual;
  };
  while (!(result.converged = converged()) && result.iterations < options.max_iterations) {
    const Matrix image = apply_G(space, Sigma, direction) + gamma * direction;
    const double length = rho / dot(direction, image);
    result.Z += length * direction;
    residual -= length * image;
    step = preconditioner.solve(residual);
    const double rho_next = dot(residual, step);
    direction = step + (rho_next / rho) * direction;
    rho = rho_next;
    ++result.iterations;
  }
  return result;
}

}  // namespace loopcert
