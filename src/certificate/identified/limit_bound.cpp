#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "certificate/identified_limits.hpp"
#include "core/linalg.hpp"
#include "response/limit_rows.hpp"

namespace loopcert {
namespace {

// Numbers of a record may have any size.
bool are_of_row(const IdentifiedPlant& plant, const IdentifiedBound& numbers) {
  const bool riccati = numbers.bound == "riccati";
  if (!riccati && numbers.bound != "expansion") return false;
  if (plant.loop.T > 0) return true;
  const Index n = plant.model.n();
  for (const Matrix* P :
       {riccati ? &numbers.P : &numbers.reply.P, riccati ? &numbers.P : &numbers.cost_gain.P})
    if (P->rows() != n || P->cols() != n || *P != P->transpose()) return false;
  return numbers.rise == 0;
}

// A bound and the numbers that prove it, or the bound that recorded numbers prove.
std::optional<IdentifiedBound> proved_bound(const IdentifiedPlant& plant, const Gains& gains,
                                            const IdentifiedBound* numbers) {
  if (numbers == nullptr) return bound_identified(plant, gains);
  if (!are_of_row(plant, *numbers)) return std::nullopt;
  IdentifiedBound at = *numbers;
  at.gains = gains;
  return bound_identified_at(plant, at);
}

// The plant with a row as its only cost: h'zeta_t squared at step t of t, or at every step for
// ever.
void take_row(IdentifiedPlant& plant, const Vector& h, Index t) {
  const Index n = plant.model.n(), n_u = plant.model.n_u;
  const bool infinite = plant.loop.T == 0;
  plant.loop.Q = {infinite ? Matrix(h * h.transpose()) : Matrix(Matrix::Zero(n, n))};
  plant.loop.R = {Matrix::Zero(n_u, n_u)};
  plant.loop.P = h * h.transpose();
  plant.loop.N.clear();
  if (!infinite) plant.loop.T = t;
}

// Whether an unknown number or an innovation changes the row: some E'S_k E, 1 <= k <= t, is not
// zero.
bool error_reaches(const EstimatedLoop& loop, const Gains& gains) {
  const std::vector<Matrix> S = costs_to_go(loop, gains);
  for (size_t k = 1; k < S.size(); ++k)
    if (!(loop.model.E.transpose() * S[k] * loop.model.E).isZero(0.0)) return true;
  return false;
}

class RowBounds {
 public:
  RowBounds(const Problem& problem, const IdentifiedPlant& plant, const Gains& gains)
      : limits_(problem.limits.value()),
        whole_(plant),
        centred_(plant),
        gains_(gains),
        infinite_(plant.loop.T == 0) {
    const Index f = plant.model.first(), n = plant.model.n() - f;
    centred_.loop = around_mean(plant.loop);
    centred_.model = centred_.loop.model;
    if (!infinite_) centred_.U_0 = plant.U_0.bottomRightCorner(n, n);
    for (const Matrix& K : gains) inner_.push_back(K.rightCols(n));
    if (f == 0) return;
    // The mean: no noise, and a start that is the 1 alone.
    whole_.set.U_v.setZero();
    if (!infinite_) {
      whole_.U_0.setZero();
      whole_.U_0(0, 0) = 1;
    }
    take_means();
  }

  // What the numbers of a record prove, or the best there are.
  std::optional<RowBound> bound(const LimitAt& at, const RowBound* numbers) {
    const LimitRow& row = limits_.rows[static_cast<size_t>(at.row)];
    const bool last = !infinite_ && at.t == std::ssize(gains_);
    const Vector h = row_on_state(whole_.model, row, last ? nullptr : &gain_at(at.t));
    RowBound found{at, {}, 0, std::nullopt, 1};
    found.variance.bound = "none";
    if (numbers != nullptr && numbers->variance.bound == "none") return found;
    auto variance = variance_of(h.tail(centred_.model.n()), at.t,
                                numbers == nullptr ? nullptr : &numbers->variance);
    if (!variance) return numbers == nullptr ? std::optional(found) : std::nullopt;
    found.variance = std::move(*variance);
    double error = 0;
    if (whole_.model.constant) {
      found.mean = numbers == nullptr ? h.dot(mean_at(at.t)) : numbers->mean;
      if (numbers != nullptr && !numbers->error) return std::nullopt;
      found.error = error_of(h, found.mean, at.t, numbers == nullptr ? nullptr : &*numbers->error);
      if (!found.error) {
        found.variance = {};
        found.variance.bound = "none";
        return numbers == nullptr ? std::optional(found) : std::nullopt;
      }
      error = std::sqrt(std::max(found.error->value, 0.0));
    }
    const double sigma = std::sqrt(std::max(found.variance.value, 0.0));
    // Convex in the mean where that is inside: largest at an end.
    found.violation = std::max(violation(row.low, row.high, found.mean - error, sigma),
                               violation(row.low, row.high, found.mean + error, sigma));
    return found;
  }

