// The checks of an inspection that look at logs, and at trajectories whose order is another one.
#pragma once

#include "inspection/inspection.hpp"

namespace loopcert {

// What the logs say about the sensors: one that stands still, drops out, saturates or spikes.
Check inspect_sensors(const Problem& problem, const Rollouts& logs);

// A problem with outputs that are measured in tests alone as one where all are measured, with the
// same trajectories step by step: to a check they are alike.
struct StepByStep {
  Problem problem;
  Disturbances data;
};
StepByStep step_by_step(const Problem& problem, const Disturbances& data);

}  // namespace loopcert
