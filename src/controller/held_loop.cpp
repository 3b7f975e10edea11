#include "held_loop.hpp"

#include <Eigen/LU>
#include <cmath>

#include "core/eigenvalues.hpp"

namespace loopcert {

HeldLoop::HeldLoop(const System& system, const Controller& controller) : system_(system) {
  const Index n_x = controller.sizes.n_x, n_u = controller.sizes.n_u, T = controller.sizes.T;
  const Matrix last = controller.K.bottomRows(n_u);  // columns: x_0, …, x_{T-1}, and x_T, unused
  k_ = controller.k.tail(n_u);
  for (Index lag = 0; lag < T; ++lag)
    if (!last.middleCols((T - 1 - lag) * n_x, n_x).isZero(0.0)) lags_ = lag + 1;
  gains_.resize(n_u, lags_ * n_x);
  for (Index lag = 0; lag < lags_; ++lag)
    gains_.middleCols(lag * n_x, n_x) = last.middleCols((T - 1 - lag) * n_x, n_x);
}

Matrix HeldLoop::companion() const {
  const Index n_x = system_.plant.A[0].rows(), size = gains_.cols();
  Matrix F = Matrix::Zero(size, size);
  F.topRows(n_x) = system_.plant.B[0] * gains_;
  F.topLeftCorner(n_x, n_x) += system_.plant.A[0];
  F.block(n_x, 0, size - n_x, size - n_x).setIdentity();
  return F;
}

void HeldLoop::advance(Matrix& past, const Matrix& u) const {
  const Index n_x = system_.plant.A[0].rows(), rest = past.rows() - n_x;
  const Matrix next = system_.plant.A[0] * past.topRows(n_x) + system_.plant.B[0] * u;
  past.bottomRows(rest) = past.topRows(rest).eval();
  past.topRows(n_x) = next;
}

double HeldLoop::growth() const {
  const Index n_x = system_.plant.A[0].rows();
  Matrix past = Matrix::Zero(gains_.cols(), n_x);
  past.topRows(n_x).setIdentity();
  const auto steps = [&](Index count) {  // the growth of its logarithm
    double log_size = 0;
    for (Index t = 0; t < count; ++t) {
      advance(past, input(past));
      const double size = past.norm();
      if (!(size > 0)) return -std::numeric_limits<double>::infinity();
      past /= size;
      log_size += std::log(size);
    }
    return log_size;
  };
  const Index settle = 10 * lags_ + 1000;
  steps(settle);
  return std::exp(steps(settle) / static_cast<double>(settle));
}

double HeldLoop::radius() const {
  constexpr Index largest = 800;  // eigenvalues of a larger matrix take a minute
  return gains_.cols() <= largest ? spectral_radius(companion()) : growth();
}

std::optional<double> HeldLoop::average_cost(const Matrix& W, const Vector& c) const {
  constexpr Index most_steps = 1'000'000;
  const Matrix &A = system_.plant.A[0], &B = system_.plant.B[0];
  const Matrix &Q = system_.cost.Q[0], &R = system_.cost.R[0];
  const Index n_x = A.rows();
  // The steady state: x = A x + B u + c with u = (sum of the gains) x + k.
  Matrix gain = Matrix::Zero(B.cols(), n_x);
  for (Index lag = 0; lag < lags_; ++lag) gain += gains_.middleCols(lag * n_x, n_x);
  const Vector x =
      (Matrix::Identity(n_x, n_x) - A - B * gain).partialPivLu().solve(Vector(B * k_ + c));
  const Vector u = gain * x + k_;
  const double steady = x.dot(Q * x) + u.dot(R * u);

  Matrix past = Matrix::Zero(gains_.cols(), n_x);
  past.topRows(n_x).setIdentity();
  double total = 0, recent = 0;  // of the last `lags_` steps
  for (Index t = 0; t < most_steps; ++t) {
    const Matrix U = input(past), X = past.topRows(n_x);
    recent += (Q * X * W).cwiseProduct(X).sum() + (R * U * W).cwiseProduct(U).sum();
    advance(past, U);
    if ((t + 1) % lags_ != 0) continue;
    total += recent;
    if (!std::isfinite(total)) return std::nullopt;
    // A loop of many states may rest before it moves: as many steps as it has states.
    if (t > 2 * gains_.cols() && recent <= 1e-15 * total) return total + steady;
    recent = 0;
  }
  return std::nullopt;
}

}  // namespace loopcert
