// How far the ratio of two means strays from that of their expectations, where each is a mean of
// Gaussian quadratic costs over draws of its own: P over n_P, N over n_N (measured.md, item 4).
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// x < 1: Phat/P > x Nhat/N but for delta. Any means; means zero: F_{n_P,n_N,delta}, at most
// (1 - 2/n_P)/(1 + 2/n_N), rounded down by 1e-12.
double scale_free_ratio_of_two(Index n_P, Index n_N, double delta);
double centred_ratio_of_two(Index n_P, Index n_N, double delta);

}  // namespace loopcert
