// The bets of a watch, and what they share: the program and the exported C are made from these.
#pragma once

#include <vector>

#include "loopcert/watch/watch.hpp"

namespace loopcert {

// A bet multiplies what it holds by a factor whose mean is at most 1 under the claim; x = J / L:
//   constant  1 + b (x - 1)
//   adaptive  the same, b from the costs before
//   alert     the same, b from how far the last costs stood out of those before
//   rise      exp(theta x) / r^(K/2), theta = (K/2)(1 - 1/r): Gaussian loops with K degrees
enum class BetKind { constant, adaptive, alert, rise };
struct Bet {
  BetKind kind;
  double size = 0;    // b, or theta
  double price = 0;   // of a rise: (K/2) log r
  double weight = 0;  // exact in binary: they add up to 1
};
std::vector<Bet> bets_of(const WatchClaim& claim);

// The adaptive bet, and the spread of the alert one, forget with this factor for each cost: half in
// 64 costs.
inline constexpr double watch_memory = 0.98922801319397548;
// What they see of a cost at most, in units of L.
inline constexpr double watch_most = 100;
// The alert bet sums up what exceeds the claim by more than so many spreads, and bets this part of
// the sum in spreads; one is not taken for smaller than this, which only rounding would see.
inline constexpr double alert_least = 1.75, alert_part = 0.2, least_spread = 0x1p-10;

// Nothing is larger than these: a smaller factor or sum is still one of a supermartingale.
inline constexpr double largest_ratio = 1e150;
inline constexpr double largest_sum = 1e290;

// The weight of a beginning at cost n = 1, 2, …: with 2^k <= n < 2^(k+1) it is
// 2^-k / ((k+1)(k+2)). They add up to 1.
struct Beginning {
  double weight = 0;
  double later = 0;  // of all beginnings after n
};
Beginning beginning_at(Index n);

// What rounding may have added to the evidence at most, relative to it: for each cost, in all.
double rounding_of_a_cost(const WatchClaim& claim);
double rounding_of_evidence(const WatchState& state);

}  // namespace loopcert
