// What counts of violations say about a probability.
#pragma once

#include <string>

#include "loopcert/core/types.hpp"

namespace loopcert {

struct Interval {
  double low = 0;
  double high = 1;
};

// Clopper and Pearson's interval for the probability behind `successes` of `trials`: it misses with
// probability at most 1 - confidence, whatever that probability is.
Interval clopper_pearson(Index successes, Index trials, double confidence);

// The largest k with P(Binomial(sets, delta) <= k) <= 0.01; -1 when there is none. At most k
// violations reject "this certificate fails with probability delta or more" at level 0.01: 214 for
// 5000 sets and delta 0.05.
Index violations_allowed(Index sets, double delta);

// What a cell is expected to show; judge() is the exact statement.
enum class CoverageRule {
  below,    // fails less often than delta: at most violations_allowed
  at_most,  // so near to delta that counting cannot show it: the 99.9 % interval reaches below
            // delta
  exact,    // fails with probability delta: the 99.9 % interval contains it
  fails,    // a negative control: the 99.9 % interval lies above delta
  refused   // a negative control: no data set gets a certificate
};
CoverageRule coverage_rule(const std::string& name);  // throws InputError
std::string coverage_rule_name(CoverageRule rule);

struct CoverageCounts {
  Index sets = 0;
  Index violations = 0;
  Index refused = 0;  // InputError: no certificate was given
  Index failed = 0;   // NumericsError
};

struct CoverageVerdict {
  bool expected = false;
  std::string text;
};
CoverageVerdict judge(CoverageRule rule, const CoverageCounts& counts, double delta);

}  // namespace loopcert