 private:
  const Matrix& gain_at(Index t) const { return gains_[static_cast<size_t>(infinite_ ? 0 : t)]; }
  const Vector& mean_at(Index t) const { return means_[static_cast<size_t>(infinite_ ? 0 : t)]; }
  Gains first(const Gains& gains, Index t) const {
    return infinite_ ? gains : Gains(gains.begin(), gains.begin() + t);
  }

  // zeta's mean under the estimate, from (1, 0).
  void take_means() {
    const Index n = whole_.model.n();
    Vector mean = Vector::Unit(n, 0);
    if (infinite_) {
      const Matrix A = whole_.loop.A + whole_.loop.B * gains_[0];
      const Matrix I = Matrix::Identity(n - 1, n - 1);
      mean.tail(n - 1) = Eigen::PartialPivLU<Matrix>(I - A.bottomRightCorner(n - 1, n - 1))
                             .solve(A.bottomLeftCorner(n - 1, 1));
      means_ = {mean};
      return;
    }
    for (const Matrix& K : gains_) {
      means_.push_back(mean);
      mean = (whole_.loop.A * mean + whole_.loop.B * (K * mean)).eval();
    }
    means_.push_back(mean);
  }

  std::optional<IdentifiedBound> variance_of(const Vector& h, Index t,
                                             const IdentifiedBound* numbers) {
    IdentifiedPlant plant = centred_;
    take_row(plant, h, t);
    return bound_on(plant, first(inner_, t), t, numbers);
  }

  std::optional<IdentifiedBound> bound_on(const IdentifiedPlant& plant, const Gains& gains, Index t,
                                          const IdentifiedBound* numbers) {
    if (infinite_) return proved_bound(plant, gains, numbers);
    const bool reached = t > 0 && error_reaches(plant.loop, gains);
    if (numbers != nullptr && reached == (numbers->bound == "start")) return std::nullopt;
    if (reached) return proved_bound(plant, gains, numbers);
    IdentifiedBound known;
    known.bound = "start";
    known.value = known.nominal = nominal_cost(plant.loop, gains, plant.set.U_v, plant.U_0);
    return known;
  }

  std::optional<IdentifiedBound> error_of(const Vector& h, double mean, Index t,
                                          const IdentifiedBound* numbers) {
    Vector shifted = h;
    shifted(0) -= mean;
    if (infinite_) return stationary_error(shifted, numbers);
    IdentifiedPlant plant = whole_;
    take_row(plant, shifted, t);
    return bound_on(plant, first(gains_, t), t, numbers);
  }

  // For ever, m = A m + c + H F r, r = C_1 + C m (G in C): with D = (I - A)^-1 and
  // gamma = beta ||C D H|| < 1, |F r| <= beta |r_hat| / (1 - gamma).
  std::optional<IdentifiedBound> stationary_error(const Vector& h, const IdentifiedBound* numbers) {
    if (numbers != nullptr && numbers->bound != "static") return std::nullopt;
    const Index n = whole_.model.n() - 1;
    const LoopStep step = step_of(whole_.loop, gains_[0], 0);
    const Matrix I = Matrix::Identity(n, n), GC = whole_.set.G * step.C;
    const Eigen::PartialPivLU<Matrix> lu(I - step.Acl.bottomRightCorner(n, n));
    const Matrix DH = lu.solve((whole_.model.E * whole_.set.root).bottomRows(n));
    const Matrix reply = GC.rightCols(n) * DH;
    const double beta = whole_.set.beta;
    const double gamma =
        beta * std::sqrt(std::max(largest_eigenvalue(reply.transpose() * reply), 0.0));
    if (!(gamma < 1)) return std::nullopt;
    const Vector r = GC * means_[0];
    const double off = std::abs(h.dot(means_[0]));  // the estimate's own, zero up to rounding
    const double error = off + (h.tail(n).transpose() * DH).norm() * beta * r.norm() / (1 - gamma);
    IdentifiedBound found;
    found.bound = "static";
    found.value = error * error;
    found.nominal = off * off;
    return std::isfinite(found.value) ? std::optional(found) : std::nullopt;
  }

