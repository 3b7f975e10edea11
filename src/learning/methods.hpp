// The methods, one file each.
#pragma once

#include "learning/learn_method.hpp"

namespace loopcert {

Learned learn_start(const LearnTask& task);
Learned learn_lqr(const LearnTask& task);
Learned learn_erm(const LearnTask& task);
Learned learn_ridge(const LearnTask& task);
Learned learn_shrinkage(const LearnTask& task);
Learned learn_auto(const LearnTask& task);
Learned learn_pac_bayes(const LearnTask& task);
Learned learn_oracle_pac_bayes(const LearnTask& task);

}  // namespace loopcert
