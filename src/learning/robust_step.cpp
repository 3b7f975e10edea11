#include "learning/robust_step.hpp"

#include <cmath>

#include "core/linalg.hpp"

namespace loopcert {

RobustStep::RobustStep(const RobustProblem& problem, double rho) : problem_(problem) {
  pp_ = problem.p.transpose() * problem.p;
  const Matrix& Sigma = problem.Sigma;
  exact_ = true;
  for (Index j = 0; j < Sigma.cols(); ++j) {
    const double off = Sigma.col(j).cwiseAbs().sum() - std::abs(Sigma(j, j));
    exact_ = exact_ && off == 0;
    // Within a factor of the root of two
    const auto place = [](double v) { return std::lround(2 * std::log2(v)); };
    Level* level = nullptr;
    for (Level& l : levels_)
      if (l.weight == problem.counts(j) && place(l.variance) == place(Sigma(j, j))) level = &l;
    if (!level) {
      levels_.push_back({Sigma(j, j), problem.counts(j), {}, {}});
      level = &levels_.back();
    }
    exact_ = exact_ && std::abs(level->variance - Sigma(j, j)) <= 1e-15 * Sigma(j, j);
    level->columns.push_back(j);
  }
  set_rho(rho);
}

void RobustStep::set_rho(double rho) {
  rho_ = rho;
  for (Level& level : levels_) {
    Matrix H = rho * level.weight * pp_;
    H.diagonal().array() += 2 * level.variance;
    level.U = upper_cholesky(H);
  }
}

Matrix RobustStep::apply(const Matrix& Y) const {
  Matrix B = 2 * Y * problem_.Sigma;
  B.noalias() += (rho_ * pp_) * (Y * problem_.counts.asDiagonal());
  problem_.keep_causal(B);
  return B;
}

Matrix RobustStep::precondition(const Matrix& B) const {
  Matrix Y(B.rows(), B.cols());
  for (const Level& level : levels_) {
    Matrix X = B(Eigen::all, level.columns);
    level.U.triangularView<Eigen::Upper>().solveInPlace(X);
    const Index first = problem_.pattern.first_free_column();
    for (Index k = 0; k < X.cols(); ++k)
      X.col(k)
          .head(problem_.pattern.first_row(first + level.columns[static_cast<size_t>(k)]))
          .setZero();
    level.U.transpose().triangularView<Eigen::Lower>().solveInPlace(X);
    Y(Eigen::all, level.columns) = X;
  }
  return Y;
}

int RobustStep::solve(const Matrix& B, double tolerance, Matrix& Y) const {
  if (exact_) {
    Y = precondition(B);
    return 1;
  }
  const auto inner = [](const Matrix& x, const Matrix& y) { return x.cwiseProduct(y).sum(); };
  Matrix residual = B - apply(Y), step = precondition(residual), direction = step;
  double slope = inner(residual, step);
  const double floor = std::max(tolerance, 1e-15 * B.norm());
  int solves = 1;
  while (residual.norm() > floor && solves < 200) {
    const Matrix image = apply(direction);
    const double length = slope / inner(direction, image);
    Y += length * direction;
    residual -= length * image;
    step = precondition(residual);
    const double next = inner(residual, step);
    direction = step + (next / slope) * direction;
    slope = next;
    ++solves;
  }
  return solves;
}

}  // namespace loopcert
