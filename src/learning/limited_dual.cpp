#include "learning/limited_dual.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/linalg.hpp"
#include "core/parallel.hpp"
#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr Index threads_from_p = 20'000;  // below, threads cost more than they bring
constexpr Index columns_at_once = 48;

// Neighbouring columns, a few at a time: the work on each does not depend on who does it.
Index parts_of(Index count) { return (count + columns_at_once - 1) / columns_at_once; }
Index begin_of(Index part) { return part * columns_at_once; }
Index size_of(Index part, Index count) { return std::min(columns_at_once, count - begin_of(part)); }

}  // namespace

LimitedDual::LimitedDual(const LimitedProblem& problem)
    : problem_(problem),
      free_(problem.pattern.end_free_column()),
      S_(problem.S),
      team_(problem.pattern.count() >= threads_from_p ? default_threads() : 1) {
  auto block = S_.topLeftCorner(free_, free_);
  const double extra =
      problem.gamma > 0 ? problem.gamma / problem.P.diagonal().mean() : 0.0;  // of curvature
  const Vector diagonal = block.diagonal().array() + extra;
  const double largest = diagonal.maxCoeff();
  if (extra == 0 && S_.isDiagonal(0.0) && diagonal.minCoeff() > 1e-13 * largest) {
    scale_ = diagonal.cwiseSqrt();
  } else {
    Matrix definite = block;
    definite.diagonal() = diagonal;
    L_ = lower_cholesky_or_empty(definite, 1e-13);
    for (double floor = 1e-12; L_.size() == 0; floor *= 10) {
      if (!(floor < 1)) throw NumericsError("limits: the second moment is not finite");
      definite.diagonal() = diagonal + floor * (diagonal.array() + 1e-3 * largest).matrix();
      L_ = lower_cholesky_or_empty(definite, 1e-13);
    }
    if (extra == 0) block = definite;
  }
  if (extra == 0) prepare_white();
}

// With a = (f, r) on free columns and the others, a'S a = ||L'f + L^-1 S_fr r||^2 + r'(S_rr - S_rf
// S_ff^-1 S_fr) r, and r does not depend on inputs.
void LimitedDual::prepare_white() {
  const Matrix& a = problem_.rows.a;
  const Index others = S_.cols() - free_;
  const auto f = a.leftCols(free_);
  const auto r = a.rightCols(others);
  B_ = problem_.B.leftCols(free_);
  if (L_.size() == 0) {
    b0_ = f * scale_.asDiagonal();
    rest_ = r.cwiseAbs2() * S_.diagonal().tail(others);
    B_ *= scale_.cwiseInverse().asDiagonal();
  } else {
    Matrix X = S_.topRightCorner(free_, others);
    L_.triangularView<Eigen::Lower>().solveInPlace(X);
    b0_.noalias() = f * L_.triangularView<Eigen::Lower>();
    b0_.noalias() += r * X.transpose();
    Matrix left = S_.bottomRightCorner(others, others);
    left.noalias() -= X.transpose() * X;
    rest_ = (r * left).cwiseProduct(r).rowwise().sum().cwiseMax(0.0);
    L_.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(B_);
  }
  for (Index j = 0; j < free_; ++j) B_.col(j).head(problem_.pattern.first_row(j)).setZero();
}

