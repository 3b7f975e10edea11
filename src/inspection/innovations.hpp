// Logs against the assumptions on a linear model that they identify: innovations that are white and
// Gaussian, one plant in all logs, enough lags. A diagnostic, never a certificate.
#pragma once

#include "inspection/inspection.hpp"
#include "model/transitions.hpp"

namespace loopcert {

// For lag 1, 2, …: mean correlation of an innovation with itself, how far from zero white noise
// strays with probability 1 % (roughly), and the p-value of all correlations of that lag.
struct InnovationLags {
  Vector mean, band, p_value;
};

struct InnovationTests {
  std::vector<Check> checks;
  InnovationLags lags;
  Index lags_suggested = 0;
};

// warnings_of(checks) says what they hold against a certificate. `Theta`: the estimate.
// `assumption`: what the problem file says, "lags = 1".
InnovationTests test_innovations(const LinearModel& model, const Logs& logs, const Matrix& Theta,
                                 const std::string& assumption,
                                 const InspectionEffort& effort = {});

}  // namespace loopcert
