// Learning from some of the data, so that the others can certify what was learned.
#pragma once

#include <string>

#include "certificate/deployment.hpp"
#include "learning/learn_method.hpp"
#include "response/space.hpp"

namespace loopcert {

// Runs a method on the part that it may see.
Learned learn_from(const LearnMethod& method, const Problem& problem, const ResponseSpace& space,
                   const LearnCallbacks& callbacks, const LearningPart& part,
                   double limit_factor = 0);

// The same objective under the limits of the problem (design_under_limits), with room for a
// certificate; returns the factor that the limits left. A response that was chosen without data
// stays as it is.
double limit_response(Learned& learned, const LearnTask& task, double factor);

// Why a value that no response of the space moves to where its limits are makes them impossible;
// "" where they are not. An affine one may.
std::string out_of_reach(const Limits& limits, const ResponseSpace& space);

// What to do when no response keeps the limits under what was learned from. Throws NumericsError
// when that is certain of one row alone, or limits are robust; else learned.infeasible says why.
void note_infeasible(Learned& learned, const LearnTask& task);

// By the method, and under limits when the task says so.
Learned learn_limited(const LearnMethod& method, const LearnTask& task);

// Learns from those data with a method; `details` of each run are collected in `details`.
Deployment deploy(UseOfData use, const LearnMethod& method, const LearnTask& task,
                  Learned& collected);

}  // namespace loopcert
