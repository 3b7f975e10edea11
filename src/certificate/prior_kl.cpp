#include "certificate/prior_kl.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace loopcert {
namespace {

Index free_rows(const CausalPattern& pattern, Index column) {
  return pattern.rows() - std::min(pattern.first_row(column), pattern.rows());
}

// rows^-1 D columns^-1: triangular factors keep it causal.
Matrix whitened(const PriorShape& shape, Matrix D) {
  shape.rows.triangularView<Eigen::Lower>().solveInPlace(D);
  if (shape.columns.size() > 0)
    shape.columns.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(D);
  return D;
}

// E'Lambda^1/2 of one column's vectors, for a prior that does not tie columns together:
// <b, Lambda b> for b = f (x) row, row j of the mix.
class ColumnWeights {
 public:
  ColumnWeights(const Prior& prior, const CausalPattern& pattern, const Frame* frame)
      : prior_(prior), pattern_(pattern), mix_(frame ? frame->mix : Matrix()) {
    if (mix_.size() == 0) mix_ = Matrix::Identity(pattern.cols(), pattern.cols());
    Matrix rows = mix_;  // L columns^-1
    if (prior.shape && prior.shape->columns.size() > 0)
      prior.shape->columns.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(rows);
    row_norms_ = rows.rowwise().squaredNorm();
  }

  // Of the columns of F_j.
  Vector of(Index j, const Matrix& F) const {
    const double s2 = prior_.scale * prior_.scale;
    if (!prior_.shape) return F.colwise().squaredNorm().transpose() * (row_norms_(j) / s2);
    const PriorShape& shape = *prior_.shape;
    const Index free = F.rows();
    if (shape.deviation.size() > 0) {
      Vector precision = Vector::Zero(free);
      for (Index l = 0; l <= j; ++l)
        if (mix_(j, l) != 0)
          precision += mix_(j, l) * mix_(j, l) *
                       shape.deviation.col(l).tail(free).cwiseAbs2().cwiseInverse();
      return F.cwiseAbs2().transpose() * precision / s2;
    }
    const Matrix R = shape.rows.bottomRightCorner(free, free);
    const Matrix white = R.triangularView<Eigen::Lower>().solve(F);
    return white.colwise().squaredNorm().transpose() * (row_norms_(j) / s2);
  }

 private:
  const Prior& prior_;
  const CausalPattern& pattern_;
  Matrix mix_;
  Vector row_norms_;
};

// p x p: every vector of the frame as a matrix.
Matrix dense_weights(const Prior& prior, const CausalPattern& pattern, const Frame* frame) {
  const Index p = pattern.count();
  const Matrix B = frame ? frame_matrix(*frame) : Matrix(Matrix::Identity(p, p));
  Vector w(p);
  if (prior.shape && prior.shape->full.size() > 0) {
    w = Eigen::PartialPivLU<Matrix>(prior.shape->full).solve(B).colwise().squaredNorm();
    w /= prior.scale * prior.scale;
  } else {
    for (Index k = 0; k < p; ++k) {
      const Matrix D = unpack(pattern, B.col(k));
      w(k) = D.cwiseProduct(apply_precision(prior, pattern, D)).sum();
    }
  }
  return unpack(pattern, w);
}

Matrix weights_of(const Prior& prior, const CausalPattern& pattern, const Frame* frame) {
  const bool dense = (frame && frame->is_full()) || (prior.shape && prior.shape->full.size() > 0);
  if (dense) return dense_weights(prior, pattern, frame);
  const ColumnWeights weights(prior, pattern, frame);
  Matrix w = Matrix::Zero(pattern.rows(), pattern.cols());
  for (Index j = 0; j < pattern.cols(); ++j)
    if (const Index free = free_rows(pattern, j); free > 0)
      w.col(j).tail(free) =
          weights.of(j, frame ? turn_of_column(*frame, j) : Matrix(Matrix::Identity(free, free)));
  return w;
}

// log |det D| of the prior.
double log_determinant(const Prior& prior, const CausalPattern& pattern) {
  double sum = static_cast<double>(pattern.count()) * std::log(prior.scale);
  if (!prior.shape) return sum;
  const PriorShape& shape = *prior.shape;
  if (shape.full.size() > 0)
    return sum +
           Eigen::PartialPivLU<Matrix>(shape.full).matrixLU().diagonal().array().abs().log().sum();
  for (Index j = 0; j < pattern.cols(); ++j) {
    const Index free = free_rows(pattern, j);
    if (free == 0) continue;
    if (shape.deviation.size() > 0) {
      sum += shape.deviation.col(j).tail(free).array().log().sum();
      continue;
    }
    sum += shape.rows.diagonal().tail(free).array().log().sum();
    if (shape.columns.size() > 0) sum += static_cast<double>(free) * std::log(shape.columns(j, j));
  }
  return sum;
}

}  // namespace

Matrix apply_precision(const Prior& prior, const CausalPattern& pattern, const Matrix& step) {
  const double s2 = prior.scale * prior.scale;
  if (!prior.shape) return step / s2;
  const PriorShape& shape = *prior.shape;
  if (shape.deviation.size() > 0) {
    const Vector weight = pack(pattern, shape.deviation).cwiseAbs2() * s2;
    return unpack(pattern, pack(pattern, step).cwiseQuotient(weight));
  }
  if (shape.full.size() > 0) {
    const Eigen::PartialPivLU<Matrix> lu(shape.full);
    return unpack(pattern, lu.transpose().solve(lu.solve(pack(pattern, step)))) / s2;
  }
  // [rows^-T (rows^-1 D columns^-1) columns^-T]_causal
  Matrix D = whitened(shape, step);
  shape.rows.transpose().triangularView<Eigen::Upper>().solveInPlace(D);
  if (shape.columns.size() > 0)
    shape.columns.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(D);
  project_causal(pattern, D);
  return D / s2;
}

Matrix prior_variance(const Prior& prior, const CausalPattern& pattern, const SharedFrame& frame) {
  if (!prior.shape && !frame)
    return unpack(pattern, Vector::Constant(pattern.count(), prior.scale * prior.scale));
  return unpack(pattern, pack(pattern, weights_of(prior, pattern, frame.get())).cwiseInverse());
}

PriorKl::PriorKl(const Prior& prior, const CausalPattern& pattern, SharedFrame frame)
    : prior_(prior), pattern_(pattern), frame_(std::move(frame)) {
  weights_ = weights_of(prior_, pattern_, frame_.get());
  log_determinants_ = log_determinant(prior_, pattern_) - (frame_ ? log_determinant(*frame_) : 0.0);
}

double PriorKl::value(const Posterior& posterior) const {
  const Vector V = pack(pattern_, posterior.variance), w = pack(pattern_, weights_);
  const Matrix step = posterior.mean - prior_.center;
  const double spread = (V.array() * w.array() - 1 - V.array().log()).sum();
  return 0.5 * (spread + step.cwiseProduct(pull(posterior.mean)).sum()) + log_determinants_;
}

Matrix PriorKl::pull(const Matrix& mean) const {
  return apply_precision(prior_, pattern_, mean - prior_.center);
}

}  // namespace loopcert
