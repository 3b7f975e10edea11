// The priors that [learning] names, and the data that are left to certify on.
#pragma once

#include <vector>

#include "certificate/gaussian.hpp"
#include "data/parts.hpp"
#include "learning/learn_method.hpp"
#include "response/space.hpp"

namespace loopcert {

struct PriorSetting {
  std::vector<Prior> priors;  // one, or one to each scale of the grid: delta is shared by them
  CertifyingPart certifying;  // what no prior has seen
};

// center = start | lqr: functions of the problem alone, all data certify. center = split: the
// response that prior.method learns from the first part of the data, the rest certifies.
PriorSetting make_priors(const Problem& problem, const ResponseSpace& space,
                         const Disturbances& data, const LearnCallbacks& callbacks = {});

// Method pac-bayes with these.
Learned learn_at_priors(const LearnTask& task, const PriorSetting& priors);

// The prior's part of a certificate record.
nlohmann::json prior_to_json(const Problem& problem, const Prior& prior);

}  // namespace loopcert
