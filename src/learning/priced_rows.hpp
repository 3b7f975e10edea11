// The smallest cost of an estimated plant under limits on rows, by prices: with white innovations
// the Lagrangian is LQR with the weights of the rows, times their prices, on top of the cost's
// (docs/theory/limits-identified.md, design).
#pragma once

#include "certificate/estimated_loop.hpp"

namespace loopcert {

// E (h'(zeta_t, u_t) - centre)^2 <= radius^2.
struct PricedRow {
  Index t = 0;        // of a finite horizon; T: the last state
  Vector h;           // n + n_u
  double centre = 0;  // 0 where nothing is constant
  double radius = 1;
};

struct PricedDesign {
  Gains gains;
  double cost = 0;
  double lower = 0;        // no gains that keep the limits cost less
  Vector mean, deviation;  // of each row's value
  Vector price;            // lambda_c: what the cost falls by as radius_c^2 grows by one
  Index worst = 0;         // the row that is furthest above its radius
  double excess = 0;       // its size over its radius, minus 1
  bool feasible = false;   // excess at most 1e-6
};

// Under these covariances of innovations and start (on zeta; not used for ever).
class PricedLoop {
 public:
  PricedLoop(const EstimatedLoop& loop, Matrix U_v, Matrix U_0);

  // The cost of the loop plus price times square for each row.
  EstimatedLoop priced(const std::vector<PricedRow>& rows, const Vector& price) const;

  // Any gains, with what the rows are under them.
  PricedDesign under(const std::vector<PricedRow>& rows, const Gains& gains) const;

  // The prices at which every row keeps its radius, or, where there are none, prices so high that
  // nothing but rows counts. `warm`: prices to begin with, or empty.
  PricedDesign solve(const std::vector<PricedRow>& rows, const Vector& warm) const;

 private:
  PricedDesign at(const std::vector<PricedRow>& rows, const Vector& price) const;

  const EstimatedLoop& loop_;
  Matrix U_v_, U_0_;
};

}  // namespace loopcert
