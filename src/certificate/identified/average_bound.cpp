// The stationary case of the guaranteed-cost recursion. Where zeta begins with a constant,
//   Acl = [1 0; c A], P = [0 p'; p P_x]: A, P_x alone solve the recursion of the rest, p a linear
// equation, and what is left in the corner is the rise of a step.
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "certificate/riccati_bound.hpp"
#include "core/linalg.hpp"

namespace loopcert {

// X after k rounds is that of 2^k steps from zero.
std::optional<Matrix> doubled_solution(Matrix A, Matrix G, const Matrix& Q) {
  Matrix X = 0.5 * (Q + Q.transpose());  // to the last bit, which products are not
  const Matrix I = Matrix::Identity(A.rows(), A.rows());
  for (int round = 0; round < 50; ++round) {
    const Eigen::PartialPivLU<Matrix> W(I + G * X);
    const Matrix WA = W.solve(A), WG = W.solve(G);
    const Matrix change = A.transpose() * X * WA;
    const Matrix next = X + 0.5 * (change + change.transpose());
    if (!next.allFinite() || (next.diagonal().array() < 0).any()) return std::nullopt;
    const Vector size = next.diagonal().cwiseSqrt();
    const bool settled =
        ((next - X).cwiseAbs().array() <= 1e-15 * (size * size.transpose()).array()).all();
    X = next;
    if (settled) return X;
    G += A * WG * A.transpose();
    G = 0.5 * (G + G.transpose()).eval();
    A = A * WA;
  }
  return std::nullopt;
}

namespace {

// Everything of a loop that does not depend on tau.
struct Stationary {
  const EstimatedLoop& loop;
  const ConfidenceSet& set;
  LoopStep step;
  Index f;      // where the rest begins: 1 with a constant
  Matrix H, G;  // E U^1/2; beta G C

