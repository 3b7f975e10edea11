// The lemmas: one function each, named as on the page of docs/theory (or docs/trust.md) that proves
// it. They know balls, and nothing of records, problems or files. n trajectories, probability delta
// of failure; tests/checker holds each against numbers that were found another way.
#pragma once

#include <functional>

#include "balls/ball.hpp"

namespace verify {

// --- chi_square.cpp ---------------------------------------------------------------------------

// The largest number up to `high`, to 1e-14 of it, at which the increasing `excess` is certainly
// not above zero. It is evaluated with as many bits as that takes.
double largest_with(const std::function<Ball(double)>& excess, double high);

// P(G > x), P(G <= x) of a gamma variable G whose shape k is a multiple of 1/2, and the numbers
// Gamma(s, x) for s = first, first + 1, ... that they come from.
Ball gamma_above(double k, const Ball& x);
Ball gamma_below(double k, const Ball& x);
std::vector<Ball> gamma_ladder(double first, const Ball& x, long count);

// chi-square.md, items 1 to 3: mean zero and no offset. The mean of n costs is below x times its
// expectation (above it; one mean below x times the other) with probability at most delta.
double chi_square_below(long n, double delta);
double chi_square_above(long n, double delta);
double chi_square_ratio(long n, double delta);
// The same for any mean and offset: fixed-response.md, item 2; improvement.md, item 1.
double scale_free_below(long n, double delta);
double scale_free_above(long n, double delta);
double scale_free_ratio(long n, double delta);

// --- wishart.cpp: covariance-envelopes.md -----------------------------------------------------

// lambda_min of a standard Wishart of size d over n is below it with probability at most delta:
// routes 1 to 3, and the one to take.
double wishart_by_concentration(long d, long n, double delta);
double wishart_by_density(long d, long n, double delta);
double wishart_by_quantile(long d, long n, double delta);
double wishart_floor(long d, long n, double delta);

// --- radii.cpp --------------------------------------------------------------------------------

// data-driven.md: ||Sigma_hat - Sigma_w|| <= eps where no eigenvalue exceeds `scale`.
Ball covariance_radius(const Ball& scale, long d, long n, double delta);
// unknown-mean.md: ||wbar - mu|| <= r.
Ball mean_radius(const Ball& scale, long d, long n, double delta);
// bounded.md: E[vv'] <= V + eps I for |v|^2 <= reach, `norm` the largest eigenvalue of V.
Ball second_moment_radius(const Ball& reach, const Ball& norm, long d, long n, double delta);

// --- any_law.cpp: bounded-hold-out.md ---------------------------------------------------------

// At least every q with kl(a, q) <= rate.
Ball kl_upper(const Ball& a, const Ball& rate);
// At least z'Gz for every z = (1, w) with |w| <= W.
Ball largest_cost(const Mat& G, const Ball& W);
// As chi_square_below, for a kurtosis of at most kappa.
double fourth_moment_factor(long n, double delta, double kappa);

// --- cumulants.cpp ----------------------------------------------------------------------------

// fixed-response.md, item 1: (log(1/delta)/n + cumulant of z'Gz at lambda)/lambda for w of
// covariance U.
Ball chernoff_margin(const Mat& G, const Mat& U, const Ball& lambda, long n, double delta);
// pac-bayes-chernoff.md: A = (KL + log(n choices/delta))/(n - 1), priors.md: of so many priors.
Ball pac_bayes_rate(const Ball& kl, long choices, long n, double delta);
// KL of independent Gaussian entries, where `free` is one: `step` between the means, variances V
// and, in column j, prior(j).
Ball gaussian_kl(const Mat& free, const Mat& step, const Mat& V, const Mat& prior);
// pac-bayes-chernoff.md: r f(lambda sqrt(C/r)).
Ball rank_aware(const Ball& lambda, const Ball& C, long rank);
// quartic-moment.md at one posterior: E tr(M'M A M'M B).
struct Point {
  Mat gram, H, PP, V;  // gram: K + Diag(a), a = V'diag(P); PP: squares of the entries of P
};
Ball quartic(const Point& at, const Mat& A, const Mat& B);
// posterior-localized.md: log E_rho e^{lambda L} under the second moment of z.
Ball localized_moment(const Mat& free, const Mat& P, const Mat& gram, const Mat& H, const Mat& V,
                      const Mat& second, const Ball& lambda);

// --- difference.cpp: improvement.md -----------------------------------------------------------

// E with E - D and E + D certainly positive semidefinite, and close to the smallest such in the
// metric, which is on the last entries or empty. Nothing when doubles cannot tell.
std::optional<Mat> absolute(const Mat& D, const Mat& metric);
// Item 1: at least P - N on both events, for means P_hat and N_hat of the two parts.
Ball by_ratio(const Ball& P_hat, const Ball& N_hat, long n, bool centred, double delta_ratio,
              double delta_scale);

// --- plausible.cpp: docs/trust.md -------------------------------------------------------------

// A sum of n squares of variance one exceeds it with probability at most e^-t: of a Gaussian law
// (Laurent and Massart), of any (Markov).
Ball laurent_massart(long n, const Ball& t);
Ball markov(long n, const Ball& t);
// Of n draws of N(0, sigma^2), n mean^2 / sum of squares exceeds 1 - rest with a probability whose
// logarithm is at most this: the part of a sphere in two caps.
Ball two_caps(long n, const Ball& rest);
// Whether so many of the lengths are alike as those of draws of N(0, sigma^2) are more often than
// once in 10^10.
bool likely_on_a_line(std::vector<double> lengths);
// What rounding costs, at most 2 sqrt(V g) + g: `gram` of the difference of two responses, second
// moments of z (or more), and V at least the cost of the one that is certified.
Ball rounding_cost(const Mat& gram, const Mat& second, const Ball& V);

}  // namespace verify
