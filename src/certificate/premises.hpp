// What decides whether a kind may be used, what the data say, and the answer when something is
// missing: the ground that every certificate stands on.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "data/moments.hpp"
#include "loopcert/certificate/statement.hpp"
#include "loopcert/core/types.hpp"
#include "loopcert/data/assumptions.hpp"
#include "loopcert/system/sizes.hpp"

namespace loopcert {

// All that decides whether a kind may be used; known before any data are seen.
struct Premises {
  const Assumptions& assumptions;
  Sizes sizes;
  Index n = 0;
  bool offset = false;  // y = M w + m may have m != 0: affine response or plant with an offset
  std::optional<double> delta = std::nullopt;  // of the kind's events together; absent: any
};

using Needs = std::function<std::optional<Missing>(const Premises&)>;

// The mean is granted to be zero, and no stated law says otherwise.
bool grants_zero_mean(const Premises& premises);

// Throws InputError with what is missing.
void require_granted(const std::optional<Missing>& missing);

// What the data say: all that any certificate uses of them.
struct Evidence {
  Index n = 0;
  Moments moments;
  Matrix covariance;        // around the sample mean, with 1/n, from centred rows
  double largest_norm = 0;  // max ||w_i||
};

Evidence evidence_of(const Disturbances& data);

}  // namespace loopcert
