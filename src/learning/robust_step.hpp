// The step of ADMM that chooses the response: [2 Y Sigma + rho p'p Y W]_causal = B, W the columns
// that limits see.
#pragma once

#include "learning/robust_problem.hpp"

namespace loopcert {

class RobustStep {
 public:
  RobustStep(const RobustProblem& problem, double rho);
  double rho() const { return rho_; }
  void set_rho(double rho);

  // One causal factorization solves it when Sigma is a diagonal of few different numbers.
  // Otherwise conjugate gradients from Y on, with that of the diagonal as preconditioner, up to a
  // residual of this norm. Returns the number of solves.
  int solve(const Matrix& B, double tolerance, Matrix& Y) const;

 private:
  Matrix apply(const Matrix& Y) const;
  Matrix precondition(const Matrix& B) const;

  const RobustProblem& problem_;
  Matrix pp_;  // p'p
  // Columns with about the same variance share a factor U, U U' = 2 variance I + rho weight p'p.
  struct Level {
    double variance = 0, weight = 0;
    std::vector<Index> columns;
    Matrix U;
  };
  std::vector<Level> levels_;
  bool exact_ = false;
  double rho_ = 0;
};

}  // namespace loopcert
