#include "learning/priced_rows.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "certificate/riccati_bound.hpp"
#include "learning/identified_design.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

constexpr double priced_tolerance = 1e-6;  // of an excess
constexpr int most_price_steps = 60;

// h'(zeta, u) - centre under u = K zeta, on zeta.
Vector priced_state(const PricedRow& row, const LinearModel& m, const Matrix* K) {
  Vector h = row.h.head(m.n());
  if (m.constant) h(0) -= row.centre;
  if (K != nullptr) h += K->transpose() * row.h.tail(m.n_u);
  return h;
}

// E zeta zeta' of a loop for ever; nothing when it is not stable.
std::optional<Matrix> stationary_moment(const EstimatedLoop& loop, const Matrix& K,
                                        const Matrix& U_v) {
  const Index f = loop.model.first(), n = loop.model.n() - f;
  const Matrix Acl = loop.A + loop.B * K, A = Acl.bottomRightCorner(n, n);
  const Matrix E = loop.model.E.bottomRows(n);
  const auto S = doubled_solution(A.transpose(), Matrix::Zero(n, n), E * U_v * E.transpose());
  if (!S) return std::nullopt;
  Matrix M = Matrix::Zero(f + n, f + n);
  M.bottomRightCorner(n, n) = *S;
  if (f == 0) return M;
  Vector mean = Vector::Unit(1 + n, 0);
  const Matrix I = Matrix::Identity(n, n);
  mean.tail(n) = Eigen::PartialPivLU<Matrix>(I - A).solve(Acl.bottomLeftCorner(n, 1));
  return M + mean * mean.transpose();
}

// Squares of rows over those of their radii, minus 1: the slope of the dual in prices times radius
// squared.
Vector excesses(const std::vector<PricedRow>& rows, const PricedDesign& design) {
  Vector over(std::ssize(rows));
  for (Index c = 0; c < over.size(); ++c) {
    const PricedRow& row = rows[static_cast<size_t>(c)];
    const double off = design.mean(c) - row.centre, s = design.deviation(c);
    over(c) = (s * s + off * off) / (row.radius * row.radius) - 1;
  }
  return over;
}

}  // namespace

PricedLoop::PricedLoop(const EstimatedLoop& loop, Matrix U_v, Matrix U_0)
    : loop_(loop), U_v_(std::move(U_v)), U_0_(std::move(U_0)) {}

EstimatedLoop PricedLoop::priced(const std::vector<PricedRow>& rows, const Vector& price) const {
  EstimatedLoop out = loop_;
  const LinearModel& m = loop_.model;
  const auto count = static_cast<size_t>(std::max<Index>(loop_.T, 1));
  if (out.Q.size() == 1) out.Q.resize(count, loop_.Q[0]);
  if (out.R.size() == 1) out.R.resize(count, loop_.R[0]);
  out.N.assign(count, Matrix::Zero(m.n_u, m.n()));
  for (Index c = 0; c < price.size(); ++c) {
    if (price(c) == 0) continue;
    const PricedRow& row = rows[static_cast<size_t>(c)];
    const Vector h = priced_state(row, m, nullptr), g = row.h.tail(m.n_u);
    const auto t = static_cast<size_t>(loop_.T == 0 ? 0 : row.t);
    if (loop_.T > 0 && row.t == loop_.T) {
      out.P += price(c) * h * h.transpose();
      continue;
    }
    out.Q[t] += price(c) * h * h.transpose();
    out.R[t] += price(c) * g * g.transpose();
    out.N[t] += price(c) * g * h.transpose();
  }
  return out;
}

PricedDesign PricedLoop::under(const std::vector<PricedRow>& rows, const Gains& gains) const {
  const LinearModel& m = loop_.model;
  PricedDesign design;
  design.gains = gains;
  design.price = Vector::Zero(std::ssize(rows));
  design.mean = design.deviation = design.price;
  std::vector<Matrix> moments;  // of zeta_t
  if (loop_.T == 0) {
    const auto M = stationary_moment(loop_, gains[0], U_v_);
    if (!M) throw InputError("the estimated plant: gains that do not keep it stable");
    design.cost = step_of(loop_, gains[0], 0).weight.cwiseProduct(*M).sum();
    moments = {*M};
  } else {
    const Matrix noise = m.E * U_v_ * m.E.transpose();
    moments = {U_0_};
    for (Index t = 0; t < loop_.T; ++t) {
      const LoopStep step = step_of(loop_, gains[static_cast<size_t>(t)], t);
      const Matrix M = moments.back();
      design.cost += step.weight.cwiseProduct(M).sum();
      moments.push_back(step.Acl * M * step.Acl.transpose() + noise);
    }
    design.cost += loop_.P.cwiseProduct(moments.back()).sum();
  }
  for (Index c = 0; c < design.price.size(); ++c) {
    const PricedRow& row = rows[static_cast<size_t>(c)];
    const auto t = static_cast<size_t>(loop_.T == 0 ? 0 : row.t);
    const Vector h = priced_state(row, m, t < gains.size() ? &gains[t] : nullptr);
    const double off = m.constant ? h.dot(moments[t].col(0)) : 0;
    design.mean(c) = row.centre + off;
    design.deviation(c) = std::sqrt(std::max(h.dot(moments[t] * h) - off * off, 0.0));
  }
  const Vector over = excesses(rows, design);
  design.excess = over.size() > 0 ? std::sqrt(1 + over.maxCoeff(&design.worst)) - 1 : 0;
  design.feasible = design.excess <= priced_tolerance;
  return design;
}

