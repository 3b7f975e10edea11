// How large the signals of a closed loop are, and how often they break limits: under a law, or on
// trajectories that were recorded.
#pragma once

#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/system/limits.hpp"
#include "response/response.hpp"

namespace loopcert {

// One state or input, over all steps of an episode.
struct SignalSize {
  std::string name;     // "x0", "u1"
  double expected = 0;  // of |value|
  double rms = 0;
  double level_95 = 0;  // |value| is larger in 5 % of the steps
  double level_99 = 0;
};

// From its mean and deviation at every step, Gaussian.
SignalSize signal_size(const std::string& name, const Vector& mean, const Vector& deviation);

// States of steps 1 … T (x_0 is nobody's choice), then inputs of steps 0 … T-1.
std::vector<SignalSize> signal_sizes(const Sizes& sizes, const Response& response, const Law& law);
std::vector<SignalSize> signal_sizes(const Sizes& sizes, const Response& response,
                                     const MatrixView& w);

// How often limits are broken.
struct Violations {
  double episodes = 0;  // any of them in an episode
  Vector rows;          // C: each at its step
  Index draws = 0;      // trajectories behind `episodes`
};

Violations violations_on(const Limits& limits, const Sizes& sizes, const Response& response,
                         const MatrixView& w);
// Rows exactly for a Gaussian law; `episodes` by draws, always the same ones.
Violations violations_under(const Limits& limits, const Sizes& sizes, const Response& response,
                            const Law& law);

}  // namespace loopcert
