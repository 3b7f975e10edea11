// How far a mean of n Gaussian quadratic costs strays from its expectation, as a factor that holds
// for every covariance. P, N >= 0 are expectations of |y|^2 for Gaussian y, Phat, Nhat their means
// over n independent draws of the pair; each line fails with probability at most delta.
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// Any mean of y, by exponential moments:
double scale_free_factor(Index n, double delta);  // x < 1: Phat > x P; x-1-log x = rate
double scale_free_upper_factor(Index n,
                               double delta);  // x > 1: Nhat < x N; rate = 2 log(1/delta)/n
double scale_free_ratio_factor(Index n, double delta);  // x < 1: Phat/P > x Nhat/N

// Mean zero, y of covariance S, S_hat that of the draws around zero: P < Phat + x ||S_hat||_F with
// x of the single chi-square, 1 + x = n/chi2_{n,delta}, which is the worst case from sqrt(2)/n on.
double frobenius_factor(Index n, double delta);

// Mean zero, by the exact quantiles of a single chi-square or F variable, which is the worst case
// in the range that the functions check; rounded outwards by 1e-12:
double centred_factor(Index n, double delta);        // chi2_{n,delta}/n, at most 1
double centred_upper_factor(Index n, double delta);  // chi2_{n,1-delta}/n, at least 1 + 2/n
double centred_ratio_factor(Index n, double delta);  // F_{n,n,delta}, at most (n-2)/(n+2)

}  // namespace loopcert
