// A second moment whose steps are less correlated with each other than the sample's are.
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// Sigma_g = (1 - g) Sigma + g W, W = 0.99 Sigma on the blocks of a step + 0.01 of its diagonal.
// `constant`: the first row and column belong to the constant 1. g in [0, 1].
Matrix shrunk_moment(const MatrixView& Sigma, bool constant, Index n_w, double g);

// Adds noise to every entry of w that costs 1e-4 of the average entry: nothing is learned from
// signals so small that they do not matter, and no gain on them can be large. K: the diagonal of a
// cost matrix (that of LQR), Sigma: what the average is taken under. What nobody pays for and never
// moves gets variance 1.
void add_floor(const Vector& K, const MatrixView& Sigma, Matrix& moment);

}  // namespace loopcert
