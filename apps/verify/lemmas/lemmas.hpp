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
// frobenius.md: the expectation exceeds the mean of n costs by this many times the size of their
// second moment with probability at most delta.
double spread_factor(long n, double delta);
// The same for any mean and offset: fixed-response.md, item 2; improvement.md, item 1.
double scale_free_below(long n, double delta);
double scale_free_above(long n, double delta);
double scale_free_ratio(long n, double delta);

// --- filled.cpp: chi-square.md, items 4 to 6 --------------------------------------------------

// Orthonormal columns that make A nearly diagonal, in doubles.
Table turned(Table A);
// At least the k-th largest eigenvalue of a matrix without negative ones, for each k; at least what
// the k largest add up to.
std::vector<double> eigenvalues_above(const Mat& A);
std::vector<double> eigenvalue_sums(const Mat& A);
// The logarithm of at least P(sum_i s_i G_i <= t), G_i gamma variables of this shape; any lambda
// above zero.
Ball log_chance_below(const std::vector<double>& s, const Ball& shape, const Ball& t,
                      const Ball& lambda);
// The mean of n costs is this much below its expectation with probability at most delta, where no
// eigenvalue exceeds that of s, largest first; `known` is such a margin, and never exceeded.
Ball quantile_margin(const std::vector<double>& s, long n, double delta, const Ball& lambda,
                     const Ball& known);
// The expectation is at most this, where the mean of n costs is `empirical` and the k largest
// eigenvalues of one add up to at most caps[k - 1]; without a lambda above zero by the single
// chi-square.
double filled_value(const std::vector<double>& caps, const Ball& empirical, long n, double delta,
                    const Ball& lambda);

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
// The same for a covariance of at most this trace.
Ball effective_rank_radius(const Ball& scale, const Ball& trace, long n, double delta);
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

// --- measured.cpp: measured.md ----------------------------------------------------------------

// At least every mean of numbers in [0, 1] against which a bettor has not won 1/delta.
Ball betting_upper(const std::vector<Ball>& numbers, double delta);
// As chi_square_ratio and scale_free_ratio, of means over n_P and n_N independent draws.
double scale_free_ratio_of_two(long n_P, long n_N, double delta);
double chi_square_ratio_of_two(long n_P, long n_N, double delta);

// --- cumulants.cpp ----------------------------------------------------------------------------

// fixed-response.md, item 1: (log(1/delta)/n + cumulant of z'Gz at lambda)/lambda for w of
// covariance U.
Ball chernoff_margin(const Mat& G, const Mat& U, const Ball& lambda, long n, double delta);
// pac-bayes-chernoff.md: A = (KL + log(choices/((1 - kappa) delta)))/(kappa n), kappa of one prior
// and of so many.
Ball pac_bayes_rate(const Ball& kl, long choices, long n, double delta);
using Places = std::vector<std::pair<long, long>>;  // rows and columns
Places free_places(const Mat& free);                // where it is not zero, column by column
// KL of independent Gaussian entries, where `free` is one: `step` between the means, variances V
// and those of the prior.
Ball gaussian_kl(const Mat& free, const Mat& step, const Mat& V, const Mat& prior);
// pac-bayes-chernoff.md: r f(lambda sqrt(C/r)).
Ball rank_aware(const Ball& lambda, const Ball& C, long rank);
// How the entries of a posterior vary together, if they are not independent.
struct Spread {
  Places columns, rows;    // pairs (a, c) and (i, m) with Cov(E_ia, E_mc) before E is mixed
  Mat C{0, 0}, G{0, 0};    // these covariances; tr(P C_r P C_s) for two pairs of columns
  Mat A{0, 0}, mix{0, 0};  // A_rho = E[E'PE]
};
// quartic-moment.md at one posterior: E tr(M'M A M'M B).
struct Point {
  Mat gram, H, PP, V;  // gram: K + A_rho, A_rho = Diag(V'diag(P)); PP: squares of the entries of P
  Spread spread = {};
};
Ball quartic(const Point& at, const Mat& A, const Mat& B);

