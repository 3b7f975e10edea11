#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/linalg.hpp"
#include "inspect_common.hpp"
#include "inspection/innovations.hpp"
#include "regression.hpp"

namespace loopcert {
namespace {

constexpr Index most_lags = 20;        // of correlations
constexpr Index most_suggested = 4;    // lags of a model that are tried
constexpr double two_sided_1 = 2.576;  // of a normal law

Index transitions_in_all(const std::vector<Matrix>& v) {
  Index N = 0;
  for (const Matrix& log : v) N += log.cols();
  return N;
}

// Innovations with second moment I: columns, log by log.
std::vector<Matrix> whitened(const std::vector<Matrix>& v, Index N) {
  const Index m = v.at(0).rows();
  Matrix second = Matrix::Zero(m, m);
  for (const Matrix& log : v) second += log * log.transpose();
  const Matrix L = lower_cholesky_or_empty(second / static_cast<double>(N));
  std::vector<Matrix> white;
  if (L.size() == 0) return white;
  for (const Matrix& log : v) white.push_back(L.triangularView<Eigen::Lower>().solve(log));
  return white;
}

// N tr(C_k C_k') of the correlation C_k is about chi^2 with m^2 degrees of freedom. Estimated
// coefficients make that of the first lags smaller, never larger.
InnovationLags correlations(const std::vector<Matrix>& white) {
  const Index m = white.at(0).rows();
  Index longest = 0;
  for (const Matrix& log : white) longest = std::max(longest, log.cols());
  const Index count = std::max<Index>(std::min(most_lags, longest / 2), 0);
  InnovationLags lags{Vector::Zero(count), Vector::Zero(count), Vector::Ones(count)};
  for (Index k = 1; k <= count; ++k) {
    Matrix C = Matrix::Zero(m, m);
    Index pairs = 0;
    for (const Matrix& log : white) {
      const Index here = log.cols() - k;
      if (here <= 0) continue;
      C += log.rightCols(here) * log.leftCols(here).transpose();
      pairs += here;
    }
    const auto N = static_cast<double>(pairs);
    lags.mean(k - 1) = C.trace() / N / static_cast<double>(m);
    lags.band(k - 1) = two_sided_1 / std::sqrt(N * static_cast<double>(m));
    lags.p_value(k - 1) = chi_squared_upper(C.squaredNorm() / N, static_cast<double>(m * m));
  }
  return lags;
}

Check whiteness_check(const InnovationLags& lags, const std::string& assumption) {
  Check check;
  check.name = "white innovations";
  check.assumption = assumption;
  if (lags.mean.size() == 0) {
    check.meaning = "The logs are too short.";
    return check;
  }
  Index oddest = 0;
  const double smallest = lags.p_value.minCoeff(&oddest);
  const double p = corrected(smallest, static_cast<double>(lags.p_value.size()));
  check.numbers = {{"oddest lag", static_cast<double>(oddest + 1)},
                   {"mean correlation there", lags.mean(oddest)}};
  check.meaning =
      fmt::format("Of {} lags the most extreme is {}: mean correlation {}, {} after correction.",
                  lags.p_value.size(), oddest + 1, small(lags.mean(oddest)), p_text(p));
  check.p_value = p;
  check.verdict = judge(p, true);
  if (p < doubtful_below)
    check.advice =
        "What the model leaves over is correlated in time: certificates of this model are not "
        "valid here. Set more `lags`, or log what is missing.";
  return check;
}

// Sums of y - Theta r on (r, y and u of `more` further steps before). The first `skipped`
// transitions of each log are left out.
TransitionSums sums_with(const LinearModel& m, const Logs& logs, const Matrix& Theta, Index more,
                         Index skipped, Index first_log, Index last_log) {
  const Index extra = more * (m.n_y + m.n_u), n_r = m.n_r() + extra;
  TransitionSums sums;
  sums.rr = Matrix::Zero(n_r, n_r);
  sums.yr = Matrix::Zero(m.n_v(), n_r);
  sums.yy = Matrix::Zero(m.n_v(), m.n_v());
  for (Index i = first_log; i < last_log; ++i) {
    const LogEpisode& log = logs[static_cast<size_t>(i)];
    const LogTransitions steps = transitions_of(m, log);
    const Index count = steps.r.cols() - skipped;
    if (count <= 0) continue;
    Matrix r(n_r, count);
    r.topRows(m.n_r()) = steps.r.rightCols(count);
    for (Index j = 1, at = m.n_r(); j <= more; ++j) {  // transition k is at step k + p - 1
      r.middleRows(at, m.n_y) = log.y.middleRows(skipped - j, count).transpose();
      r.middleRows(at + m.n_y, m.n_u) = log.u.middleRows(skipped - j, count).transpose();
      at += m.n_y + m.n_u;
    }
    const Matrix y = m.E.transpose() * steps.change.rightCols(count) - Theta * r.topRows(m.n_r());
    sums.N += count;
    sums.rr += r * r.transpose();
    sums.yr += y * r.transpose();
    sums.yy += y * y.transpose();
  }
  return sums;
}

TransitionSums all_sums(const LinearModel& m, const Logs& logs, const Matrix& Theta, Index more,
                        Index skipped) {
  return sums_with(m, logs, Theta, more, skipped, 0, static_cast<Index>(logs.size()));
}

// Schwarz's criterion, all on the same transitions; the model's own lags and up to most_suggested.
Index suggested_lags(const LinearModel& m, const Logs& logs, const Matrix& Theta) {
  const Index more = std::max<Index>(most_suggested - m.lags, 0);
  Index best = m.lags;
  double smallest = INFINITY;
  for (Index j = 0; j <= more; ++j) {
    const Regression fit = regress(all_sums(m, logs, Theta, j, more));
    if (!fit.possible || fit.N <= 2 * fit.rank) break;
    const double criterion =
        fit.N * fit.log_det + static_cast<double>(m.n_v()) * fit.rank * std::log(fit.N);
    if (criterion >= smallest) continue;
    smallest = criterion;
    best = m.lags + j;
  }
  return best;
}

Check lags_check(const LinearModel& m, const Logs& logs, const Matrix& Theta, Index suggested,
                 const std::string& assumption) {
  Check check;
  check.name = "enough lags";
  check.assumption = assumption;
  const auto more = [&](Index j) {
    return more_regressors_p(all_sums(m, logs, Theta, 0, j), all_sums(m, logs, Theta, j, j));
  };
  const double one = more(1), two = more(2);
  const double p = corrected(std::min(one, two), 2);
  check.numbers = {{"lags suggested", static_cast<double>(suggested)},
                   {"p-value of one more lag", one},
                   {"p-value of two more lags", two}};
  check.meaning = fmt::format("One more lag: {}; two more: {}. The logs suggest {}.", p_text(one),
                              p_text(two), suggested);
  check.p_value = p;
  check.verdict = judge(p, true);
  if (p < doubtful_below)
    check.advice = fmt::format(
        "What was measured before the last {} also counts: certificates of this model are not "
        "valid here. Set `lags = {}` or more.",
        m.lags == 1 ? "step" : fmt::format("{} steps", m.lags), std::max(suggested, m.lags + 1));
  return check;
}

// The first half of the logs against the second; of one log, its own halves.
double halves_p(const LinearModel& m, const Logs& logs, const Matrix& Theta) {
  const auto n = static_cast<Index>(logs.size());
  if (n > 1)
    return two_parts_p(sums_with(m, logs, Theta, 0, 0, 0, n / 2),
                       sums_with(m, logs, Theta, 0, 0, n / 2, n));
  const Index half = logs[0].steps() / 2;
  const LogEpisode early{logs[0].y.topRows(half + 1), logs[0].u.topRows(half)};
  const LogEpisode late{logs[0].y.bottomRows(logs[0].steps() - half + 1),
                        logs[0].u.bottomRows(logs[0].steps() - half)};
  return two_parts_p(all_sums(m, {early}, Theta, 0, 0), all_sums(m, {late}, Theta, 0, 0));
}

Check constancy_check(const LinearModel& m, const Logs& logs, const Matrix& Theta) {
  Check check;
  check.name = "constant plant";
  check.assumption = "one plant in all logs";
  const double p = halves_p(m, logs, Theta);
  check.meaning = fmt::format("The first half of the {} against the second: {}.",
                              logs.size() > 1 ? "logs" : "log", p_text(p));
  check.p_value = p;
  check.verdict = judge(p, true);
  if (p < doubtful_below)
    check.advice =
        "Coefficients or noise change: certificates of this model are not valid here. Identify "
        "from logs of one condition.";
  return check;
}

Check gaussian_check(const std::vector<Matrix>& white, Index N, const InspectionEffort& effort) {
  Check check;
  check.name = "Gaussian innovations";
  check.assumption = "model = \"gaussian\"";
  Matrix rows(N, white.at(0).rows());
  Index at = 0;
  for (const Matrix& log : white) {
    rows.middleRows(at, log.cols()) = log.transpose();
    at += log.cols();
  }
  const NormalShape shape = test_normal_shape(rows, effort);
  check.numbers = {{"kurtosis over that of a Gaussian law", shape.kurtosis}};
  check.meaning =
      fmt::format("By skewness and kurtosis: {}; their kurtosis is {} times that of Gaussian data.",
                  p_text(shape.p), small(shape.kurtosis));
  check.p_value = shape.p;
  check.verdict = judge(shape.p, true);
  if (shape.p < doubtful_below)
    check.advice =
        "Certificates of identified models assume Gaussian noise: they do not hold here.";
  return check;
}

}  // namespace

InnovationTests test_innovations(const LinearModel& m, const Logs& logs, const Matrix& Theta,
                                 const std::string& assumption, const InspectionEffort& effort) {
  InnovationTests tests;
  const std::vector<Matrix> v = innovations_of(m, logs, Theta);
  const Index N = transitions_in_all(v);
  const std::vector<Matrix> white =
      N > 5 * (m.n_r() + m.n_v()) ? whitened(v, N) : std::vector<Matrix>();
  if (white.empty()) {
    Check few;
    few.name = "white innovations";
    few.assumption = assumption;
    few.meaning = "Too few transitions.";
    tests.checks = {few};
    return tests;
  }
  tests.lags = correlations(white);
  tests.lags_suggested = suggested_lags(m, logs, Theta);
  tests.checks = {whiteness_check(tests.lags, assumption),
                  lags_check(m, logs, Theta, tests.lags_suggested, assumption),
                  constancy_check(m, logs, Theta), gaussian_check(white, N, effort)};
  return tests;
}

}  // namespace loopcert
