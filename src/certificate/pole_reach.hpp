// How far the plants of a confidence set move the poles of its estimate.
#pragma once

#include <complex>
#include <vector>

#include "certificate/confidence_set.hpp"
#include "model/linear_model.hpp"

namespace loopcert {

struct PoleReach {
  std::complex<double> pole;                  // of the estimate
  std::vector<std::complex<double>> reached;  // by plants on the edge of the set, around it
  double reach = 0;                           // the largest distance among them
};

// Poles of A = A0 + E Theta Cr over xi (without the 1). `reached`: those of plants that, to first
// order, move the pole furthest in each of some directions. They are in the set, so the pole may be
// there; how far it can be beyond is not claimed.
std::vector<PoleReach> pole_reach(const LinearModel& model, const ConfidenceSet& set);

}  // namespace loopcert
