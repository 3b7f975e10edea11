// A plant that is seen through outputs: y = eta + d + G u, where eta, the outputs without inputs,
// is what a record calls disturbances. G is derived here, in balls, from what the problem file
// says, whichever form it has; none that another program computed is believed.
#pragma once

#include "formats/problem.hpp"

namespace verify {

bool is_of_outputs(const json& system);
// Outputs and inputs, and whether the form is one. The horizon is known by now.
void read_outputs(Problem& problem);

// exp(h A), and its integral over h times B: a step of x' = A x + B u.
struct Held {
  Mat A{0, 0}, B{0, 0};
};
Held held(const Mat& A, const Mat& B, const Ball& h);

// So many outputs of a step, the last ones, no controller sees: system.test_only. And what it sees,
// in a step and over all of them.
long unseen_of(const Problem& problem);
long seen_in_step(const Problem& problem);
long seen_in_all(const Problem& problem);

// Where the outputs, step by step, are in a trajectory: what the controller sees comes first.
std::vector<long> trajectory_places(const Problem& problem);

// (T+1) n_y x T n_u, and the offset of y_1, …, y_T, T n_y x 1, with the present bits.
Mat output_map(const Problem& problem);
Mat output_offset(const Problem& problem);

}  // namespace verify
