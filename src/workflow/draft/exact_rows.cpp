// Rows of a plant that logs show to hold exactly: a position is the sum of speeds.
#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>

#include "core/number_from.hpp"
#include "workflow/draft/draft_parts.hpp"

namespace loopcert {
namespace {

// As model/transitions.cpp takes a row for exact.
constexpr double exact_share = 1e-8;

// To the digits that a person would write.
double written(double coefficient) {
  return number_from<double>(fmt::format("{:.6g}", coefficient)).value_or(coefficient);
}

}  // namespace

ExactRows exact_rows(const Logs& logs) {
  const Index n = logs.front().y.cols(), m = logs.front().u.cols();
  Index steps = 0, at = 0;
  for (const LogEpisode& log : logs) steps += log.steps();
  Matrix before(steps, n + m), after(steps, n);
  for (const LogEpisode& log : logs) {
    before.middleRows(at, log.steps()) << log.y.topRows(log.steps()), log.u;
    after.middleRows(at, log.steps()) = log.y.bottomRows(log.steps());
    at += log.steps();
  }
  ExactRows rows{Matrix::Zero(n, n), Matrix::Zero(n, m), {}};
  if (steps < n + m) return rows;
  const Eigen::ColPivHouseholderQR<Matrix> solver(before);
  const Vector size = before.cwiseAbs().colwise().maxCoeff().transpose();
  for (Index i = 0; i < n; ++i) {
    Vector row = solver.solve(after.col(i));
    for (Index j = 0; j < n + m; ++j) {
      const bool nothing = std::abs(row(j)) * size(j) <= exact_share * size(i);
      row(j) = nothing ? 0 : written(row(j));
    }
    const double left = (after.col(i) - before * row).cwiseAbs().maxCoeff();
    if (!(left <= exact_share * size(i))) continue;
    rows.A.row(i) = row.head(n).transpose();
    rows.B.row(i) = row.tail(m).transpose();
    rows.numbers.push_back(i);
  }
  return rows;
}

}  // namespace loopcert