// --- localized.cpp: posterior-localized.md ----------------------------------------------------

// A posterior: which entries of Z are free, P = S'S, M'M and S'M at its mean, its variances.
struct Around {
  Mat free, P, gram, H, V;
};
// Whether E_rho e^{lambda L} is certainly finite, under the second moment of z.
bool is_admissible(const Around& rho, const Mat& second, const Ball& lambda);
// log E_rho e^{lambda L}.
Ball localized_moment(const Around& rho, const Mat& second, const Ball& lambda);
// At least log E e^{lambda (L - l)}, over the posterior and a Gaussian z.
Ball joint_cumulant(const Around& rho, const Mat& mean, const Mat& covariance, const Ball& lambda);

// --- correlated.cpp: priors.md, quartic-moment.md ---------------------------------------------

// A prior or a posterior: independent numbers xi of variances V become Z - mean =
// [F_1 xi_1, F_2 xi_2, ...] mix. F_j is the free part of turns[turn_of[j]]; mix is lower triangular
// with a positive diagonal; those that are missing are the identity. Or, alone: the free entries,
// column by column, are full times xi.
struct Gaussian {
  Mat free, V;
  std::vector<Mat> turns = {};
  std::vector<long> turn_of = {};
  Mat mix{0, 0}, full{0, 0};

  bool correlates() const { return !turns.empty() || mixes(); }
  bool mixes() const { return mix.rows() + full.rows() > 0; }  // columns
};
// KL(rho || pi); pi has at most one turn, lower triangular with a positive diagonal.
Ball correlated_kl(const Mat& step, const Gaussian& rho, const Gaussian& pi);

Spread spread_of(const Gaussian& rho, const Mat& P);
Ball correlated_quartic(const Point& at, const Mat& A, const Mat& B);

// --- difference.cpp: improvement.md -----------------------------------------------------------

// E with E - D and E + D certainly positive semidefinite, and close to the smallest such in the
// metric, which is on the last entries or empty. Nothing when doubles cannot tell.
std::optional<Mat> absolute(const Mat& D, const Mat& metric);
// Item 1: at least P - N but for delta, for means P_hat and N_hat of the two parts.
Ball by_ratio(const Ball& P_hat, const Ball& N_hat, long n, bool centred, double delta);

// --- identified.cpp: identified-models.md -----------------------------------------------------

// Sums over N transitions y = Theta r + v, v_t of one Gaussian law with mean zero and independent
// of everything before; V_0 was known before the first of them.
struct Transitions {
  long N = 0;
  Mat V, yr, yy, V_0;  // sums of rr', yr', yy'
};
// On the events model and noise Theta = Theta_hat + root F G with ||F||_F <= beta, and root root'
// is above the covariance of v.
struct ConfidenceSet {
  Mat Theta_hat, root, G;
  Ball beta;
  double q = 0;
  Ball left;  // N q - b^2
};
Ball model_radius_squared(const Transitions& seen, double delta);
ConfidenceSet confidence_set(const Transitions& seen, double delta_model, double delta_noise);

// --- expansion.cpp: identified-cost.md --------------------------------------------------------

// z = H_s s + sum_t H_t (e_t + F r_t), r_t = R_t s + sum_{j<t} L_tj (e_j + F r_j), ||F||_F <= beta,
// e_t of covariance I. Of the loop with F = 0, in blocks (t, j):
struct Interconnection {
  long steps = 0, n_v = 0, n_r = 0;
  Ball cost;                              // E |z|^2
  Mat to_cost, inputs, moments, replies;  // N = E H_t'z r_j', K = H_t'H_j, W = E r_t r_j', L
};
// At least E |z|^2 - E |z_0|^2, z_0 for F = 0; any nu is valid.
Ball largest_error(const Interconnection& loop, const Ball& beta, double nu);
// A nu close to the best one.
double good_multiplier(const Interconnection& loop, const Ball& beta);
// At least 2 g'f + f'G f for |f| <= beta, by any multiplier; the proposed one is close to the best.
Ball sup_of_quadratic(const Mat& g, const Mat& G, const Ball& beta, double proposed);
// At least the root mean square of z - z_0.
Ball error_size(const Interconnection& loop, const Ball& beta);

