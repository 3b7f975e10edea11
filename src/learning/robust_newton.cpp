#include "learning/robust_newton.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace loopcert {
namespace {

// psi(Y) = cost + rho/2 sum of squared distances of entries(Y) + y / rho to their limits (elastic:
// the least of that + penalty * slack). Its gradient is continuous, and piecewise smooth.
struct Augmented {
  const RobustProblem& problem;
  const RobustAim& aim;
  double margin, rho;
  Matrix y;
  Matrix Y = {}, S = {}, removed = {}, gradient = {};
  Vector price = {};
  double slack = 0;

  double value_at(const Matrix& where) {
    Y = where;
    S = problem.entries(Y) + y / rho;
    removed = S;
    if (aim.hard())
      problem.rows.remove(margin, removed, price);
    else
      slack = problem.rows.remove_elastic(aim.penalty / rho, removed, price);
    return problem.cost(Y) + 0.5 * rho * removed.squaredNorm() +
           (aim.hard() ? 0 : aim.penalty * slack);
  }
  void differentiate() {
    gradient =
        2 * (problem.G + Y * problem.Sigma) + rho * problem.p.transpose() * removed.transpose();
    problem.keep_causal(gradient);
  }
  Matrix curvature(const Matrix& D) const {
    Matrix change = D.transpose() * problem.p.transpose();
    const bool elastic = !aim.hard() && slack > problem.rows.least_slack();
    problem.rows.residual_change(S, price, elastic, change);
    Matrix H = 2 * D * problem.Sigma;
    H.noalias() += rho * problem.p.transpose() * change.transpose();
    problem.keep_causal(H);
    return H;
  }
  // What the lower bound loses to a gradient that is not zero.
  double loss() const { return 0.25 * gradient.cwiseProduct(problem.inverse(gradient)).sum(); }
};

// Column by column: 2 variance I + rho p'W_j p on the inputs that may use it, W_j the diagonal of
// the curvature of the rows.
class ColumnFactors {
 public:
  explicit ColumnFactors(const Augmented& f) {
    const RobustProblem& problem = f.problem;
    const Matrix W = problem.rows.residual_diagonal(f.S, f.price);
    const Index first = problem.pattern.first_free_column();
    for (Index j = 0; j < W.rows(); ++j) {
      const Index size = problem.p.cols() - problem.pattern.first_row(first + j);
      const Index seen = (W.row(j).array() > 0).count();
      Matrix H = Matrix::Zero(size, size), part(seen, size);
      for (Index c = 0, k = 0; c < W.cols(); ++c)
        if (W(j, c) > 0) part.row(k++) = std::sqrt(f.rho * W(j, c)) * problem.p.row(c).tail(size);
      if (seen > 0) H.selfadjointView<Eigen::Lower>().rankUpdate(part.transpose());
      H.diagonal().array() += 2 * problem.Sigma(j, j);
      factors_.emplace_back(H);
    }
  }
  Matrix solve(const Matrix& B) const {
    Matrix X = Matrix::Zero(B.rows(), B.cols());
    for (Index j = 0; j < B.cols(); ++j) {
      const auto& factor = factors_[static_cast<size_t>(j)];
      X.col(j).tail(factor.rows()) = factor.solve(B.col(j).tail(factor.rows()));
    }
    return X;
  }

 private:
  std::vector<Eigen::LLT<Matrix>> factors_;
};

// Conjugate gradients for curvature(D) = -gradient, up to a residual of this norm.
Matrix newton_direction(const Augmented& f, double tolerance, int& solves) {
  const ColumnFactors factors(f);
  Matrix D = Matrix::Zero(f.Y.rows(), f.Y.cols());
  Matrix residual = -f.gradient, step = factors.solve(residual), direction = step;
  double slope = residual.cwiseProduct(step).sum();
  for (int i = 0; i < 500 && residual.norm() > tolerance; ++i) {
    const Matrix image = f.curvature(direction);
    const double length = slope / direction.cwiseProduct(image).sum();
    D += length * direction;
    residual -= length * image;
    step = factors.solve(residual);
    const double next = residual.cwiseProduct(step).sum();
    direction = step + (next / slope) * direction;
    slope = next;
    ++solves;
  }
  return D;
}

// Newton's steps until the bound loses no more than this. False: too many.
bool minimize_augmented(Augmented& f, double loss, int budget, int& solves) {
  const double scale = 2 * f.problem.G.norm();
  double value = f.value_at(Matrix(f.Y));
  for (int steps = 0;; ++steps) {
    f.differentiate();
    const double size = f.gradient.norm();
    if (f.loss() <= loss || size <= 1e-14 * scale) return true;
    if (steps >= 100 || solves >= budget) return false;
    const Matrix D = newton_direction(f, std::min(0.1, size / scale) * size, solves), from = f.Y;
    const double slope = f.gradient.cwiseProduct(D).sum(), before = value;
    double t = 1;
    while ((value = f.value_at(from + t * D)) >
           before + 1e-4 * t * slope + 1e-15 * std::abs(before))
      if ((t *= 0.5) < 1e-10) return false;
  }
}

}  // namespace

RobustPoint robust_newton(const RobustProblem& problem, const RobustAim& aim,
                          const RobustPoint& start, double rho, int budget, int& solves) {
  RobustPoint point = start;
  Augmented f{problem, aim, start.margin(aim), rho, start.y};
  f.Y = start.Y;
  const int end = solves + budget;
  double last = INFINITY;
  for (int outer = 0; outer < 50; ++outer) {
    const double missing = aim.hard() ? point.price.sum() * std::max(point.slack, 0.0)
                                      : aim.penalty * std::abs(point.slack - f.slack);
    const double gap = std::abs(point.cost - point.lower) + missing;
    if (!minimize_augmented(f, 0.02 * std::max(aim.hard() ? gap : 0.0, point.allowed(aim)), end,
                            solves))
      break;
    const double lower = point.lower;
    f.y = f.rho * f.removed;
    point = evaluated(problem, aim, f.Y, f.y, f.rho * f.price);
    point.lower = std::max(lower, point.lower);
    if (point.done(aim)) break;
    const double over = point.slack + f.margin - f.slack;
    if (over > 0.1 * last) f.rho *= 4;
    last = over;
    f.margin = point.margin(aim);
  }
  return point;
}

}  // namespace loopcert
