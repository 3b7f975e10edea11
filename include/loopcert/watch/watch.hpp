// A claim on a mean cost, watched while the loop runs: one cost at a time, constant memory and time
// (docs/theory/watch.md).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert {

// No cost has a mean above `mean`, whatever the costs before it were.
struct WatchClaim {
  double mean = 1;
  double alpha = 0.01;  // a true claim is ever rejected with at most this probability
  // 0: any law. Otherwise also: the loop is linear and Gaussian, and no direction of the
  // disturbance makes more than mean / degrees of the mean cost (1 says nothing more).
  double degrees = 0;

  bool operator==(const WatchClaim&) const = default;
};

// All that a watch remembers.
struct WatchState {
  WatchClaim claim;
  Index n = 0;                 // costs so far
  std::vector<double> sums;    // of each bet: over the times at which it may have begun
  double drift = 0, size = 1;  // forgetting means of y = J/L - 1 and of y^2
  double spread = 1;           // and of |y|
  double excess = 0;           // sum of what y exceeds the spread by, never below 0
  double evidence = 1;
  double largest = 1;                // evidence so far
  std::optional<Index> rejected_at;  // the cost, from 1, at which it reached 1 / alpha

  bool operator==(const WatchState&) const = default;
};

struct Bet;

class Watch {
 public:
  // Throws InputError unless mean > 0, 0 < alpha < 1, and degrees is 0 or at least 1.
  explicit Watch(const WatchClaim& claim);
  // Goes on where another one was. Throws InputError for a state that no watch can be in.
  static Watch resumed(WatchState state);

  // True once the claim is rejected: it stays so. Throws InputError for a cost that is negative or
  // not a number, and forgets it; an infinite one rejects every claim.
  bool update(double cost);

  const WatchState& state() const { return state_; }
  bool rejected() const { return state_.rejected_at.has_value(); }

 private:
  WatchState state_;
  std::shared_ptr<const std::vector<Bet>> bets_;
};

}  // namespace loopcert
