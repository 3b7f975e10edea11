#include "learning/identified_design.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "certificate/bound.hpp"
#include "core/linalg.hpp"
#include "loopcert/core/error.hpp"
#include "system/riccati.hpp"

namespace loopcert {
namespace {

// [I; K]'W [I; K] + (A + B K)'M (A + B K) at its smallest: W over (zeta, u).
struct BestGain {
  Matrix K, P;
};
BestGain minimum_over_gain(const EstimatedLoop& loop, const Matrix& W, const Matrix& M) {
  const Index n = loop.A.rows(), n_u = loop.B.cols();
  const Matrix MB = M * loop.B;
  const Matrix cross = W.bottomLeftCorner(n_u, n) + MB.transpose() * loop.A;
  const Matrix K = -(W.bottomRightCorner(n_u, n_u) + loop.B.transpose() * MB).llt().solve(cross);
  const Matrix P = W.topLeftCorner(n, n) + loop.A.transpose() * M * loop.A + cross.transpose() * K;
  return {K, 0.5 * (P + P.transpose())};
}

Matrix weights_of_step(const EstimatedLoop& loop, Index t) {
  const Index n = loop.A.rows(), n_u = loop.B.cols();
  Matrix W = Matrix::Zero(n + n_u, n + n_u);
  W.topLeftCorner(n, n) = loop.Q_at(t);
  W.bottomRightCorner(n_u, n_u) = loop.R_at(t);
  if (loop.N.empty()) return W;
  W.bottomLeftCorner(n_u, n) = loop.N_at(t);
  W.topRightCorner(n, n_u) = loop.N_at(t).transpose();
  return W;
}

// P + P H (tau I - H'P H)^-1 H'P.
std::optional<Matrix> worst_case(const Matrix& P, const Matrix& H, double tau) {
  const Matrix PH = P * H;
  const Eigen::LLT<Matrix> gap(tau * Matrix::Identity(H.cols(), H.cols()) - H.transpose() * PH);
  if (gap.info() != Eigen::Success || !P.allFinite()) return std::nullopt;
  const Matrix X = gap.matrixL().solve(Matrix(PH.transpose()));
  return P + X.transpose() * X;
}

// tau beta^2 Cr'Vt^-1 Cr.
Matrix price_of_error(const IdentifiedPlant& plant, double tau) {
  const Matrix GC = plant.set.beta * plant.set.G * plant.model.Cr;
  return tau * GC.transpose() * GC;
}

struct Priced {
  Gains gains;
  double value = 0;
};

std::optional<Priced> finite_design(const IdentifiedPlant& plant, double tau) {
  const EstimatedLoop& loop = plant.loop;
  const Matrix H = plant.model.E * plant.set.root, noise = H * H.transpose();
  const Matrix price = price_of_error(plant, tau);
  Priced found{Gains(static_cast<size_t>(loop.T)), 0};
  Matrix P = loop.P;
  for (Index t = loop.T - 1; t >= 0; --t) {
    found.value += P.cwiseProduct(noise).sum();
    const std::optional<Matrix> M = worst_case(P, H, tau);
    if (!M) return std::nullopt;
    BestGain best = minimum_over_gain(loop, weights_of_step(loop, t) + price, *M);
    found.gains[static_cast<size_t>(t)] = std::move(best.K);
    P = std::move(best.P);
  }
  found.value += P.cwiseProduct(plant.U_0).sum();
  return std::isfinite(found.value) ? std::optional(found) : std::nullopt;
}

// For ever, without the constant: with W over (xi, u) = [W_x S'; S W_u] and u = -W_u^-1 S xi + u',
//   P = Q~ + A~'P (I + (B W_u^-1 B' - H H'/tau) P)^-1 A~.
std::optional<Matrix> stationary_price(const IdentifiedPlant& plant, double tau) {
  const Index f = plant.model.first(), n = plant.model.n() - f, n_u = plant.model.n_u;
  const Matrix W = (weights_of_step(plant.loop, 0) + price_of_error(plant, tau))
                       .bottomRightCorner(n + n_u, n + n_u);
  const Matrix A = plant.loop.A.bottomRightCorner(n, n), B = plant.loop.B.bottomRows(n);
  const Matrix H = (plant.model.E * plant.set.root).bottomRows(n);
  const Eigen::LLT<Matrix> W_u(Matrix(W.bottomRightCorner(n_u, n_u)));
  const Matrix S = W.bottomLeftCorner(n_u, n), back = W_u.solve(S);
  Matrix Q = W.topLeftCorner(n, n) - S.transpose() * back;
  Q = 0.5 * (Q + Q.transpose()).eval();
  const Matrix G = B * W_u.solve(Matrix(B.transpose())) - H * H.transpose() / tau;
  return doubled_solution(A - B * back, 0.5 * (G + G.transpose()), Q);
}

// The gain at a stationary P of the rest. The part of the constant settles step by step; what it
// costs for ever does not enter the gain.
std::optional<Matrix> stationary_gain(const IdentifiedPlant& plant, const Matrix& P_x, double tau) {
  const Matrix H = plant.model.E * plant.set.root;
  const Matrix W = weights_of_step(plant.loop, 0) + price_of_error(plant, tau);
  Matrix P = Matrix::Zero(plant.model.n(), plant.model.n());
  P.bottomRightCorner(P_x.rows(), P_x.cols()) = P_x;
  Matrix K;
  for (int round = 0; round < 20'000; ++round) {
    const std::optional<Matrix> M = worst_case(P, H, tau);
    if (!M) return std::nullopt;
    BestGain best = minimum_over_gain(plant.loop, W, *M);
    const bool settled = K.size() > 0 && (best.K - K).norm() <= 1e-12 * (1e-300 + best.K.norm());
    K = std::move(best.K);
    if (!plant.model.constant || settled) break;
    P = std::move(best.P);
    P(0, 0) = 0;
  }
  return K.allFinite() ? std::optional(K) : std::nullopt;
}

// With N: u = -R^-1 N zeta + u', and no product of zeta and u' is left.
Gains stationary_certainty_equivalence(const EstimatedLoop& loop) {
  const Index f = loop.model.first(), n = loop.model.n() - f;
  Matrix back = Matrix::Zero(loop.B.cols(), f + n), Q = loop.Q[0];
  if (!loop.N.empty()) {
    back = loop.R[0].llt().solve(loop.N[0]);
    Q -= loop.N[0].transpose() * back;
    Q = 0.5 * (Q + Q.transpose()).eval();
  }
  const Matrix A = loop.A - loop.B * back;
  System system;
  system.plant = {1, {A.bottomRightCorner(n, n)}, {loop.B.bottomRows(n)}, {}};
  system.cost = {{Q.bottomRightCorner(n, n)}, loop.R, {}};
  const StationaryLqr lqr = at_place("the estimated plant", [&] { return stationary_lqr(system); });
  Matrix K(loop.B.cols(), f + n);
  K.rightCols(n) = lqr.K;
  if (f == 1) {
    // V = x'S x + 2 s'x: s = q + Acl'(S c + s), k = -(R + B'S B)^-1 B'(S c + s).
    const Matrix Acl = system.plant.A[0] + system.plant.B[0] * lqr.K;
    const Vector Sc = lqr.S * A.bottomLeftCorner(n, 1), q = Q.bottomLeftCorner(n, 1);
    const Matrix I = Matrix::Identity(n, n);
    const Vector s =
        Eigen::PartialPivLU<Matrix>(I - Acl.transpose()).solve(q + Acl.transpose() * Sc);
    const Matrix& B = system.plant.B[0];
    K.col(0) = -(loop.R[0] + B.transpose() * lqr.S * B).llt().solve(B.transpose() * (Sc + s));
  }
  return {K - back};
}

}  // namespace

Gains certainty_equivalence(const EstimatedLoop& loop) {
  if (loop.T == 0) return stationary_certainty_equivalence(loop);
  Gains gains(static_cast<size_t>(loop.T));
  Matrix P = loop.P;
  for (Index t = loop.T - 1; t >= 0; --t) {
    BestGain best = minimum_over_gain(loop, weights_of_step(loop, t), P);
    gains[static_cast<size_t>(t)] = std::move(best.K);
    P = std::move(best.P);
  }
  return gains;
}

std::optional<Gains> guaranteed_gains(const IdentifiedPlant& plant) {
  const Matrix H = plant.model.E * plant.set.root, noise = H * H.transpose();
  if (plant.loop.T > 0) {
    const double unit = largest_eigenvalue(
        H.transpose() * costs_to_go(plant.loop, certainty_equivalence(plant.loop))[0] * H);
    const auto tau = best_multiplier(
        [&](double at) {
          const auto found = finite_design(plant, at);
          return found ? std::optional(found->value) : std::nullopt;
        },
        unit);
    if (!tau) return std::nullopt;
    return finite_design(plant, *tau)->gains;
  }
  const Index n = plant.model.n() - plant.model.first();
  const auto value = [&](double tau) -> std::optional<double> {
    const auto P = stationary_price(plant, tau);
    if (!P) return std::nullopt;
    const Matrix H_x = H.bottomRows(n);
    if (!worst_case(*P, H_x, tau)) return std::nullopt;
    return P->cwiseProduct(noise.bottomRightCorner(n, n)).sum();
  };
  const LoopStep step = step_of(plant.loop, certainty_equivalence(plant.loop).at(0), 0);
  const auto S = doubled_solution(step.Acl.bottomRightCorner(n, n), Matrix::Zero(n, n),
                                  step.weight.bottomRightCorner(n, n));
  if (!S) return std::nullopt;
  const double unit = largest_eigenvalue(H.bottomRows(n).transpose() * *S * H.bottomRows(n));
  const auto tau = best_multiplier(value, unit);
  if (!tau) return std::nullopt;
  const auto K = stationary_gain(plant, *stationary_price(plant, *tau), *tau);
  return K ? std::optional(Gains{*K}) : std::nullopt;
}

IdentifiedDesign design_identified(const Problem& problem, const IdentifiedPlant& plant) {
  const std::string& method = problem.learning.method;
  if (method != "auto" && method != "identified" && method != "guaranteed")
    throw_input_error("learning.method", "'" + method + "'",
                      "identified | guaranteed | auto for a plant that is identified");
  const Gains equivalent = certainty_equivalence(plant.loop);
  std::vector<IdentifiedDesign> found;
  const auto look_at = [&](const char* name, const std::optional<Gains>& gains) {
    if (!gains) return;
    if (std::optional<IdentifiedBound> bound = bound_identified(plant, *gains))
      found.push_back({name, std::move(*bound)});
  };
  if (method != "guaranteed") look_at("identified", equivalent);
  if (method != "identified") look_at("guaranteed", guaranteed_gains(plant));
  if (found.empty()) throw_not_identified(problem, plant, equivalent);
  if (method != "auto") return std::move(found.front());
  // Gains that guard against every plant of the set cost more on the likely ones: they must be
  // worth it, and those that guard against a part of it may be worth as much. (Any choice is
  // certified: the events hold for all gains at once.)
  constexpr double worth = 0.9;
  double least = found.front().bound.value;
  for (const IdentifiedDesign& design : found) least = std::min(least, design.bound.value);
  const auto is_near = [&](const IdentifiedDesign& design) {
    return worth * design.bound.value <= least;
  };
  if (found.front().design == "identified" && is_near(found.front()))
    return std::move(found.front());
  IdentifiedDesign best = std::move(found.back());
  for (const double part : {0.75, 0.5, 0.25, 0.125}) {
    IdentifiedPlant smaller = plant;
    smaller.set.beta *= part;
    found.clear();
    look_at("guaranteed", guaranteed_gains(smaller));
    if (found.empty() || !is_near(found.front())) break;
    least = std::min(least, found.front().bound.value);
    best = std::move(found.front());
  }
  return best;
}

}  // namespace loopcert
