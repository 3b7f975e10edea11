// What the user is willing to assume of the disturbances: [disturbance] of a problem file.
#pragma once

#include <optional>
#include <string>

#include "loopcert/core/types.hpp"
#include "loopcert/data/law.hpp"

namespace loopcert {

// The noise of a plant that is seen through outputs, y_t = C_t x_t + v_t.
struct StatedNoise {
  Law states;          // of (x_0, w_0, …, w_{T-1})
  Matrix measurement;  // covariance of (v_0, …, v_T), independent of them
};

struct Assumptions {
  std::string model = "gaussian";     // gaussian | bounded | any
  std::optional<double> scale_bound;  // ||Sigma_w|| <= this
  std::optional<double> radius;       // ||w|| <= this, for model = bounded
  bool white = false;                 // x_0, w_0, …, w_{T-1} independent of each other
  bool stationary = false;            // w_0, …, w_{T-1} share one law
  bool zero_mean = true;              // E[w] = 0; false: unknown
  // w_t = Phi_1 w_{t-1} + … + Phi_p w_{t-p} + v_t for t >= p with this p, Phi constant and unknown,
  // v_t independent of the past and all of one law; nothing: not granted.
  std::optional<Index> autoregressive;
  std::optional<Matrix> covariance_bound;  // Sigma_w <= this (Loewner)
  std::optional<double> kurtosis;          // E (v'z)^4 <= this (E (v'z)^2)^2 for all v, z = (1, w)
  // ||Sigma_hat - Sigma_w|| <= covariance_radius on the data that certify, but for this
  // probability; both or none.
  std::optional<double> covariance_radius, covariance_radius_delta;
  // From covariance (and mean): the true law, for sampling and prescient numbers. Of the
  // certificates only oracle kinds may look.
  std::optional<Law> law;
  std::optional<StatedNoise> noise;  // what the law follows from, where that was said
};

}  // namespace loopcert
