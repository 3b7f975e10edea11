#include "learning/robust_problem.hpp"

#include "core/linalg.hpp"
#include "data/shrunk_moment.hpp"
#include "learning/factorization.hpp"

namespace loopcert {

void RobustProblem::keep_causal(Matrix& Y) const {
  for (Index j = 0; j < Y.cols(); ++j)
    Y.col(j).head(pattern.first_row(pattern.first_free_column() + j)).setZero();
}

Matrix RobustProblem::entries(const Matrix& Y) const {
  Matrix A = a;
  A.noalias() += Y.transpose() * p.transpose();
  return A;
}

Matrix RobustProblem::gradient(const Matrix& y) const {
  Matrix B = p.transpose() * y.transpose();
  keep_causal(B);
  return B;
}

double RobustProblem::cost(const Matrix& Y) const {
  Matrix H = 2 * G;
  H.noalias() += Y * Sigma;
  return constant + H.cwiseProduct(Y).sum();
}

// The causal factorization with P = I
Matrix RobustProblem::inverse(const Matrix& B) const {
  Matrix Y = B;
  L.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(Y);
  keep_causal(Y);
  L.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(Y);
  return Y;
}

Matrix RobustProblem::least(const Matrix& B) const { return -inverse(G + 0.5 * B); }

double RobustProblem::lower_bound(Matrix& y, Vector& price) const {
  const double support = rows.support(y, price);
  const Matrix B = gradient(y), Y = least(B);
  return cost(Y) + B.cwiseProduct(Y).sum() + y.cwiseProduct(a).sum() - support;
}

Matrix RobustProblem::coordinates(const Matrix& Y) const {
  Matrix Z = Matrix::Zero(pattern.rows(), pattern.cols());
  Z.middleCols(pattern.first_free_column(), Y.cols()) =
      R.transpose().triangularView<Eigen::Lower>().solve(Y) * sizes.cwiseInverse().asDiagonal();
  return Z;
}

RobustProblem scaled_problem(const QuadraticForm& cost, const RowCoordinates& rows,
                             const Vector& low, const Vector& high, const BoundedSet& set,
                             const MatrixView& moment) {
  const CausalPattern& pattern = cost.pattern;
  const Sizes& s = pattern.sizes;
  const Index first = pattern.first_free_column(), free = pattern.end_free_column() - first;
  RobustProblem out;
  out.pattern = pattern;
  out.R = upper_cholesky(cost.P);

  Vector size = Vector::Ones(pattern.cols());  // d_z
  size.tail(s.d_w()) = set.shape == "box" ? Vector(set.size.replicate(s.T + 1, 1))
                                          : Vector::Constant(s.d_w(), set.size(0));
  const Vector counts = (size.array() > 0).cast<double>();
  size = (size.array() > 0).select(size, 1.0);
  out.sizes = size.segment(first, free);
  out.counts = counts.segment(first, free);

  const Matrix a = rows.a * size.asDiagonal();
  const Matrix p = out.R.triangularView<Eigen::Upper>().solve(rows.p.transpose()).transpose();
  out.rows = RobustRows(pattern, set.shape, counts, p, a, low, high);
  const Vector per_unit = out.rows.unit().cwiseInverse();
  out.p = per_unit.asDiagonal() * p;
  out.a = a.middleCols(first, free).transpose() * per_unit.asDiagonal();

  const Vector per_size = size.cwiseInverse();
  Matrix Sigma = moment;
  if (lower_cholesky_or_empty(free_block(pattern, Sigma)).size() == 0)
    add_floor(cost.K_0.diagonal().tail(s.d_w()), moment, Sigma);
  out.constant = cost.K_0.cwiseProduct(Sigma).sum();
  const Matrix N = out.R.triangularView<Eigen::Upper>().solve(Matrix(cost.N_0 * Sigma));
  out.G = (N * per_size.asDiagonal()).middleCols(first, free);
  out.keep_causal(out.G);
  out.Sigma = free_block(pattern, per_size.asDiagonal() * Sigma * per_size.asDiagonal());
  out.L = lower_cholesky_or_empty(out.Sigma, 0.0);
  return out;
}

}  // namespace loopcert
