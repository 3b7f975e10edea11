// The largest average cost over an ellipsoid of models by expanding it around the estimate: the
// first two orders exactly, the rest by gains of the loop (docs/theory/identified-cost.md, item 8).
#pragma once

#include <optional>

#include "certificate/estimated_loop.hpp"

namespace loopcert {

// x+ = A x + H d has E x'W x <= gain^2 E |d|^2 for every stationary d, proved by a P > 0 with
//   [P - W - A'P A, -A'P H; -H'P A, gain^2 I - H'P H] > 0.
struct ProvedGain {
  double gain = 0;
  Matrix P;
};

// Whether these numbers prove it: every inequality strictly, in double precision.
bool proves_gain(const Matrix& A, const Matrix& H, const Matrix& W, const ProvedGain& numbers);

// Close to the smallest; nothing when A is not stable. `floor` is a definite weight in the units
// of W, of which a little makes the inequality strict.
std::optional<ProvedGain> least_gain(const Matrix& A, const Matrix& H, const Matrix& W,
                                     const Matrix& floor);

struct AverageExpansion {
  double nominal = 0;      // J_0
  double sup = 0;          // of the first two orders over the ellipsoid
  double rest = 0;         // all others
  double nu = 0;           // multiplier of `sup`
  ProvedGain reply, cost;  // from the error's input to G r, and to the cost
  double value() const { return nominal + sup + rest; }
};

// Nothing when some order does not die out (beta reply.gain >= 1), when there are too many
// coefficients, or when the loop remembers too long.
std::optional<AverageExpansion> expand_average(const EstimatedLoop& loop, const Matrix& K,
                                               const ConfidenceSet& set);

// The same with these proofs of gains, if they are proofs.
std::optional<AverageExpansion> expand_average_at(const EstimatedLoop& loop, const Matrix& K,
                                                  const ConfidenceSet& set, const ProvedGain& reply,
                                                  const ProvedGain& cost);

}  // namespace loopcert
