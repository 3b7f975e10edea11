// ADMM between the response (robust_step) and the entries of its rows (robust_rows).
#pragma once

#include "learning/robust_limits.hpp"
#include "learning/robust_step.hpp"

namespace loopcert {

// What is minimized: the cost, with all limits kept; or, with a finite penalty, cost + penalty *
// slack with size_c <= room_c + slack.
struct RobustAim {
  double penalty = INFINITY;
  double gap = 1e-9;  // over the cost; of an elastic aim over the penalty

  bool hard() const { return std::isinf(penalty); }
};

// A response with multipliers y (columns x C) and prices, and what they prove.
struct RobustPoint {
  Matrix Y, y;
  Vector price;              // C, per unit of room
  double cost = 0;           // of Y
  double slack = INFINITY;   // largest overshoot of a row at Y
  double lower = -INFINITY;  // of the aim

  double allowed(const RobustAim& aim) const;  // gap
  bool done(const RobustAim& aim) const;
  double margin(const RobustAim& aim) const;  // rooms are this much smaller, so that Y keeps them
};

RobustPoint evaluated(const RobustProblem& problem, const RobustAim& aim, Matrix Y, Matrix y,
                      Vector price);

class RobustAdmm {
 public:
  // rho = 0: one that fits the problem.
  RobustAdmm(const RobustProblem& problem, const RobustAim& aim, const RobustPoint& start,
             double rho);

  // Until done (true), or for so many iterations.
  bool run(int iterations);
  const RobustPoint& point() const { return point_; }
  double rho() const { return step_.rho(); }
  int iterations() const { return iterations_; }
  int solves() const { return solves_; }

 private:
  void iterate();
  void balance();

  const RobustProblem& problem_;
  RobustAim aim_;
  RobustStep step_;
  RobustPoint point_;
  Matrix S_, V_, before_;  // rows' entries: with multipliers, projected, and these before
  double residual_ = INFINITY, margin_ = 0;
  int iterations_ = 0, solves_ = 0, changed_ = 0;
};

}  // namespace loopcert
