// The loop of a plant and the last gains of a controller, which act on the last T states.
#pragma once

#include <optional>
#include <vector>

#include "loopcert/controller/controller.hpp"
#include "loopcert/system/cost.hpp"

namespace loopcert {

class HeldLoop {
 public:
  HeldLoop(const System& system, const Controller& controller);

  // The spectral radius of z_{t+1} = F z_t, z_t = (x_t, x_{t-1}, …).
  double radius() const;
  // Of a stable loop with x_{t+1} = A x_t + B u_t + c + e_t, e_t white with covariance W. Nothing
  // when a million steps are not enough to settle.
  std::optional<double> average_cost(const Matrix& W, const Vector& c) const;

 private:
  Matrix companion() const;
  // How the answer to an impulse grows, where a matrix would be too large to look at.
  double growth() const;
  // L X over the last states, the newest first in `past`.
  Matrix input(const Matrix& past) const { return gains_ * past; }
  // x_{t+1} on top of the states before it.
  void advance(Matrix& past, const Matrix& u) const;

  const System& system_;
  Index lags_ = 1;  // states that the gains see, the newest first: those before it are not used
  Matrix gains_;    // n_u x lags n_x
  Vector k_;
};

}  // namespace loopcert
