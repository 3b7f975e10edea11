// q(A, B) = E tr(K A K B) and its slopes, in steps that share their products. With H = N_0 + P Z,
// a = V' diag(P), K~ = Z'H + N_0'Z + K_0 + diag(a) = E K for independent entries of variance V:
//
//   q(A, B) = tr(K~A K~B) + <V, 2 (H A).*(H B) + (P.^2) V (A.*B)>
//           + d_B'h_A + d_A'h_B + d_A'(P.^2) d_B,     d_A = V diag(A), h_A = diag(H A H').
//
// No product of two d_z x d_z matrices, and causal factors and results cost half.
#pragma once

#include "certificate/quartic.hpp"
#include "core/team.hpp"

namespace loopcert {

// What depends on the space alone.
struct QuarticSpace {
  explicit QuarticSpace(const QuadraticForm& quadratic_form);

  const QuadraticForm& form;
  Vector diag_P;
  Matrix PP;  // P.^2
};

// The posterior's mean and spread, as both sides need them.
struct QuarticPoint {
  const Posterior* posterior = nullptr;
  Matrix H;  // N_0 + P Z
  Vector a;  // V' diag(P)
};
void set_point(const QuarticSpace& form, const Posterior& posterior, QuarticPoint& point,
               Team& team);

// One of the two symmetric matrices.
struct QuarticSide {
  QuarticSide(const QuarticSpace& form, const Matrix& A, Team& team);

  const Matrix& A;
  Matrix N_0A, K_0A;
  Vector diag_A;
  // at a point
  Matrix ZA, HA, KA;  // Z A, H A, K~ A
  Vector d, h;        // V diag(A), diag(H A H')
};
// ZA and HA; a caller that knows them better sets them itself.
void apply_mean(const QuarticSpace& form, const QuarticPoint& point, QuarticSide& side, Team& team);
// KA, d and h from ZA and HA.
void finish_side(const QuarticSpace& form, const QuarticPoint& point, QuarticSide& side,
                 Team& team);

// Two sides, which may be one and the same.
struct QuarticPair {
  QuarticPair(const QuarticSide& A, const QuarticSide& B);

  const QuarticSide &left, &right;
  Matrix AB;  // A.*B
  Matrix work, sum;

  bool same() const { return &left == &right; }
};
// q, and d/dV in the causal entries of `slope`.
double value_and_slope(const QuarticSpace& form, const QuarticPoint& point, QuarticPair& pair,
                       Matrix& slope, Team& team);
// d/dZ = the returned factor times the causal entries of `slope`.
double mean_slope(const QuarticSpace& form, const QuarticPoint& point, QuarticPair& pair,
                  Matrix& slope, Team& team);

}  // namespace loopcert
