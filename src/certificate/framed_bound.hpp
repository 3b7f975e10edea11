// Bounds of posteriors in a frame, and under priors that are not isotropic.
#pragma once

#include "certificate/bound.hpp"

namespace loopcert {

// The mix, and a Kronecker frame altogether, are a change of coordinates: with Z = C Z' L,
// M z = (M_0 L^-1 + S C Z') (L z).
struct Coordinated {
  QuadraticForm form;
  BoundInputs inputs;
};
// C or L may be empty: the identity.
Coordinated in_frame(const QuadraticForm& form, const BoundInputs& inputs, const Matrix& C,
                     const Matrix& L);

std::unique_ptr<BoundEvaluation> make_framed_evaluation(const QuadraticForm& form,
                                                        const BoundInputs& inputs,
                                                        const Prior& prior, Team& team,
                                                        const SharedFrame& frame);

}  // namespace loopcert
