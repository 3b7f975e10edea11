// The makers of posterior_families.inc, and what several of them share.
#pragma once

#include <functional>

#include "learning/families.hpp"

namespace loopcert {

#define ADD(name, maker) PosteriorFamily maker();
#include "problem/posterior_families.inc"

// In this frame, from where another minimization ended.
PacBayesResult minimize_in_frame(const QuadraticForm& form, const BoundInputs& inputs,
                                 const Prior& prior, PacBayesOptions options,
                                 const SharedFrame& frame, const PacBayesResult& before);

// A frame, and in `variance` the variances in it, of the covariance with this precision.
using FrameFrom =
    std::function<SharedFrame(const std::vector<Matrix>& precision, Matrix& variance)>;

// The frame by the stationary condition, mean and variances by the optimizer, in turns while the
// bound falls.
PacBayesResult improve_frame(const QuadraticForm& form, const BoundInputs& inputs,
                             const Prior& prior, const PacBayesOptions& options,
                             const FrameFrom& better, PacBayesResult result);

}  // namespace loopcert
