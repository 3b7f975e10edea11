// How well the model explains logged episodes: the disturbances that were reconstructed are its
// one-step prediction errors.
#pragma once

#include <string>
#include <vector>

#include "loopcert/data/disturbances.hpp"

namespace loopcert {

// Of one state component over all steps of all episodes. Root mean squares.
struct ComponentResidual {
  double state = 0;     // of x_t, t = 1 … T
  double change = 0;    // of x_{t+1} - x_t: what predicting "nothing changes" would leave over
  double residual = 0;  // of w_t: what the model leaves over
  double mean = 0;      // of w_t
  double largest = 0;   // largest |w_t|
};

std::vector<ComponentResidual> reconstruction_residuals(const Rollouts& rollouts,
                                                        const Disturbances& data,
                                                        const Sizes& sizes);

// Components that the model predicts much worse (by a factor of two) than "nothing changes" would:
// columns, units or signs may be mixed up. A little worse is common where feedback works against a
// large disturbance: input and disturbance then cancel in the change but not in the residual.
std::vector<Index> unexplained_components(const std::vector<ComponentResidual>& residuals);

}  // namespace loopcert
