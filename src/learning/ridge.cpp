#include <cmath>
#include <optional>

#include "core/check.hpp"
#include "core/linalg.hpp"
#include "factorization.hpp"
#include "learning/large_products.hpp"
#include "learning/minimizers.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

// P (x) (Sigma + gamma/p I) with p the mean eigenvalue of P: against G + gamma I its eigenvalue
// ratios lie within those of P to p.
Matrix preconditioner_block(const RidgeSystem& system, double floor) {
  Matrix block = free_block(system.pattern, system.Sigma);
  block.diagonal().array() += std::max(system.gamma / system.P.diagonal().mean(), floor);
  return block;
}
double floor_of(const RidgeSystem& system) {  // keeps the Cholesky alive
  return 1e-14 * free_block(system.pattern, system.Sigma).diagonal().maxCoeff();
}

CausalFactorization ridge_preconditioner(const RidgeSystem& system) {
  const double floor = floor_of(system);
  Matrix block = preconditioner_block(system, floor);
  Matrix L = lower_cholesky_or_empty(block, 0.0);
  while (L.size() == 0) {
    block.diagonal().array() += 10 * floor;
    L = lower_cholesky_or_empty(block, 0.0);
  }
  return {system.pattern, upper_cholesky(system.P), std::move(L)};
}

// What conjugate gradients need: by a device's products, or by the processor.
class Steps {
 public:
  explicit Steps(const RidgeSystem& system) : system_(system), products_(system.pattern) {
    if (products_.on_device()) {
      Sigma_ = system.Sigma;
      far_ = FactorInverses::of(system.pattern, upper_cholesky(system.P),
                                preconditioner_block(system, floor_of(system)), products_);
    }
    if (!far_) near_.emplace(ridge_preconditioner(system));
  }
  Matrix apply(const Matrix& Z) {
    Matrix image = far_ ? products_(system_.P, products_(Z, Sigma_))
                        : Matrix(system_.P * Matrix(Z * system_.Sigma));
    project_causal(system_.pattern, image);
    return image + system_.gamma * Z;
  }
  Matrix solve(const Matrix& B) { return far_ ? far_->solve(B) : near_->solve(B); }
  const std::string& left_device() const { return products_.left_device(); }

 private:
  const RidgeSystem& system_;
  LargeProducts products_;
  Matrix Sigma_;
  std::unique_ptr<FactorInverses> far_;
  std::optional<CausalFactorization> near_;
};

double dot(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

}  // namespace

RidgeResult solve_ridge(const RidgeSystem& system, const Matrix& target,
                        const RidgeOptions& options, const Matrix* warm_start) {
  Steps steps(system);
  const double target_norm = target.norm();
  RidgeResult result;
  result.gamma = system.gamma;
  result.Z = warm_start ? *warm_start : Matrix::Zero(target.rows(), target.cols());
  Matrix residual = target;
  if (warm_start) residual -= steps.apply(result.Z);
  Matrix step = steps.solve(residual);
  Matrix direction = step;
  double rho = dot(residual, step);
  const auto converged = [&] {
    result.relative_residual = target_norm > 0 ? residual.norm() / target_norm : 0.0;
    return result.relative_residual <= options.relative_residual;
  };
  while (!(result.converged = converged()) && result.iterations < options.max_iterations) {
    const Matrix image = steps.apply(direction);
    const double length = rho / dot(direction, image);
    result.Z += length * direction;
    residual -= length * image;
    step = steps.solve(residual);
    const double rho_next = dot(residual, step);
    direction = step + (rho_next / rho) * direction;
    rho = rho_next;
    ++result.iterations;
  }
  result.left_device = steps.left_device();
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
