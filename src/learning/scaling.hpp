// Coordinates in which the bound looks round to the optimizer:
//   Z = Z_0 + R^-T Y L^-1,   V = s^2 exp(2 eta / c)   (s^2: the prior's variances in the frame).
// P = R R' and Gamma = L L' approximates the other Kronecker factor of the bound's curvature in Z;
// triangular factors keep causality. At a minimum the curvature in log sqrt V is 2/(lambda (n-1))
// for every entry, hence one constant c. All of it for the bound divided by `unit`: what the
// optimizer sees does not depend on the units of the cost.
#pragma once

#include <vector>

#include "certificate/bound.hpp"
#include "core/team.hpp"

namespace loopcert {

class Scaling {
 public:
  Scaling(const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
          const Posterior& at, const BoundValue& bound, double unit, Team& team);

  Vector start(const Posterior& at) const;  // (Y, eta) of the posterior it was made at, 2p
  void posterior(const Vector& x, Posterior& posterior);
  // d/dx from d/dZ and d/dV at that posterior.
  void gradient(const Posterior& posterior, const MomentGradient& slopes, Vector& gradient);

 private:
  void project(Matrix& A);

  const CausalPattern& pattern_;
  const Prior& prior_;
  Team& team_;
  std::vector<Index> offset_;  // of each column among the free entries
  Matrix center_;
  Vector s2_;  // of each free entry
  Matrix R_inverse_, L_inverse_;
  double c_ = 1;
  Matrix work_, half_;
};

}  // namespace loopcert
