#include "loopcert/watch/watch.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"
#include "watch/bets.hpp"

namespace loopcert {
namespace {

void check_claim(const WatchClaim& claim) {
  if (!(claim.mean >= 1e-300 && claim.mean <= 1e300))
    throw_input_error("claim", number_text(claim.mean), "a positive number");
  if (!(claim.alpha > 0 && claim.alpha < 1))
    throw_input_error("alpha", number_text(claim.alpha), "a number between 0 and 1");
  if (claim.degrees != 0 && !(claim.degrees >= 1 && claim.degrees <= 1e6))
    throw_input_error("degrees", number_text(claim.degrees), "a number from 1 to 1e6");
}

bool in_range(double value, double low, double high) { return value >= low && value <= high; }

// Nearly the best part for costs like those before.
double adaptive_part(const WatchState& s) {
  return s.drift > 0 ? std::min(1.0, s.drift / (s.size + s.drift * s.drift)) : 0;
}

// All of it soon after costs that vary little have begun to rise.
double alert_part_of(const WatchState& s) {
  return std::min(1.0, alert_part * s.excess / (s.spread + least_spread));
}

double part_of(const Bet& bet, const WatchState& s) {
  if (bet.kind == BetKind::adaptive) return adaptive_part(s);
  return bet.kind == BetKind::alert ? alert_part_of(s) : bet.size;
}

void remember(WatchState& s, double x) {
  constexpr double keep = watch_memory;
  const double y = std::min(x, watch_most) - 1;
  s.drift = keep * s.drift + (1 - keep) * y;
  s.size = keep * s.size + (1 - keep) * y * y;
  s.excess = std::clamp(s.excess + (y - alert_least * s.spread), 0.0, watch_most);
  s.spread = keep * s.spread + (1 - keep) * std::abs(y);
}

}  // namespace

Watch::Watch(const WatchClaim& claim) {
  check_claim(claim);
  bets_ = std::make_shared<const std::vector<Bet>>(bets_of(claim));
  state_.claim = claim;
  state_.sums.assign(bets_->size(), 0.0);
}

Watch Watch::resumed(WatchState state) {
  Watch watch(state.claim);
  const WatchState& s = state;
  bool fits = s.n >= 0 && s.sums.size() == watch.bets_->size();
  for (const double sum : s.sums) fits = fits && in_range(sum, 0, largest_sum);
  fits = fits && in_range(s.drift, -1, watch_most) && in_range(s.size, 0, watch_most * watch_most);
  fits = fits && in_range(s.spread, 0, watch_most) && in_range(s.excess, 0, watch_most);
  fits =
      fits && in_range(s.evidence, 0, 2 * largest_sum) && in_range(s.largest, 1, 2 * largest_sum);
  fits = fits && (!s.rejected_at || (*s.rejected_at >= 1 && *s.rejected_at <= s.n));
  if (!fits) throw_input_error("state", "numbers that no watch has", "those of a watch");
  watch.state_ = std::move(state);
  return watch;
}

bool Watch::update(double cost) {
  if (!(cost >= 0)) throw_input_error("cost", number_text(cost), "a number that is not negative");
  WatchState& s = state_;
  const double x = std::min(cost / s.claim.mean, largest_ratio);
  const Beginning begin = beginning_at(++s.n);
  double evidence = begin.later;
  for (size_t k = 0; k < bets_->size(); ++k) {
    const Bet& bet = (*bets_)[k];
    const double b = part_of(bet, s);
    const double factor =
        bet.kind == BetKind::rise ? std::exp(bet.size * x - bet.price) : (1 - b) + b * x;
    s.sums[k] = std::min((s.sums[k] + begin.weight) * factor, largest_sum);
    evidence += bet.weight * s.sums[k];
  }
  remember(s, x);
  s.evidence = evidence;
  s.largest = std::max(s.largest, evidence);
  if (!rejected() && evidence * (1 - rounding_of_evidence(s)) >= 1 / s.claim.alpha)
    s.rejected_at = s.n;
  return rejected();
}

}  // namespace loopcert
