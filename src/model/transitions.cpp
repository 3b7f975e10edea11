#include "model/transitions.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>

#include "core/linalg.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// A known row holds when what is left of it is below this part of its terms.
constexpr double exact = 1e-8;

Index transitions_in(const LinearModel& m, const LogEpisode& log) {
  return std::max<Index>(log.steps() - m.lags + 1, 0);
}

// What the model leaves over outside the range of E is zero, up to rounding.
void check_known_rows(const LinearModel& m, const LogEpisode& log, const LogTransitions& steps,
                      const std::string& place) {
  const Matrix outside = steps.change - m.E * (m.E.transpose() * steps.change);
  if (outside.size() == 0) return;
  const double largest_input = log.u.size() > 0 ? log.u.cwiseAbs().maxCoeff() : 0;
  const double largest_state = log.y.cwiseAbs().maxCoeff();
  for (Index row = m.first(); row < m.n(); ++row) {
    Index t = 0;
    const double worst = outside.row(row).cwiseAbs().maxCoeff(&t);
    const double size = largest_state * (1 + m.A0.row(row).cwiseAbs().sum()) +
                        largest_input * m.B0.row(row).cwiseAbs().sum();
    if (worst <= exact * size) continue;
    throw InputError(fmt::format(
        "{}, step {}: row {} of the plant leaves {:.4g} over: a row that is not identified "
        "holds exactly, without noise (system.identify lists the others)",
        place, t, row - m.first() + 1, worst));
  }
}

}  // namespace

LogTransitions transitions_of(const LinearModel& m, const LogEpisode& log) {
  const Index count = transitions_in(m, log);
  if (count == 0) return {Matrix(m.n_r(), 0), Matrix(m.n(), 0)};
  const Matrix states = states_of_log(m, log);
  Matrix both(m.n() + m.n_u, count);
  both << states.leftCols(count), log.u.bottomRows(count).transpose();
  LogTransitions steps{m.Cr * both, states.rightCols(count)};
  steps.change -= m.A0 * both.topRows(m.n()) + m.B0 * both.bottomRows(m.n_u);
  return steps;
}

Pilot pilot_of(const LinearModel& m, const Logs& logs, bool whole_episodes) {
  Pilot pilot{std::vector<Index>(logs.size(), 0)};
  for (const LogEpisode& log : logs) pilot.total += transitions_in(m, log);
  const Index least = 4 * m.n_r();
  if (!whole_episodes) {
    pilot.transitions = std::max(least, (pilot.total + 19) / 20);
    Index left = pilot.transitions;
    for (size_t i = 0; i < logs.size(); ++i) {
      pilot.of_log[i] = std::min(left, transitions_in(m, logs[i]));
      left -= pilot.of_log[i];
    }
    return pilot;
  }
  const auto n = static_cast<Index>(logs.size()), steps = logs.at(0).steps();
  const Index episodes = std::min(n, std::max((6 * n + 99) / 100, (least + steps - 1) / steps));
  const std::vector<size_t> order = order_of_starts(logs);
  for (Index k = 0; k < episodes; ++k) {
    const size_t i = order[static_cast<size_t>((2 * k + 1) * n / (2 * episodes))];
    pilot.of_log[i] = transitions_in(m, logs[i]);
    pilot.transitions += pilot.of_log[i];
  }
  return pilot;
}

TransitionSums sums_of(const LinearModel& m, const Logs& logs, const Pilot& pilot) {
  const Index n_r = m.n_r(), n_v = m.n_v();
  if (pilot.total <= pilot.transitions)
    throw InputError(
        fmt::format("logs: {} transitions are too few for {} coefficients: {} of them choose a "
                    "scale, and the rest identifies (at least {} are a start)",
                    pilot.total, n_v * n_r, pilot.transitions, 20 * n_r));
  TransitionSums sums;
  sums.N = pilot.total - pilot.transitions;
  sums.prior = Matrix::Zero(n_r, n_r);
  Matrix yr = Matrix::Zero(n_v, n_r);  // of the pilot
  std::vector<LogTransitions> all;
  for (size_t i = 0; i < logs.size(); ++i) {
    LogTransitions steps = transitions_of(m, logs[i]);
    check_known_rows(m, logs[i], steps, log_place(logs, i));
    const Index first = pilot.of_log[i], rest = steps.r.cols() - first;
    const auto r = steps.r.leftCols(first);
    sums.prior += r * r.transpose();
    yr += m.E.transpose() * steps.change.leftCols(first) * r.transpose();
    all.push_back({steps.r.rightCols(rest), steps.change.rightCols(rest)});
  }
  // The pilot's own least squares, as far as it goes: any reference is right.
  const Matrix solved = sums.prior.completeOrthogonalDecomposition().solve(yr.transpose());
  sums.reference = solved.transpose();
  sums.rr = Matrix::Zero(n_r, n_r);
  sums.yr = Matrix::Zero(n_v, n_r);
  sums.yy = Matrix::Zero(n_v, n_v);
  for (const LogTransitions& steps : all) {
    const Matrix y = m.E.transpose() * steps.change - sums.reference * steps.r;
    sums.rr += steps.r * steps.r.transpose();
    sums.yr += y * steps.r.transpose();
    sums.yy += y * y.transpose();
  }
  sums.prior *= 0.35 * static_cast<double>(sums.N) / static_cast<double>(pilot.transitions);
  return sums;
}

std::vector<Matrix> innovations_of(const LinearModel& m, const Logs& logs, const Matrix& Theta) {
  std::vector<Matrix> left;
  for (const LogEpisode& log : logs) {
    const LogTransitions steps = transitions_of(m, log);
    left.push_back(m.E.transpose() * steps.change - Theta * steps.r);
  }
  return left;
}

Matrix start_moment(const Logs& logs) {
  const Index n_y = logs.at(0).y.cols();
  Matrix moment = Matrix::Zero(n_y, n_y);
  for (const LogEpisode& log : logs) moment += log.y.row(0).transpose() * log.y.row(0);
  return moment / static_cast<double>(logs.size());
}

Excitation least_excited(const Matrix& gram) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(with_unit_diagonal(gram));
  const Vector& values = eigen.eigenvalues();
  return {values(0) / values(values.size() - 1), eigen.eigenvectors().col(0)};
}

}  // namespace loopcert
