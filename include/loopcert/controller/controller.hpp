// The controller u = K x + k of a response, and running it step by step.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/traces.hpp"
#include "loopcert/response/response.hpp"

namespace loopcert {

struct Controller {
  Sizes sizes;
  Matrix K;  // T n_u x (T+1) n_x, block lower triangular; the block column of x_T is zero
  Vector k;  // T n_u
  std::map<std::string, std::string>
      provenance;                         // who made it, from what: free text, kept in files
  std::vector<std::string> learned_from;  // fingerprints of the trajectories it has seen
  // The same up to rounding and cutting: "disturbances", and "logs" if they came from logs.
  std::map<std::string, Traces> recordings = {};
};

// K Phi_x = Phi_u by causal back-substitution (Phi_x is unit lower triangular), k = phi_u - K phi_x
// (paper, sec:mean-controller-equations).
Controller recover_controller(const Response& response, const Sizes& sizes);

// The response that a controller produces: the inverse of recover_controller.
Response closed_loop_response(const System& system, const Controller& controller);

// Throws InputError: sizes, NaN or Inf, a block above the diagonal that is not zero.
void check_controller(const Controller& controller);

// Step-by-step execution. It needs every past state: the memory is (T+1) n_x numbers.
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
