#include "learning/robust_system.hpp"

#include <cmath>

namespace loopcert {
namespace {

constexpr Index small_system = 400;  // entries of Y up to which the whole matrix is factored

Index first_row_of(const RobustProblem& problem, Index column) {
  return problem.pattern.first_row(problem.pattern.first_free_column() + column);
}

// sum_c A_jc h_jc: one number per row.
Vector along_rows(const Matrix& A, const Matrix& h) {
  return A.cwiseProduct(h).colwise().sum().transpose();
}

}  // namespace

Matrix RobustCurvature::blocks_times(const Matrix& A) const {
  Matrix out = Matrix::Zero(A.rows(), A.cols());
  for (const Block& b : blocks) {
    const auto a = A.col(b.row).segment(b.begin, b.width);
    auto to = out.col(b.row).segment(b.begin, b.width);
    if (b.width == 1) {
      to(0) = b.across * b.along * a(0);
    } else {
      const auto n = normal.col(b.row).segment(b.begin, b.width);
      to = b.across * (a - (1 - b.along) * n.dot(a) * n);
    }
  }
  return out;
}

Vector RobustCurvature::core_times(const Vector& x) const {
  const Vector y = beta.cwiseProduct(x);
  return y - y.sum() / (elastic + beta.sum()) * beta;
}

RobustSystem::RobustSystem(const RobustProblem& problem, const RobustCurvature& curvature)
    : problem_(problem), curvature_(curvature) {
  Index entries = 0;
  for (Index j = 0; j < problem.a.rows(); ++j)
    entries += problem.p.cols() - first_row_of(problem, j);
  entries <= small_system ? factor_whole() : factor_columns();
}

Matrix RobustSystem::apply(const Matrix& Y) const {
  const Matrix A = Y.transpose() * problem_.p.transpose();
  Matrix y = curvature_.blocks_times(A);
  y += curvature_.h * curvature_.core_times(along_rows(A, curvature_.h)).asDiagonal();
  Matrix K = problem_.p.transpose() * y.transpose();
  K.noalias() += 2 * Y * problem_.Sigma;
  problem_.keep_causal(K);
  return K;
}

void RobustSystem::factor_whole() {
  const Matrix& p = problem_.p;
  const Index d_u = p.cols(), free = problem_.a.rows();
  std::vector<Index> begin(static_cast<size_t>(free) + 1, 0);
  const auto at = [&](Index j) { return begin[static_cast<size_t>(j)]; };
  for (Index j = 0; j < free; ++j)
    begin[static_cast<size_t>(j) + 1] = at(j) + d_u - first_row_of(problem_, j);
  Matrix K = Matrix::Zero(at(free), at(free));
  for (Index j = 0; j < free; ++j)
    for (Index k = 0; k <= j; ++k) {  // rows of j are a tail of those of k, or the same
      const Index size = at(j + 1) - at(j);
      K.block(at(j), at(k + 1) - size, size, size).diagonal().array() += 2 * problem_.Sigma(j, k);
    }
  const auto add = [&](Index j, Index k, Index c, double value) {
    K.block(at(j), at(k), at(j + 1) - at(j), at(k + 1) - at(k)).noalias() +=
        value * p.row(c).tail(at(j + 1) - at(j)).transpose() * p.row(c).tail(at(k + 1) - at(k));
  };
  for (const RobustCurvature::Block& b : curvature_.blocks)
    for (Index j = b.begin; j < b.begin + b.width; ++j) {
      if (b.width == 1) {
        add(j, j, b.row, b.across * b.along);
        continue;
      }
      const auto n = curvature_.normal.col(b.row);
      for (Index k = b.begin; k <= j; ++k)
        add(j, k, b.row, b.across * ((j == k ? 1.0 : 0.0) - (1 - b.along) * n(j) * n(k)));
    }
  Matrix H(at(free), p.rows());
  for (Index j = 0; j < free; ++j)
    H.middleRows(at(j), at(j + 1) - at(j)) =
        p.rightCols(at(j + 1) - at(j)).transpose() * curvature_.h.row(j).asDiagonal();
  const Vector root = curvature_.beta.cwiseSqrt();
  const Matrix scaled = H * root.asDiagonal();
  K.selfadjointView<Eigen::Lower>().rankUpdate(scaled);
  K.selfadjointView<Eigen::Lower>().rankUpdate(H * curvature_.beta,
                                               -1 / (curvature_.elastic + curvature_.beta.sum()));
  whole_.compute(K.selfadjointView<Eigen::Lower>());
}

void RobustSystem::factor_columns() {
  const Matrix& p = problem_.p;
  const Index C = p.rows();
  Matrix weight = Matrix::Zero(problem_.a.rows(), C);  // the diagonal of the blocks
  for (const RobustCurvature::Block& b : curvature_.blocks)
    for (Index j = b.begin; j < b.begin + b.width; ++j) {
      const double n = b.width == 1 ? 1 : curvature_.normal(j, b.row);
      weight(j, b.row) = b.across * (b.width == 1 ? b.along : 1 - (1 - b.along) * n * n);
    }
  Matrix core = Matrix(curvature_.beta.cwiseInverse().asDiagonal());
  core.array() += 1 / curvature_.elastic;
  Matrix part, K;
  for (Index j = 0; j < weight.rows(); ++j) {
    const Index size = p.cols() - first_row_of(problem_, j);
    part = p.rightCols(size).transpose() * weight.row(j).cwiseSqrt().asDiagonal();
    K.setZero(size, size);
    K.selfadjointView<Eigen::Lower>().rankUpdate(part);
    K.diagonal().array() += 2 * problem_.Sigma(j, j);
    columns_.emplace_back(K);
    part = p.rightCols(size).transpose() * curvature_.h.row(j).asDiagonal();
    columns_.back().matrixL().solveInPlace(part);
    core.selfadjointView<Eigen::Lower>().rankUpdate(part.transpose());
  }
  core_.compute(core.selfadjointView<Eigen::Lower>());
}

Matrix RobustSystem::columns_solve(const Matrix& right) const {
  Matrix X = Matrix::Zero(right.rows(), right.cols());
  for (Index j = 0; j < right.cols(); ++j) {
    const auto& factor = columns_[static_cast<size_t>(j)];
    X.col(j).tail(factor.rows()) = factor.solve(right.col(j).tail(factor.rows()));
  }
  return X;
}

Matrix RobustSystem::precondition(const Matrix& right) const {
  if (columns_.empty()) {
    Vector packed(whole_.rows());
    Index at = 0;
    for (Index j = 0; j < right.cols(); ++j) {
      const Index size = right.rows() - first_row_of(problem_, j);
      packed.segment(at, size) = right.col(j).tail(size);
      at += size;
    }
    packed = whole_.solve(packed);
    Matrix X = Matrix::Zero(right.rows(), right.cols());
    at = 0;
    for (Index j = 0; j < right.cols(); ++j) {
      const Index size = right.rows() - first_row_of(problem_, j);
      X.col(j).tail(size) = packed.segment(at, size);
      at += size;
    }
    return X;
  }
  Matrix X = columns_solve(right);
  const Matrix A = X.transpose() * problem_.p.transpose();
  const Vector y = core_.solve(along_rows(A, curvature_.h));
  Matrix back = problem_.p.transpose() * (curvature_.h * y.asDiagonal()).transpose();
  problem_.keep_causal(back);
  return X - columns_solve(back);
}

Matrix RobustSystem::solve(const Matrix& right) const {
  const auto inner = [](const Matrix& x, const Matrix& y) { return x.cwiseProduct(y).sum(); };
  Matrix Y = Matrix::Zero(right.rows(), right.cols());
  Matrix residual = right, step = precondition(residual), direction = step;
  const double aim = 1e-10 * right.norm();
  double slope = inner(residual, step);
  for (int i = 0; i < 300 && residual.norm() > aim && slope > 0; ++i) {
    const Matrix image = apply(direction);
    const double length = slope / inner(direction, image);
    Y += length * direction;
    residual -= length * image;
    step = precondition(residual);
    const double next = inner(residual, step);
    direction = step + (next / slope) * direction;
    slope = next;
  }
  return Y;
}

}  // namespace loopcert