  const Limits& limits_;
  IdentifiedPlant whole_;    // for the mean
  IdentifiedPlant centred_;  // for the variance
  const Gains& gains_;
  Gains inner_;  // without the column of the 1
  bool infinite_;
  std::vector<Vector> means_;
};

double limits_value(const Limits& limits, const std::vector<RowBound>& rows) {
  double sum = 0, most = 0;
  for (const RowBound& row : rows) {
    sum += row.violation;
    most = std::max(most, row.violation);
  }
  return limits.each ? most : std::min(1.0, sum);
}

}  // namespace

Vector row_on_state(const LinearModel& model, const LimitRow& row, const Matrix* gain) {
  Vector h = Vector::Zero(model.n());
  h.segment(model.first(), model.n_y) = row.x;
  if (gain != nullptr) h += gain->transpose() * row.u;
  return h;
}

EstimatedLoop around_mean(const EstimatedLoop& loop) {
  const Index f = loop.model.first(), n = loop.model.n() - f;
  if (f == 0) return loop;
  EstimatedLoop inner = loop;
  LinearModel& m = inner.model;
  m.constant = false;
  m.A0 = m.A0.bottomRightCorner(n, n).eval();
  m.B0 = m.B0.bottomRows(n).eval();
  m.E = m.E.bottomRows(n).eval();
  m.Cr = m.Cr.rightCols(n + m.n_u).eval();
  inner.A = loop.A.bottomRightCorner(n, n);
  inner.B = loop.B.bottomRows(n);
  for (Matrix& Q : inner.Q) Q = Q.bottomRightCorner(n, n).eval();
  inner.P = loop.P.bottomRightCorner(n, n);
  return inner;
}

LimitBounds bound_limits(const Problem& problem, const IdentifiedPlant& plant, const Gains& gains) {
  RowBounds of(problem, plant, gains);
  LimitBounds bounds;
  for (const LimitAt& at : limits_at_steps(problem.limits.value()))
    bounds.rows.push_back(of.bound(at, nullptr).value());
  bounds.value = limits_value(*problem.limits, bounds.rows);
  return bounds;
}

std::optional<LimitBounds> bound_limits_at(const Problem& problem, const IdentifiedPlant& plant,
                                           const Gains& gains, const LimitBounds& numbers) {
  const std::vector<LimitAt> all = limits_at_steps(problem.limits.value());
  if (all.size() != numbers.rows.size()) return std::nullopt;
  RowBounds of(problem, plant, gains);
  LimitBounds bounds;
  for (size_t c = 0; c < all.size(); ++c) {
    const RowBound& row = numbers.rows[c];
    if (row.at.row != all[c].row || row.at.t != all[c].t) return std::nullopt;
    const std::optional<RowBound> found = of.bound(all[c], &row);
    if (!found) return std::nullopt;
    bounds.rows.push_back(*found);
  }
  bounds.value = limits_value(*problem.limits, bounds.rows);
  return bounds;
}

Certificate limits_certificate(const Problem& problem, const IdentifiedPlant& plant,
                               const LimitBounds& bounds) {
  IdentifiedBound nothing;
  nothing.bound = "riccati";
  Certificate c = identified_certificate(problem, plant, nothing);
  c.kind = limits_kind;
  c.functional = {problem.limits.value().each ? "violation-each" : "violation"};
  c.value = bounds.value;
  c.terms = {{"violation", bounds.value}};
  check_certificate(c);
  return c;
}

}  // namespace loopcert
