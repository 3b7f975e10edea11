// A controller without a last step: u_t = K (y_t, …, y_{t-p+1}) + L (u_{t-1}, …, u_{t-q}) + k. What
// was before the first step counts as zero.
#pragma once

#include <map>
#include <string>

#include "loopcert/core/types.hpp"

namespace loopcert {

struct MemoryController {
  Index n_y = 0, n_u = 0;
  Index outputs = 1;  // p
  Index inputs = 0;   // q
  Matrix K;           // n_u x p n_y
  Matrix L;           // n_u x q n_u
  Vector k;           // n_u
  std::map<std::string, std::string> provenance = {};
  Matrix input_limits = {};  // as in Controller
};

}  // namespace loopcert
