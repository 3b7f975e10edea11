// Episodes of any length become rows of exactly T steps, as the user says.
#pragma once

#include "data/axes.hpp"
#include "loopcert/data/disturbances.hpp"

namespace loopcert {

// As many episodes of inputs as of states; in episode i (from 0) one input fewer than states, or as
// many.
void check_counts(const Episodes& x, const Episodes& u);
void check_inputs(size_t i, const Matrix& x, const Matrix& u);

// x: T + 1 or more rows per episode; u: one fewer, or as many (the input at the last state is not
// used). Throws InputError naming the first episode (from 1) that is too short, or too long when
// layout.longer is refuse.
Rollouts cut_rollouts(const Episodes& x, const Episodes& u, const DataLayout& layout,
                      const Sizes& sizes);

// (x_0, w_0, …): T + 1 rows per episode or more. Windows need states: here they find only episodes
// of T steps.
Matrix cut_disturbances(const Episodes& w, const DataLayout& layout, const Sizes& sizes);

}  // namespace loopcert