// --- guaranteed.cpp: identified-cost.md, items 1 to 3 -----------------------------------------

// A step zeta_{t+1} = A zeta_t + H (e_t + F C zeta_t), ||F||_F <= beta, that costs zeta'weight
// zeta; e_t of covariance I, independent of everything before.
struct ClosedStep {
  Mat A, C, weight;
};
// Item 1: E zeta'P zeta of the next step and the cost of this one are at most zeta'P' zeta + tr H'P
// H for every F, P' the result. TooWide where tau I > H'P H is not certain.
Mat guaranteed_step(const ClosedStep& step, const Mat& H, const Ball& beta, const Mat& P,
                    const Ball& tau);
// Item 9, the other side: E zeta'P zeta of the next step and the cost of this one are at least
// zeta'P' zeta + tr H'P H for every F. TooWide where tau I + H'P H > 0 is not certain.
Mat guaranteed_step_below(const ClosedStep& step, const Mat& H, const Ball& beta, const Mat& P,
                          const Ball& tau);
// At least tr(X Sigma) for every Sigma between kappa U and U = root root'.
Ball largest_between(const Mat& X, const Mat& root, const Ball& kappa);
// Items 2 and 3, `constant`: zeta begins with a 1. Whether certainly P > 0 on the rest and
// B(P, tau) + rise e_1 e_1' > 0: then every loop is stable, of average cost rise + tr H'P H at
// most.
struct Certified {
  Mat P;
  Ball tau, rise;
  bool constant = false;
};
bool is_guaranteed(const ClosedStep& step, const Mat& H, const Ball& beta, const Certified& by);
// The average cost at F = 0, for numbers of which is_guaranteed() is true.
Ball average_of_estimate(const ClosedStep& step, const Mat& H, const Certified& by);

// --- stationary.cpp: identified-cost.md, item 8 -----------------------------------------------

// Whether certainly x+ = A x + H d has E x'W x <= gain^2 E |d|^2 for every stationary d: P > 0 and
// [P - W - A'P A, -A'P H; -H'P A, gain^2 I - H'P H] > 0.
struct Gain {
  double gain = 0;
  Mat P{0, 0};
};
bool is_gain(const Mat& A, const Mat& H, const Mat& W, const Gain& by);
// The step for ever: its average cost at F = 0, and at least what any F adds. `reply`: the gain to
// C zeta, `cost`: to the cost. Every loop of the set is stable. TooWide when a gain is not certain.
struct Average {
  Ball nominal, error;
};
Average average_over_set(const ClosedStep& step, const Mat& H, const Ball& beta, bool constant,
                         double nu, const Gain& reply, const Gain& cost);

// --- limits.cpp, noncentral.cpp: limits.md ----------------------------------------------------

// P(g > x), g standard normal.
Ball normal_above(const Ball& x);
struct Interval {
  double low, high;  // infinite where there is no end
};
// P(a Gaussian number of this mean lies outside), for each deviation up to the one given; 1 where
// the mean is not inside. TooWide where that is not certain.
Ball violation(const Interval& within, const Ball& mean, const Ball& deviation);
// Clopper and Pearson: at least the probability of what came `count` times in n draws.
double count_above(long count, long n, double delta);
// At least P(v > h) for a Gaussian v of unknown mean and deviation, k = (h - mean)/s of n draws,
// s^2 = sum of squares/(n - 1): the p at which a noncentral t of n - 1 degrees exceeds k sqrt n
// with probability delta. A ball around it, of about 1e-11 of its size, or one from zero on.
Ball tail_above(const Ball& k, long n, double delta);
// At most how far row'w gets from zero: entries of each step up to `size`, norms of the steps, or
// the norm of w up to size[0].
Ball reach_of_box(const Mat& row, const std::vector<double>& size);
Ball reach_of_steps(const Mat& row, long entries, double size);
Ball reach_of_ball(const Mat& row, double size);

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