PricedDesign PricedLoop::at(const std::vector<PricedRow>& rows, const Vector& price) const {
  const bool free = price.isZero(0.0);
  PricedDesign design = under(rows, certainty_equivalence(free ? loop_ : priced(rows, price)));
  design.price = price;
  design.lower = design.cost;
  const Vector over = excesses(rows, design);
  for (Index c = 0; c < price.size(); ++c) {
    const double radius = rows[static_cast<size_t>(c)].radius;
    design.lower += price(c) * radius * radius * over(c);
  }
  return design;
}

// Newton's method on the concave dual, on the rows that have a price or need one; second
// derivatives by differences, one LQR each.
PricedDesign PricedLoop::solve(const std::vector<PricedRow>& rows, const Vector& warm) const {
  const Index C = std::ssize(rows);
  Vector squares(C);  // prices are sought in units of the cost: price times radius squared
  for (Index c = 0; c < C; ++c)
    squares(c) = rows[static_cast<size_t>(c)].radius * rows[static_cast<size_t>(c)].radius;
  // Nothing where prices are so high that doubles lose the loop.
  const auto evaluate = [&](const Vector& mu) -> std::optional<PricedDesign> {
    try {
      PricedDesign found = at(rows, mu.cwiseQuotient(squares));
      return std::isfinite(found.lower) ? std::optional(std::move(found)) : std::nullopt;
    } catch (const InputError&) {
      return std::nullopt;
    }
  };
  Vector mu = warm.size() == C ? Vector(warm.cwiseProduct(squares)) : Vector(Vector::Zero(C));
  std::optional<PricedDesign> first = evaluate(mu);
  if (!first) {
    mu.setZero();
    first = at(rows, mu);
  }
  PricedDesign now = std::move(*first);
  const double unit = std::max(now.cost, 1e-300);
  for (int k = 0; k < most_price_steps && mu.maxCoeff() < 1e9 * unit; ++k) {
    const Vector slope = excesses(rows, now);
    std::vector<Index> free;
    for (Index c = 0; c < C; ++c)
      if (mu(c) > 0 || slope(c) > 0) free.push_back(c);
    const Vector g = slope(free);
    const Vector wrong = (mu.array() > 0).select(slope.cwiseAbs(), slope.cwiseMax(0.0));
    if (free.empty() || wrong.maxCoeff() <= 1e-9) break;
    const auto count = static_cast<Index>(free.size());
    Matrix bend(count, count);  // minus the second derivatives
    for (Index j = 0; j < count; ++j) {
      const double h = 1e-5 * (mu(free[static_cast<size_t>(j)]) + 0.01 * unit);
      Vector moved = mu;
      moved(free[static_cast<size_t>(j)]) += h;
      const std::optional<PricedDesign> there = evaluate(moved);
      if (!there) return now;
      bend.col(j) = (g - excesses(rows, *there)(free)) / h;
    }
    bend = 0.5 * (bend + bend.transpose()).eval();
    const Vector size = bend.diagonal().cwiseMax(1e-300).cwiseSqrt();
    bend = (bend.array() / (size * size.transpose()).array()).matrix();
    // As much of the identity as makes it definite.
    Vector step;
    for (double ridge = 1e-10; ridge < 1e4 && step.size() == 0; ridge *= 100) {
      const Eigen::LLT<Matrix> factor(bend + ridge * Matrix::Identity(count, count));
      if (factor.info() == Eigen::Success)
        step = factor.solve(g.cwiseQuotient(size)).cwiseQuotient(size);
    }
    if (step.size() == 0 || !step.allFinite()) break;
    bool moved = false;
    for (double length = 1; length > 1e-8 && !moved; length *= 0.5) {
      Vector next = mu;
      next(free) = (mu(free) + length * step).cwiseMax(0.0);
      std::optional<PricedDesign> there = evaluate(next);
      if (!there || !(there->lower >= now.lower + 1e-4 * slope.dot(next - mu) - 1e-14 * unit))
        continue;
      moved = next != mu;
      mu = std::move(next);
      now = std::move(*there);
    }
    if (!moved) break;
  }
  return now;
}

}  // namespace loopcert
