// The dual of a problem under limits (docs/theory/limits.md, learning): for weights lambda >= 0 of
// the squared deviations of rows the Lagrangian is the problem without limits for P + sum lambda_c
// p_c p_c', one causal factorization. In coordinates in which the moment S = L L' is the identity.
#pragma once

#include "core/team.hpp"
#include "learning/limited.hpp"

namespace loopcert {

class LimitedDual {
 public:
  explicit LimitedDual(const LimitedProblem& problem);

  // The minimizer of the Lagrangian.
  struct Point {
    Matrix R;          // P_lambda = R R'
    Matrix Y;          // Z L on the free columns; with gamma Z itself
    Matrix b;          // C x free columns: L^-1 S a_c
    Vector deviation;  // C, squared
  };
  Point at(const Vector& lambda);

  // -d^2 d / dlambda_c dlambda_c' = 2 sum_t (r_c,t . r_c',t) (b_c,<=t . b_c',<=t) with r_c = R^-1
  // p_c. With gamma it is one for a curvature above the true one: a direction of ascent all the
  // same.
  Matrix curvature(const Point& point);

  double cost(const Point& point) const;      // L(Z)
  Matrix response(const Point& point) const;  // Z

  int evaluations = 0;

 private:
  void prepare_white();
  Point ridge_at(const Vector& lambda, Point point);

  const LimitedProblem& problem_;
  Index free_;
  Matrix S_;       // the moment, with the smallest noise that makes it definite
  Matrix L_;       // of its free columns; empty where they are white:
  Vector scale_;   // then the diagonal of L
  Matrix B_, b0_;  // [B L^-T]_causal, and b without an input
  Vector rest_;    // C: what no input changes of a squared deviation
  Matrix last_;    // of the ridge systems
  Team team_;
};

}  // namespace loopcert
