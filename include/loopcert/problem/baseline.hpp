// [baseline]: the controller that runs today, with which every other one is compared.
#pragma once

#include <map>
#include <string>

#include "loopcert/controller/controller.hpp"
#include "loopcert/core/types.hpp"

namespace loopcert {

struct Baseline {
  std::string form;  // gain | pid | lead-lag | state-space | controller (a file)
  std::map<std::string, Matrix> values;  // what the form says; empty for a controller
  Matrix setpoint;                       // n_y x T, subtracted from what is measured; empty: zero
  Vector offset;                         // n_u, added to the inputs; empty: zero
  Controller controller;                 // all of it over the horizon: u = K y + k
  bool fallback = false;  // method auto deploys it unless another one is certified to cost less

  // Its loop may have a constant part even if the plant has no offset.
  bool has_constant() const {
    return (setpoint.size() > 0 && !setpoint.isZero(0.0)) ||
           (offset.size() > 0 && !offset.isZero(0.0)) || !controller.k.isZero(0.0);
  }
};

}  // namespace loopcert
