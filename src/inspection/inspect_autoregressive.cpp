// Do disturbances follow from so many before them, with the same coefficients in all episodes and
// at all steps? Likelihood ratios: of one and two more lags, of two halves against the whole.
#include <fmt/format.h>

#include <algorithm>

#include "certificate/autoregressive.hpp"
#include "certificate/autoregressive_fit.hpp"
#include "inspect_common.hpp"
#include "regression.hpp"

namespace loopcert {
namespace {

struct Setup {
  Sizes sizes;
  Support support;
  Index p = 0, m = 0;
};

double more_lags(const Evidence& all, const Setup& s, Index more) {
  const Index q = s.p + more;
  if (q >= s.sizes.T) return 1;
  return more_regressors_p(autoregressive_sums(all, s.sizes, s.p, q, s.support),
                           autoregressive_sums(all, s.sizes, q, q, s.support));
}

double two_halves_of_episodes(const PreparedData& data, const Setup& s) {
  const Index half = data.n() / 2;
  const auto part = [&](Index first, Index count) {
    return autoregressive_sums(evidence_of({data.w.middleRows(first, count), {}}), s.sizes, s.p,
                               s.p, s.support);
  };
  return two_parts_p(part(0, half), part(half, data.n() - half));
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
  return two_parts_p(early, late);
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
