#include "watch/plant_watch.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"
#include "model/transitions.hpp"
#include "watch/bets.hpp"

namespace loopcert {
namespace {

// Covariances that are so many times what they may be.
constexpr std::array spreads = {1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0};
// The drift forgets with this factor for each step, and begins with so many steps of nothing.
constexpr double drift_memory = 0.99, steps_of_nothing = 10;
// A known row holds when what is left of it is below this part of its terms.
constexpr double exact = 1e-8;

// Of the bets in state.sums: the drift, then spreads of all of z, then of each entry where there
// are several.
double weight_of(size_t bet, Index n_v) {
  if (bet == 0) return 0.5;
  const bool all = bet <= spreads.size();
  const double share = n_v == 1 ? 0.5 : 0.25;
  return share / static_cast<double>(spreads.size()) / (all ? 1 : static_cast<double>(n_v));
}

size_t count_of_bets(Index n_v) {
  return 1 + spreads.size() * static_cast<size_t>(n_v == 1 ? 1 : n_v + 1);
}

std::string cause_of(const std::vector<double>& sums, Index n_v) {
  size_t best = 0;
  for (size_t k = 1; k < sums.size(); ++k)
    if (weight_of(k, n_v) * sums[k] > weight_of(best, n_v) * sums[best]) best = k;
  if (best == 0) return "drift";
  if (best <= spreads.size()) return "spread";
  return fmt::format("spread of output {}", (best - 1) / spreads.size());
}

// E exp(theta |z|^2) <= (1 - 2 theta)^(-k/2) exp(theta m^2 / (1 - 2 theta)) for z in R^k with
// covariance at most I and a mean of at most m; 1 - 2 theta = 1/r.
double rise_factor(double r, double z_sq, double m, double k) {
  return std::exp(0.5 * (1 - 1 / r) * z_sq - 0.5 * (r - 1) * m * m - 0.5 * k * std::log(r));
}

Matrix with_row(const Matrix& rows, const Vector& row, Index most) {
  const Index kept = std::min(rows.rows(), most - 1);
  Matrix next(kept + 1, row.size());
  next.topRows(kept) = rows.bottomRows(kept);
  next.row(kept) = row.transpose();
  return next;
}

void check_known(const LinearModel& m, const LogEpisode& last, const Vector& change, Index n) {
  const Vector outside = change - m.E * (m.E.transpose() * change);
  const double largest = last.y.cwiseAbs().maxCoeff();
  const double input = last.u.size() > 0 ? last.u.cwiseAbs().maxCoeff() : 0;
  for (Index row = m.first(); row < m.n(); ++row) {
    const double size =
        largest * (1 + m.A0.row(row).cwiseAbs().sum()) + input * m.B0.row(row).cwiseAbs().sum();
    if (!(std::abs(outside(row)) <= exact * size))
      throw InputError(
          fmt::format("transition {}: row {} of the plant leaves {:.4g} over: a row "
                      "that is not identified holds exactly, without noise",
                      n + 1, row - m.first() + 1, outside(row)));
  }
}

}  // namespace

PlantWatch::PlantWatch(PlantClaim claim) : claim_(std::move(claim)) {
  const Index n_v = claim_.model.n_v(), n_r = claim_.model.n_r();
  if (!(claim_.alpha > 0 && claim_.alpha < 1))
    throw_input_error("alpha", number_text(claim_.alpha), "a number between 0 and 1");
  restart();
  state_.sums.assign(count_of_bets(n_v), 0.0);
  state_.information = steps_of_nothing * Matrix::Identity(n_r + 1, n_r + 1);
  state_.fitted = Matrix::Zero(n_v, n_r + 1);
}

PlantWatch::PlantWatch(PlantClaim claim, PlantWatchState state) : PlantWatch(std::move(claim)) {
  const bool fits = state.sums.size() == state_.sums.size() && state.n >= 0 &&
                    state.y.cols() == state_.y.cols() && state.u.cols() == state_.u.cols() &&
                    state.information.rows() == state_.information.rows() &&
                    state.information.cols() == state_.information.cols() &&
                    state.fitted.rows() == state_.fitted.rows() &&
                    state.fitted.cols() == state_.fitted.cols() &&
                    state.y.rows() <= claim_.model.lags && state.u.rows() == state.y.rows() &&
                    std::all_of(state.sums.begin(), state.sums.end(),
                                [](double sum) { return sum >= 0 && sum <= largest_sum; });
  if (!fits) throw_input_error("state", "numbers that no watch has", "those of a watch");
  state_ = std::move(state);
}

void PlantWatch::restart() {
  state_.y.resize(0, claim_.model.n_y);
  state_.u.resize(0, claim_.model.n_u);
}

void PlantWatch::place(const std::string& episode, std::optional<double> step) {
  PlantWatchState& s = state_;
  if (episode != s.episode || (step && s.step && *step != *s.step + 1)) restart();
  s.episode = episode;
  s.step = step;
}

bool PlantWatch::update(const Vector& y, const Vector& u) {
  const LinearModel& m = claim_.model;
  if (y.size() != m.n_y || u.size() != m.n_u)
    throw_input_error("step", fmt::format("{} and {} numbers", y.size(), u.size()),
                      fmt::format("{} measured and {} inputs", m.n_y, m.n_u));
  if (!y.allFinite() || !u.allFinite())
    throw_input_error("step", "a number that is not finite", "finite ones");
  // y_t ends the transition whose input is in the row before.
  const LogEpisode last{with_row(state_.y, y, m.lags + 1), state_.u};
  if (last.steps() == m.lags) {
    const LogTransitions step = transitions_of(m, last);
    check_known(m, last, step.change.col(0), state_.n);
    bet(step.r.col(0), m.E.transpose() * step.change.col(0) - claim_.Theta * step.r.col(0));
  }
  state_.y = with_row(state_.y, y, m.lags);
  state_.u = with_row(state_.u, u, m.lags);
  return rejected();
}

void PlantWatch::bet(const Vector& r, const Vector& left) {
  const Index n_v = left.size();
  PlantWatchState& s = state_;
  const Vector z = claim_.root.triangularView<Eigen::Lower>().solve(left);
  const Vector rho = claim_.G * r;
  const double m = claim_.beta * rho.norm();  // |E z| at most
  // What the steps before say of the mean of z at this r, less what the claim allows it.
  Vector regressor(rho.size() + 1);
  regressor << 1, std::sqrt(claim_.transitions) * rho;
  const Eigen::LDLT<Matrix> solver(s.information);
  const Vector seen = solver.solve(regressor);
  const Vector mean = s.fitted * seen;
  const double length = mean.norm();
  const double doubt = static_cast<double>(n_v) * std::max(regressor.dot(seen), 0.0);
  const double share =
      length > m ? (1 - m / length) * length * length / (length * length + doubt) : 0;
  const Vector lambda = share * mean;
  // E exp(lambda'z) <= exp(|lambda| m + |lambda|^2 / 2)
  const double drift =
      share > 0 ? std::exp(lambda.dot(z) - lambda.norm() * m - 0.5 * lambda.squaredNorm()) : 1;

  const Beginning begin = beginning_at(++s.n);
  double evidence = begin.later;
  // Not a number where numbers overflow: losing all is a factor like any other.
  auto add = [&, k = size_t{0}](double factor) mutable {
    const double sum = std::isnan(factor) ? 0 : (s.sums[k] + begin.weight) * factor;
    s.sums[k] = sum <= largest_sum ? sum : largest_sum;
    evidence += weight_of(k, n_v) * s.sums[k];
    ++k;
  };
  add(drift);
  for (const double rise : spreads)
    add(rise_factor(rise, std::min(z.squaredNorm(), largest_ratio), m, static_cast<double>(n_v)));
  for (Index i = 0; n_v > 1 && i < n_v; ++i) {
    const double x = left(i) / claim_.root.row(i).norm();  // of variance at most 1
    for (const double rise : spreads) add(rise_factor(rise, std::min(x * x, largest_ratio), m, 1));
  }
  if (z.allFinite() && z.norm() < 1e6 && regressor.norm() < 1e6) {
    const double kept = 1 - drift_memory;
    s.information = drift_memory * s.information + regressor * regressor.transpose();
    s.information.diagonal().array() += kept * steps_of_nothing;
    s.fitted = drift_memory * s.fitted + z * regressor.transpose();
  }
  s.evidence = evidence;
  s.largest = std::max(s.largest, evidence);
  const double rounding = (static_cast<double>(s.n) + 16) * 0x1p-40;
  if (rejected() || !(evidence * (1 - rounding) >= 1 / claim_.alpha)) return;
  s.rejected_at = s.n;
  s.cause = cause_of(s.sums, n_v);
}

}  // namespace loopcert
