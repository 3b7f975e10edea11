#include <cmath>

#include "core/check.hpp"
#include "core/linalg.hpp"
#include "factorization.hpp"
#include "learning/minimizers.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

// P (x) (Sigma + gamma/p I) with p the mean eigenvalue of P: against G + gamma I its eigenvalue
// ratios lie within those of P to p.
CausalFactorization ridge_preconditioner(const RidgeSystem& system) {
  Matrix block = free_block(system.pattern, system.Sigma);
  const double floor = 1e-14 * block.diagonal().maxCoeff();  // keeps the Cholesky alive
  block.diagonal().array() += std::max(system.gamma / system.P.diagonal().mean(), floor);
  Matrix L = lower_cholesky_or_empty(block, 0.0);
  while (L.size() == 0) {
    block.diagonal().array() += 10 * floor;
    L = lower_cholesky_or_empty(block, 0.0);
  }
  return {system.pattern, upper_cholesky(system.P), std::move(L)};
}

Matrix apply(const RidgeSystem& system, const Matrix& Z) {
  Matrix image = system.P * Matrix(Z * system.Sigma);
  project_causal(system.pattern, image);
  return image + system.gamma * Z;
}

double dot(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

}  // namespace

RidgeResult solve_ridge(const RidgeSystem& system, const Matrix& target,
                        const RidgeOptions& options, const Matrix* warm_start) {
  const CausalFactorization preconditioner = ridge_preconditioner(system);
  const double target_norm = target.norm();
  RidgeResult result;
  result.gamma = system.gamma;
  result.Z = warm_start ? *warm_start : Matrix::Zero(target.rows(), target.cols());
  Matrix residual = target;
  if (warm_start) residual -= apply(system, result.Z);
  Matrix step = preconditioner.solve(residual);
  Matrix direction = step;
  double rho = dot(residual, step);
  const auto converged = [&] {
    result.relative_residual = target_norm > 0 ? residual.norm() / target_norm : 0.0;
    return result.relative_residual <= options.relative_residual;
  };
  while (!(result.converged = converged()) && result.iterations < options.max_iterations) {
    const Matrix image = apply(system, direction);
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

RidgeResult ridge(const QuadraticForm& form, const MatrixView& Sigma, double gamma,
                  const RidgeOptions& options, const Matrix* warm_start) {
  check_positive("gamma", gamma);
  check_finite("Sigma", Sigma);
  return solve_ridge({form.pattern, form.P, Sigma, gamma}, -linear_term(form, Sigma), options,
                     warm_start);
}

}  // namespace loopcert