// Y = -R^-T [R^-1 (B + sum lambda_c p_c b_c0')]_causal: columns of a part need the inputs from its
// first row on, and no others.
LimitedDual::Point LimitedDual::at(const Vector& lambda) {
  ++evaluations;
  const Matrix& p = problem_.rows.p;
  Point point;
  Matrix P = problem_.P;
  const Matrix weighted = p.transpose() * lambda.cwiseSqrt().asDiagonal();
  P.selfadjointView<Eigen::Lower>().rankUpdate(weighted);
  P.triangularView<Eigen::StrictlyUpper>() = P.transpose();
  point.R = upper_cholesky(P);
  if (problem_.gamma > 0) return ridge_at(lambda, std::move(point));
  const Index d_u = P.rows();
  point.Y.setZero(d_u, free_);
  point.b = b0_;
  team_.for_each(parts_of(free_), [&](Index part) {
    const Index begin = begin_of(part), size = size_of(part, free_);
    const Index first = problem_.pattern.first_row(begin), rows = d_u - first;
    const auto R = point.R.bottomRightCorner(rows, rows);
    const auto p_part = p.rightCols(rows);
    Matrix X = -B_.block(first, begin, rows, size);
    const Matrix prices = lambda.asDiagonal() * b0_.middleCols(begin, size);
    X.noalias() -= p_part.transpose() * prices;
    R.triangularView<Eigen::Upper>().solveInPlace(X);
    for (Index j = 0; j < size; ++j)
      X.col(j).head(problem_.pattern.first_row(begin + j) - first).setZero();
    R.transpose().triangularView<Eigen::Lower>().solveInPlace(X);
    point.Y.block(first, begin, rows, size) = X;
    point.b.middleCols(begin, size).noalias() += p_part * X;
  });
  point.deviation = point.b.rowwise().squaredNorm() + rest_;
  return point;
}

// No causal factorization solves [P Z S] + gamma Z = -B.
LimitedDual::Point LimitedDual::ridge_at(const Vector& lambda, Point point) {
  const LimitedProblem& p = problem_;
  const Matrix weighted = p.rows.p.transpose() * lambda.asDiagonal();
  Matrix P = p.P, B = p.B;
  P.noalias() += weighted * p.rows.p;
  B.noalias() += weighted * Matrix(p.rows.a * S_);
  project_causal(p.pattern, B);
  const RidgeSystem system{p.pattern, P, S_, p.gamma};
  last_ = solve_ridge(system, B, {1e-11, 2000}, last_.size() ? &last_ : nullptr).Z;
  point.Y = -last_;
  Matrix a = p.rows.a;
  a.noalias() += p.rows.p * point.Y;
  const Matrix aS = a * S_;
  point.deviation = aS.cwiseProduct(a).rowwise().sum();
  point.b = aS.leftCols(free_);
  L_.transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(point.b);
  return point;
}

double LimitedDual::cost(const Point& point) const {
  const Matrix PY = problem_.P * point.Y;
  if (problem_.gamma == 0) return problem_.base + (2 * B_ + PY).cwiseProduct(point.Y).sum();
  return problem_.base + 2 * problem_.B.cwiseProduct(point.Y).sum() +
         (PY * S_).cwiseProduct(point.Y).sum() + problem_.gamma * point.Y.squaredNorm();
}

Matrix LimitedDual::response(const Point& point) const {
  if (problem_.gamma > 0) return point.Y;
  Matrix Z = Matrix::Zero(point.Y.rows(), S_.cols());
  auto free = Z.leftCols(free_);
  free = point.Y;
  if (L_.size() == 0)
    free *= scale_.cwiseInverse().asDiagonal();
  else
    L_.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(free);
  return Z;
}

// The lower triangle by parts of columns.
Matrix LimitedDual::curvature(const Point& point) {
  const CausalPattern& pattern = problem_.pattern;
  const Index n_u = pattern.sizes.n_u, n_y = pattern.sizes.n_y, C = point.deviation.size();
  Matrix r = problem_.rows.p.transpose();
  point.R.triangularView<Eigen::Upper>().solveInPlace(r);
  const Matrix b = point.b.transpose();
  Matrix H = Matrix::Zero(C, C);
  team_.for_each(parts_of(C), [&](Index part) {
    const Index begin = begin_of(part), size = size_of(part, C), rows = C - begin;
    Matrix seen = Matrix::Zero(rows, size), total = seen, now(rows, size);
    for (Index t = 0; t < pattern.sizes.T; ++t) {
      const auto b_t = b.block(t * n_y, begin, n_y, rows);
      seen.noalias() += b_t.transpose() * b_t.leftCols(size);
      const auto r_t = r.block(t * n_u, begin, n_u, rows);
      now.noalias() = r_t.transpose() * r_t.leftCols(size);
      total += now.cwiseProduct(seen);
    }
    H.block(begin, begin, rows, size) = 2 * total;
  });
  H.triangularView<Eigen::StrictlyUpper>() = H.transpose();
  return H;
}

}  // namespace loopcert
