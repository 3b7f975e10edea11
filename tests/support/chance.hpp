// Thresholds for tests of random numbers: how far right code strays, but with a probability that no
// number of seeds and machines makes likely. One comparison alarms falsely with 1e-10 at most.
#pragma once

#include <boost/math/distributions/binomial.hpp>

#include "loopcert/core/types.hpp"

namespace loopcert::testing {

inline constexpr double false_alarm = 1e-10;

// A mean of many independent numbers is farther from its expectation than this many standard errors
// with probability 2.6e-12 by the normal law. What is left of 1e-10 is for tails that are not
// normal yet.
inline constexpr double sigmas = 7;

// More successes than this of n, each with probability p at most, have probability false_alarm.
inline Index most_of(Index n, double p) {
  using boost::math::binomial;
  return static_cast<Index>(quantile(complement(binomial(static_cast<double>(n), p), false_alarm)));
}

// Fewer successes than this, each with probability p at least.
inline Index least_of(Index n, double p) { return n - most_of(n, 1 - p); }

}  // namespace loopcert::testing
