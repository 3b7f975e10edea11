// The methods, one file each.
#pragma once

#include "loopcert/experiment/learn_method.hpp"
#include "loopcert/experiment/priors.hpp"

namespace loopcert {

Learned learn_start(const LearnTask& task);
Learned learn_lqr(const LearnTask& task);
Learned learn_erm(const LearnTask& task);
Learned learn_ridge(const LearnTask& task);
Learned learn_shrinkage(const LearnTask& task);
Learned learn_auto(const LearnTask& task);
Learned learn_pac_bayes(const LearnTask& task);
Learned learn_oracle_pac_bayes(const LearnTask& task);

// pac-bayes with priors that are not the problem's.
Learned learn_at_priors(const LearnTask& task, const PriorSetting& priors);

}  // namespace loopcert
