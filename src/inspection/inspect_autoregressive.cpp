// Do disturbances follow from so many before them, with the same coefficients in all episodes and
// at all steps? Likelihood ratios: of one and two more lags, of two halves against the whole.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "certificate/autoregressive.hpp"
#include "certificate/autoregressive_fit.hpp"
#include "core/linalg.hpp"
#include "inspect_common.hpp"

namespace loopcert {
namespace {

// Sums of transitions that are regressed, and what is left over.
struct Regression {
  double N = 0, log_det = 0;  // of the residual / N
  bool possible = false;
};

Regression regress(const TransitionSums& sums) {
  Regression out{static_cast<double>(sums.N)};
  Matrix residual = sums.yy;
  if (sums.rr.rows() > 0) {
    const Matrix L = lower_cholesky_or_empty(sums.rr);
    if (L.size() == 0) return out;
    const Matrix half = L.triangularView<Eigen::Lower>().solve(Matrix(sums.yr.transpose()));
    residual -= half.transpose() * half;
  }
  const Matrix root = lower_cholesky_or_empty(residual / out.N);
  if (root.size() == 0) return out;
  out.log_det = 2 * root.diagonal().array().log().sum();
  out.possible = true;
  return out;
}

// 2 log of the likelihood ratio is about chi^2; Bartlett's correction for the numbers estimated.
double ratio_p(double gain, double N, double estimated, double degrees) {
  return chi_squared_upper(std::max(0.0, gain) * (N - estimated) / N, degrees);
}

struct Setup {
  Sizes sizes;
  Support support;
  Index p = 0, m = 0;
};

double more_lags(const Evidence& all, const Setup& s, Index more) {
  const Index q = s.p + more;
  if (q >= s.sizes.T) return 1;
  const Regression few = regress(autoregressive_sums(all, s.sizes, s.p, q, s.support));
  const Regression many = regress(autoregressive_sums(all, s.sizes, q, q, s.support));
  if (!few.possible || !many.possible) return 1;
  return ratio_p(few.N * (few.log_det - many.log_det), few.N, static_cast<double>(q * s.m),
                 static_cast<double>(s.m * s.m * more));
}

// Two parts with coefficients and covariances of their own.
double two_parts(const TransitionSums& a, const TransitionSums& b, const Setup& s) {
  TransitionSums both = a;
  both.N += b.N;
  both.rr += b.rr;
  both.yr += b.yr;
  both.yy += b.yy;
  const Regression first = regress(a), second = regress(b), one = regress(both);
  if (!first.possible || !second.possible || !one.possible) return 1;
  return ratio_p(one.N * one.log_det - first.N * first.log_det - second.N * second.log_det, one.N,
                 static_cast<double>(2 * (s.p * s.m + s.m)),
                 static_cast<double>(s.m * s.m * s.p + s.m * (s.m + 1) / 2));
}

double two_halves_of_episodes(const PreparedData& data, const Setup& s) {
  const Index half = data.n() / 2;
  const auto part = [&](Index first, Index count) {
    return autoregressive_sums(evidence_of({data.w.middleRows(first, count), {}}), s.sizes, s.p,
                               s.p, s.support);
  };
  return two_parts(part(0, half), part(half, data.n() - half), s);
}

double two_halves_of_steps(const Evidence& all, const Setup& s) {
  const Index middle = s.p + (s.sizes.T - s.p) / 2;
  if (middle <= s.p || middle >= s.sizes.T) return 1;
  TransitionSums early = autoregressive_sums(all, s.sizes, s.p, s.p, s.support);
  const TransitionSums late = autoregressive_sums(all, s.sizes, s.p, middle, s.support);
  early.N -= late.N;
  early.rr -= late.rr;
  early.yr -= late.yr;
  early.yy -= late.yy;
  return two_parts(early, late, s);
}

}  // namespace

Check inspect_autoregressive(const PreparedData& data) {
  const std::optional<Index> granted = data.problem.disturbance.autoregressive;
  Check check;
  check.name = "autoregressive";
  check.assumption = granted ? fmt::format("autoregressive = {}", *granted) : "not stated";
  const Sizes sizes = data.problem.sizes();
  const Index n_w = sizes.n_w;
  if (sizes.T < 3 || data.n() * (sizes.T - 1) < 10 * (n_w + 1) || data.n() < 4) {
    check.meaning = "Too few transitions.";
    return check;
  }
  const Evidence all = evidence_of({data.w, {}});
  const AutoregressiveFit fit = fit_autoregressive(all, sizes, 3);
  const Support support = disturbance_support(all, sizes);
  const Setup s{sizes, support, granted.value_or(fit.lags()), support.size()};
  if (s.m == 0) {
    check.meaning = "There are no disturbances.";
    return check;
  }
  const double one = more_lags(all, s, 1), two = more_lags(all, s, 2);
  const double episodes = two_halves_of_episodes(data, s), steps = two_halves_of_steps(all, s);
  const double p = corrected(std::min({one, two, episodes, steps}), 4);
  check.numbers = {{"lags suggested", static_cast<double>(fit.lags())},
                   {"p-value of one more lag", one},
                   {"p-value of two more lags", two},
                   {"p-value of the two halves of the episodes", episodes},
                   {"p-value of the two halves of the steps", steps}};
  check.meaning = fmt::format(
      "With {} lag{}: one more {}, two more {}; the first half of the episodes against the second "
      "{}, early steps against late ones {}. The data suggest {} lag{}.",
      s.p, s.p == 1 ? "" : "s", p_text(one), p_text(two), p_text(episodes), p_text(steps),
      fit.lags(), fit.lags() == 1 ? "" : "s");
  check.p_value = p;
  check.verdict = judge(p, granted.has_value());
  if (granted && std::min(one, two) < doubtful_below)
    check.advice = fmt::format(
        "Set `autoregressive = {}` or more: certificates that rest on {} "
        "are not valid here.",
        std::max(fit.lags(), s.p + 1), s.p);
  else if (granted && p < doubtful_below)
    check.advice =
        "The coefficients change: leave `autoregressive` out, certificates that rest on it are not "
        "valid here.";
  else if (!granted && fit.lags() > 0 && p >= doubtful_below)
    check.advice = fmt::format(
        "If you can justify it, `autoregressive = {}` makes certificates "
        "smaller and lets the controller be learned from fewer episodes.",
        fit.lags());
  return check;
}

}  // namespace loopcert
