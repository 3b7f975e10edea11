// The linear system of an interior-point step for robust limits, in the response Y alone:
//   [2 Y Sigma]_causal + sum_c [p_c (M_c a_c + h_c sum_e B_ce h_e'a_e)']_causal,  a_c = Y'p_c,
// M_c a block on each group of a row, B = (diag(1 / beta) + 1 1' / elastic)^-1.
#pragma once

#include <Eigen/Cholesky>

#include "learning/robust_problem.hpp"

namespace loopcert {

struct RobustCurvature {
  // Of group g of row c, on its entries: across (I - (1 - along) n n'), n in `normal`.
  struct Block {
    Index row, begin, width;
    double across, along;
  };
  std::vector<Block> blocks;
  Matrix normal;       // free columns x C
  Matrix h;            // free columns x C
  Vector beta;         // C, positive
  double elastic = 0;  // positive

  Matrix blocks_times(const Matrix& A) const;  // M_c a_c for every column
  Vector core_times(const Vector& x) const;    // B x
};

class RobustSystem {
 public:
  RobustSystem(const RobustProblem& problem, const RobustCurvature& curvature);

  // Conjugate gradients, preconditioned by the whole matrix where it is small, otherwise by what is
  // left of it when columns of Y only meet in B.
  Matrix solve(const Matrix& right) const;

 private:
  void factor_whole();
  void factor_columns();
  Matrix apply(const Matrix& Y) const;
  Matrix precondition(const Matrix& right) const;
  Matrix columns_solve(const Matrix& right) const;

  const RobustProblem& problem_;
  const RobustCurvature& curvature_;
  Eigen::LLT<Matrix> whole_;
  std::vector<Eigen::LLT<Matrix>> columns_;
  Eigen::LLT<Matrix> core_;  // of B^-1 + H'K^-1 H
};

}  // namespace loopcert
