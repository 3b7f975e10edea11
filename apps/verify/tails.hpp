// Numbers that a tail probability allows, each certainly on the safe side of it.
#pragma once

#include <functional>

#include "ball.hpp"

namespace verify {

// The largest number up to `high`, to 1e-14 of it, at which the increasing `excess` is certainly
// not above zero. It is evaluated with as many bits as that takes.
double largest_with(const std::function<Ball(double)>& excess, double high);

// lambda_min of a standard Wishart over n is below it with probability at most delta.
double wishart_floor(long d, long n, double delta);

// The factors of docs/theory/chi-square.md, improvement.md and bounded-hold-out.md: the mean of n
// costs is below x times its expectation (above it, one mean below x times the other) with
// probability at most delta. `centred`: mean zero and no offset.
double below_factor(bool centred, long n, double delta);
double above_factor(bool centred, long n, double delta);
double ratio_factor(bool centred, long n, double delta);
double fourth_moment_factor(long n, double delta, double kappa);

// At least every q with kl(a, q) <= rate.
Ball kl_upper(const Ball& a, const Ball& rate);

}  // namespace verify
