#include "certificate/average_expansion.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "certificate/expansion.hpp"
#include "certificate/riccati_bound.hpp"
#include "core/linalg.hpp"

namespace loopcert {
namespace {

// Steps after which the loop must have forgotten.
constexpr Index most_lags = 20'000;

// The loop under K in units of the error, Delta = U^1/2 F G: zeta = (1, xi) or xi,
//   xi+ = A xi + c + H (e + F r),   r = C xi + (what the constant gives).
struct AverageLoop {
  Matrix A, H, C, Q;
  Matrix Sigma, S;  // Sigma = A Sigma A' + H H', S = Q + A'S A
  Vector r, q;      // means of r and of q = H'S A xi + ...; zero without a constant
  double cost = 0;  // E zeta'Q zeta
};

std::optional<AverageLoop> average_loop_of(const EstimatedLoop& loop, const Matrix& K,
                                           const ConfidenceSet& set) {
  const LoopStep step = step_of(loop, K, 0);
  const Index f = loop.model.first(), n = loop.model.n() - f;
  const Matrix GC = set.G * step.C, I = Matrix::Identity(n, n);
  AverageLoop s;
  s.A = step.Acl.bottomRightCorner(n, n);
  s.H = (loop.model.E * set.root).bottomRows(n);
  s.C = GC.rightCols(n);
  s.Q = step.weight.bottomRightCorner(n, n);
  const auto S = doubled_solution(s.A, Matrix::Zero(n, n), s.Q);
  const auto Sigma = doubled_solution(s.A.transpose(), Matrix::Zero(n, n), s.H * s.H.transpose());
  if (!S || !Sigma) return std::nullopt;
  s.S = *S;
  s.Sigma = *Sigma;
  s.cost = s.Q.cwiseProduct(s.Sigma).sum();
  s.r = Vector::Zero(GC.rows());
  s.q = Vector::Zero(s.H.cols());
  if (f == 0) return s;
  // m = A m + c; the costs to come pull by p + S xi, p = Q_x1 + A'(p + S c).
  const Vector c = step.Acl.bottomLeftCorner(n, 1);
  const Vector m = Eigen::PartialPivLU<Matrix>(I - s.A).solve(c);
  const Vector p = Eigen::PartialPivLU<Matrix>(I - s.A.transpose())
                       .solve(step.weight.bottomLeftCorner(n, 1) + s.A.transpose() * (s.S * c));
  Vector mean(n + 1);
  mean << 1, m;
  s.r = GC * mean;
  s.q = s.H.transpose() * (p + s.S * m);
  s.cost += mean.dot(step.weight * mean);
  return s;
}

// f'(form) f = E x_1'W x_1, x_1 the first order: W_0 (x) K_0 + sum_{j>0} W_j (x) K_j + its
// transpose, W_j = E r_t r_{t-j}', K_j = H'Y A^j H with Y = W + A'Y A.
// f'(cross) f = 2 sum_{j>0} tr(N_j' F L_j F), N_j = E q_t r_{t-j}', L_j = C A^{j-1} H.
struct AverageForms {
  Matrix own, reply, cross;
  Vector g;  // vec N_0
};

void add_kronecker(Matrix& form, const Matrix& W, const Matrix& K) {
  const Index n_v = K.rows();
  for (Index b = 0; b < W.rows(); ++b)
    for (Index d = 0; d < W.cols(); ++d) form.block(b * n_v, d * n_v, n_v, n_v) += W(b, d) * K;
}

std::optional<AverageForms> average_forms(const AverageLoop& s, const Matrix& reply_cost) {
  const Index n_v = s.H.cols(), n_r = s.C.rows(), k = n_v * n_r;
  AverageForms forms{Matrix::Zero(k, k), Matrix::Zero(k, k), Matrix::Zero(k, k), {}};
  const Matrix HS = s.H.transpose() * s.S, HY = s.H.transpose() * reply_cost, HSA = HS * s.A;
  Matrix moment = s.Sigma * s.C.transpose();  // A^j Sigma C'
  Matrix input = s.H;                         // A^j H
  const double first_moment = moment.norm(), first_input = input.norm();
  for (Index j = 0; j < most_lags; ++j) {
    const Matrix W = s.r * s.r.transpose() + s.C * moment;
    const double half = j == 0 ? 0.5 : 1;
    add_kronecker(forms.own, half * W, HS * input);
    add_kronecker(forms.reply, half * W, HY * input);
    if (j == 0) forms.g = (s.q * s.r.transpose() + HSA * moment).reshaped();
    const Matrix L = s.C * input;  // L_{j+1}
    moment = s.A * moment;
    input = s.A * input;
    const Matrix N = s.q * s.r.transpose() + HSA * moment;  // N_{j+1}
    for (Index b = 0; b < n_r; ++b)
      for (Index d = 0; d < n_r; ++d)
        forms.cross.block(b * n_v, d * n_v, n_v, n_v).noalias() += N.col(d) * L.row(b);
    if (input.norm() <= 1e-17 * first_input && moment.norm() <= 1e-17 * first_moment) {
      for (Matrix* form : {&forms.own, &forms.reply, &forms.cross})
        *form = (*form + form->transpose()).eval();
      return forms;
    }
  }
  return std::nullopt;
}

// In units of `size`: a definite matrix with room for rounding.
bool is_surely_definite(const Matrix& value) {
  const Vector size = value.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Matrix scaled = size.asDiagonal() * value * size.asDiagonal();
  const Matrix I = Matrix::Identity(value.rows(), value.rows());
  return scaled.allFinite() && Eigen::LLT<Matrix>(scaled - 1e-12 * I).info() == Eigen::Success;
}

std::optional<AverageExpansion> expanded_with(const AverageLoop& s, const ConfidenceSet& set,
                                              const ProvedGain& reply, const ProvedGain& cost) {
  const double beta = set.beta, gamma = beta * reply.gain;
  if (!(gamma < 1)) return std::nullopt;
  const auto Y = doubled_solution(s.A, Matrix::Zero(s.A.rows(), s.A.rows()), s.C.transpose() * s.C);
  if (!Y) return std::nullopt;
  const std::optional<AverageForms> forms = average_forms(s, *Y);
  if (!forms) return std::nullopt;
  const auto size = [&](const Matrix& form) {
    return beta * std::sqrt(std::max(largest_eigenvalue(form), 0.0));
  };
  AverageExpansion out{s.cost, 0, 0, 0, reply, cost};
  const QuadraticSup sup = sup_of_quadratic(forms->g, forms->own + forms->cross, beta);
  out.sup = sup.value;
  out.nu = sup.nu;
  // |z_1| <= n_1, |G r_1| <= rho_1, later orders at most gamma times the one before.
  const double n_1 = size(forms->own), rho_1 = size(forms->reply);
  const Matrix HSA = s.H.transpose() * s.S * s.A;
  const double q = std::sqrt(s.q.squaredNorm() + (HSA * s.Sigma * HSA.transpose()).trace());
  const double others = cost.gain * beta * rho_1 / (1 - gamma);  // z_2 + z_3 + ...
  out.rest = 2 * n_1 * others + others * others + 2 * beta * q * gamma / (1 - gamma) * rho_1;
  return std::isfinite(out.value()) ? std::optional(out) : std::nullopt;
}

}  // namespace

bool proves_gain(const Matrix& A, const Matrix& H, const Matrix& W, const ProvedGain& numbers) {
  const Index n = A.rows(), v = H.cols();
  const Matrix& P = numbers.P;
  if (P.rows() != n || P.cols() != n || !is_surely_definite(0.5 * (P + P.transpose())))
    return false;
  const Matrix PA = P * A, corner = PA.transpose() * H;
  Matrix all(n + v, n + v);
  all << P - W - A.transpose() * PA, -corner, -corner.transpose(),
      numbers.gain * numbers.gain * Matrix::Identity(v, v) - H.transpose() * P * H;
  return numbers.gain > 0 && is_surely_definite(0.5 * (all + all.transpose()));
}

std::optional<ProvedGain> least_gain(const Matrix& A, const Matrix& H, const Matrix& W,
                                     const Matrix& floor) {
  const auto at = [&](double gain) -> std::optional<ProvedGain> {
    const Matrix G = -H * H.transpose() / (gain * gain);
    for (const double slack : {1e-8, 1e-6}) {
      const auto P = doubled_solution(A, G, W + slack * floor);
      if (!P) return std::nullopt;
      if (ProvedGain found{gain, *P}; proves_gain(A, H, W, found)) return found;
    }
    return std::nullopt;
  };
  const auto S = doubled_solution(A, Matrix::Zero(A.rows(), A.rows()), W);
  if (!S) return std::nullopt;
  // At least the gain of white noise in its best direction.
  double low = std::sqrt(std::max(largest_eigenvalue(H.transpose() * *S * H), 0.0)), high = low;
  if (!(low > 0) || !std::isfinite(low)) return std::nullopt;
  std::optional<ProvedGain> best;
  for (int k = 0; k < 60 && !best; ++k) best = at(high *= 1.5);
  while (best && high > low * 1.0001) {
    const double middle = std::sqrt(low * high);
    std::optional<ProvedGain> found = at(middle);
    (found ? high : low) = middle;
    if (found) best = std::move(found);
  }
  return best;
}

std::optional<AverageExpansion> expand_average(const EstimatedLoop& loop, const Matrix& K,
                                               const ConfidenceSet& set) {
  const std::optional<AverageLoop> s = average_loop_of(loop, K, set);
  if (!s || s->C.rows() * s->H.cols() > most_expanded) return std::nullopt;
  const Matrix replies = s->C.transpose() * s->C;  // definite: r tells xi
  const auto reply = least_gain(s->A, s->H, replies, replies);
  if (!reply || !(set.beta * reply->gain < 1)) return std::nullopt;
  const double units = s->Q.cwiseProduct(s->Sigma).sum() / replies.cwiseProduct(s->Sigma).sum();
  const auto cost = least_gain(s->A, s->H, s->Q, units * replies);
  return cost ? expanded_with(*s, set, *reply, *cost) : std::nullopt;
}

std::optional<AverageExpansion> expand_average_at(const EstimatedLoop& loop, const Matrix& K,
                                                  const ConfidenceSet& set, const ProvedGain& reply,
                                                  const ProvedGain& cost) {
  const std::optional<AverageLoop> s = average_loop_of(loop, K, set);
  if (!s || s->C.rows() * s->H.cols() > most_expanded ||
      !proves_gain(s->A, s->H, s->C.transpose() * s->C, reply) ||
      !proves_gain(s->A, s->H, s->Q, cost))
    return std::nullopt;
  return expanded_with(*s, set, reply, cost);
}

}  // namespace loopcert
