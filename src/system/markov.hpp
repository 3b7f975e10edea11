// What inputs do to outputs later: Markov parameters of the forms in which a plant may be given.
// The same bits in every build.
#pragma once

#include <vector>

#include "loopcert/core/types.hpp"
#include "system/sampling_time.hpp"

namespace loopcert {

// G_1, G_2, … of a plant that does not vary: y_t = sum over s < t of G_{t-s} u_s. Those after the
// last are zero.
using Markov = std::vector<Matrix>;

// (T+1) n_y x T n_u, with G_{t-s} as block (t, s).
Matrix operator_of(const Markov& markov, Index T);

// The same, `steps` later.
Markov delayed(Markov markov, Index steps);

// From the response to a unit step, S_1, S_2, … (after the last it stays): G_k = S_k - S_{k-1}.
Markov markov_of_step(const std::vector<Matrix>& step);

// x_{t+1} = A_t x_t + B_t u_{t-delay}, y_t = C_t x_t: block (t, s) is
// C_t A_{t-1} … A_{s+delay+1} B_{s+delay}. One matrix each, or T of A and B and T + 1 of C.
Matrix operator_of(const std::vector<Matrix>& A, const std::vector<Matrix>& B,
                   const std::vector<Matrix>& C, Index delay, Index T);

// T parameters of a sampled plant, y = C x.
Markov markov_of(const Sampled& plant, const Matrix& C, Index T);

// The first T coefficients after that of z^0 of num / den, by descending powers of z;
// den[0] is not zero, and num is no longer than den. Refuses nothing.
std::vector<double> fraction_response(std::vector<double> num, const std::vector<double>& den,
                                      Index T);

}  // namespace loopcert