  Index n() const { return step.Acl.rows() - f; }
  Matrix A() const { return step.Acl.bottomRightCorner(n(), n()); }
};

Stationary stationary_of(const EstimatedLoop& loop, const Matrix& K, const ConfidenceSet& set) {
  LoopStep step = step_of(loop, K, 0);
  Matrix G = set.beta * set.G * step.C;
  return {loop, set, std::move(step), loop.model.first(), loop.model.E * set.root, std::move(G)};
}

// P with P = right side + slack diag(P) on the rest, up to rounding: strict inequalities survive
// that. p and the rise follow.
std::optional<AverageBound> stationary_candidate(const Stationary& s, double tau, double slack) {
  const Index n = s.n(), f = s.f;
  const Matrix A = s.A(), H = s.H.bottomRows(n);
  const Matrix weight = s.step.weight + tau * s.G.transpose() * s.G;
  const Matrix G = -H * H.transpose() / tau;
  Matrix Q = weight.bottomRightCorner(n, n);
  std::optional<Matrix> X = doubled_solution(A, G, Q);
  if (!X) return std::nullopt;
  Q.diagonal() += slack * X->diagonal();
  X = doubled_solution(A, G, Q);
  if (!X) return std::nullopt;
  AverageBound bound;
  bound.tau = tau;
  bound.P = Matrix::Zero(f + n, f + n);
  bound.P.bottomRightCorner(n, n) = *X;
  if (f == 0) return bound;
  // N = P + P H (tau I - H'P H)^-1 H'P on the rest is X + X H Y H'X; p solves
  //   p' = q' + p'(I + H Y H'X) A + c'N A.
  const Eigen::LLT<Matrix> gap(tau * Matrix::Identity(H.cols(), H.cols()) - H.transpose() * *X * H);
  if (gap.info() != Eigen::Success) return std::nullopt;
  const Matrix HYHX = H * gap.solve(Matrix(H.transpose() * *X));
  const Vector c = s.step.Acl.bottomLeftCorner(n, 1);
  const Matrix N = *X + *X * HYHX;
  const Matrix I = Matrix::Identity(n, n);
  const Vector right = weight.bottomLeftCorner(n, 1) + A.transpose() * (N * c);
  const Vector p =
      Eigen::PartialPivLU<Matrix>(I - A.transpose() * (I + HYHX).transpose()).solve(right);
  bound.P.block(1, 0, n, 1) = p;
  bound.P.block(0, 1, 1, n) = p.transpose();
  const std::optional<Matrix> next = riccati_step(s.loop, s.step, s.set, bound.P, tau);
  if (!next) return std::nullopt;
  bound.rise = (*next)(0, 0) * (1 + slack);
  return bound;
}

std::optional<AverageBound> proved(const Stationary& s, const Matrix& K, double tau) {
  for (const double slack : {1e-9, 1e-7, 1e-5}) {
    std::optional<AverageBound> bound = stationary_candidate(s, tau, slack);
    if (!bound) return std::nullopt;
    if (const auto value = average_cost_at(s.loop, K, s.set, *bound)) {
      bound->value = *value;
      return bound;
    }
  }
  return std::nullopt;
}

// In units of `size`: a definite matrix with room for rounding.
bool is_definite(const Matrix& value, const Vector& size) {
  const Matrix scaled = size.cwiseInverse().asDiagonal() * value * size.cwiseInverse().asDiagonal();
  const Matrix I = Matrix::Identity(value.rows(), value.rows());
  return scaled.allFinite() && Eigen::LLT<Matrix>(scaled - 1e-12 * I).info() == Eigen::Success;
}

}  // namespace

std::optional<double> average_cost_at(const EstimatedLoop& loop, const Matrix& K,
                                      const ConfidenceSet& set, const AverageBound& numbers) {
  const Index f = loop.model.first(), n = loop.model.n() - f;
  const Matrix& P = numbers.P;
  Vector size(f + n);
  size.tail(n) = P.diagonal().tail(n).cwiseMax(1e-300).cwiseSqrt();
  if (f == 1) size(0) = std::sqrt(std::max(numbers.rise, 1e-300));
  const std::optional<Matrix> right = riccati_step(loop, step_of(loop, K, 0), set, P, numbers.tau);
  if (!right || !is_definite(P.bottomRightCorner(n, n), size.tail(n))) return std::nullopt;
  Matrix gap = P - *right;
  if (f == 1) gap(0, 0) += numbers.rise;
  if (!is_definite(gap, size)) return std::nullopt;
  const Matrix noise = loop.model.E * set.U_v * loop.model.E.transpose();
  return numbers.rise + P.cwiseProduct(noise).sum();
}

std::optional<double> nominal_average(const EstimatedLoop& loop, const Matrix& K,
                                      const Matrix& U_v) {
  const LoopStep step = step_of(loop, K, 0);
  const Index f = loop.model.first(), n = loop.model.n() - f;
  const Matrix A = step.Acl.bottomRightCorner(n, n), Q = step.weight.bottomRightCorner(n, n);
  const std::optional<Matrix> S = doubled_solution(A, Matrix::Zero(n, n), Q);
  if (!S) return std::nullopt;
  const Matrix noise = loop.model.E * U_v * loop.model.E.transpose();
  double cost = S->cwiseProduct(noise.bottomRightCorner(n, n)).sum();
  if (f == 0) return cost;
  // The mean m = A m + c costs m'Q m + 2 q'm + q_0.
  const Matrix I = Matrix::Identity(n, n);
  const Vector m = Eigen::PartialPivLU<Matrix>(I - A).solve(step.Acl.bottomLeftCorner(n, 1));
  Vector mean(n + 1);
  mean << 1, m;
  return cost + mean.dot(step.weight * mean);
}

std::optional<AverageBound> average_bound(const EstimatedLoop& loop, const Matrix& K,
                                          const ConfidenceSet& set) {
  const Stationary s = stationary_of(loop, K, set);
  const Index n = s.n();
  const std::optional<Matrix> S =
      doubled_solution(s.A(), Matrix::Zero(n, n), s.step.weight.bottomRightCorner(n, n));
  if (!S) return std::nullopt;
  const Matrix H = s.H.bottomRows(n);
  const double unit = largest_eigenvalue(H.transpose() * *S * H);
  if (!(unit > 0)) return std::nullopt;
  const auto value = [&](double tau) {
    const auto bound = proved(s, K, tau);
    return bound ? std::optional(bound->value) : std::nullopt;
  };
  const std::optional<double> tau = best_multiplier(value, unit);
  return tau ? proved(s, K, *tau) : std::nullopt;
}

}  // namespace loopcert
