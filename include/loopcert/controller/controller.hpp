// The controller u = K x + k, and running it step by step.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/traces.hpp"
#include "loopcert/system/sizes.hpp"

namespace loopcert {

struct Controller {
  Sizes sizes;
  Matrix K;  // T n_u x (T+1) n_y, block lower triangular; the block column of x_T is zero
  Vector k;  // T n_u
  std::map<std::string, std::string>
      provenance;                         // who made it, from what: free text, kept in files
  std::vector<std::string> learned_from;  // fingerprints of the trajectories it has seen
  // The same up to rounding and cutting: "disturbances", and "logs" if they came from logs.
  std::map<std::string, Traces> recordings = {};
  // n_u x 2, lowest and highest: what the actuators can do. It does not change u = K x + k; who
  // runs the controller may clip. Infinite where there is no limit; empty: none at all.
  Matrix input_limits = {};
};

// Throws InputError: sizes, NaN or Inf, a block above the diagonal that is not zero.
void check_controller(const Controller& controller);

// Step-by-step execution. It needs every past state: the memory is (T+1) n_y numbers.
class ControllerRun {
 public:
  explicit ControllerRun(const Controller& controller);  // keeps a reference
  // u_t for the state measured at step t = 0, 1, …; throws InputError after T steps.
  Vector step(const VectorView& x_t);
  Index time() const { return t_; }

 private:
  const Controller& controller_;
  Vector x_;
  Index t_ = 0;
};

}  // namespace loopcert
