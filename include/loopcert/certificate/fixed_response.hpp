// Certificates for one response that was fixed before the data were seen (LQR, a controller read
// from a file) on n fresh trajectories. No prior, no KL.
#pragma once

#include "loopcert/certificate/kinds.hpp"

namespace loopcert {

struct FixedSetting {
  const System& system;
  const Response& response;
  const Assumptions& assumptions;
  const Evidence& evidence;
  Deltas delta;
  const Response* baseline = nullptr;  // for certified improvements: also fixed beforehand
};

struct FixedKind {
  std::string name;
  std::string about;
  std::vector<std::string> events;
  Needs needs = nullptr;  // nothing when its assumptions are granted
  Certificate (*evaluate)(const FixedSetting&) = nullptr;
  std::string subject = "controller";  // see Certificate
  std::string dominated_by = "";       // a kind that is never larger wherever that one is granted
};

const std::vector<FixedKind>& fixed_kinds();
const FixedKind& fixed_kind(const std::string& name);  // throws InputError

// x in (0, 1) with x - 1 - log x = 2 log(1/delta) / n: Gaussian quadratic costs average below x
// times their mean with probability at most delta, whatever their covariance and mean.
double scale_free_factor(Index n, double delta);

}  // namespace loopcert
