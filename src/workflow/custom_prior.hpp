// A prior that the problem file has no name for.
#pragma once

#include "certificate/gaussian.hpp"
#include "data/parts.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert {

// Method pac-bayes with this prior in place of the problem's. It must not have seen `certifying`:
// the certificate lists that among its assumptions. No file can name such a prior, so the
// certificate has no inputs to be evaluated again from. `seen` are all trajectories that the prior
// or the posterior knows: none of them may certify the controller once more.
LearnRun learn_with_prior(const Problem& problem, const Prior& prior,
                          const CertifyingPart& certifying, const Disturbances& seen,
                          const LearnCallbacks& callbacks = {});

}  // namespace loopcert
