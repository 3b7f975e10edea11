#include "watch/bets.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace loopcert {
namespace {

// Small rises of costs that vary much need small bets; costs that doubled need large ones.
constexpr std::array constants = {0x1p-10, 0x1p-9, 0x1p-8, 0x1p-7, 0x1p-6, 0x1p-5, 0x1p-4, 0x1p-3,
                                  0x1p-2,  0.375,  0.5,    0.625,  0.75,   0.875,  0.9375, 1.0};
constexpr std::array rises = {1.05, 1.1, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0};

}  // namespace

std::vector<Bet> bets_of(const WatchClaim& claim) {
  // A half for the alert one, a quarter each for the adaptive one and the constants; with rises
  // half of that.
  const double share = claim.degrees > 0 ? 0.125 : 0.25;
  std::vector<Bet> bets = {{BetKind::adaptive, 0, 0, share}, {BetKind::alert, 0, 0, 2 * share}};
  for (const double b : constants)
    bets.push_back({BetKind::constant, b, 0, share / static_cast<double>(constants.size())});
  if (claim.degrees > 0)
    for (const double r : rises)
      bets.push_back({BetKind::rise, 0.5 * claim.degrees * (1 - 1 / r),
                      0.5 * claim.degrees * std::log(r), 0.5 / static_cast<double>(rises.size())});
  return bets;
}

Beginning beginning_at(Index n) {
  const int k = std::bit_width(static_cast<std::uint64_t>(n)) - 1;
  const double weight = std::ldexp(1.0 / ((k + 1.0) * (k + 2.0)), -k);
  const double left = std::ldexp(1.0, k + 1) - 1 - static_cast<double>(n);  // in this octave
  return {weight, left * weight + 1 / (k + 2.0)};
}

double rounding_of_a_cost(const WatchClaim& claim) {
  // Five roundings for a bet without exponential. An exponential has those of its argument, too: a
  // difference below 2^10, where the result is neither 0 nor infinite, of numbers up to K log(10)/2
  // + 2^10, each rounded at most five times.
  return claim.degrees > 0 ? 0x1p-40 + 0x1p-49 * claim.degrees : 0x1p-50;
}

double rounding_of_evidence(const WatchState& state) {
  return (static_cast<double>(state.n) + 16) * rounding_of_a_cost(state.claim);
}

}  // namespace loopcert
