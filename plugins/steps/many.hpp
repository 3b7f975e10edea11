// Many small problems, each by a few lanes of a device that share its memory: sizes, numbers and
// where they lie. The lanes of a group run all of it together, the same way.
#pragma once

#include <cmath>

#include "device/plugin_api.h"
#include "matrix.hpp"

namespace lc {

constexpr int many_memory = 12;  // pairs: OptimizerOptions::memory

// One side of a quartic moment, as side.hpp has it. Offsets into a group's memory, as below.
struct ManySide {
  int A, N_0A, K_0A, ZA, HA, KA;
  int d, h, PPd;
};
struct ManyPair {
  int slope, middle;  // (P.^2) V (A.*B) on the free entries; diag(A K~ B)
  int half;           // (V.*HB) A + diag(d_B) HA, and exchanged
};

// Offsets are the same for all groups, so they cost no registers. What is used all the time lies
// together in the first `size` numbers; the optimizer's pairs lie elsewhere.
struct ManyPlaces {
  int data, Sigma, t, z;  // a data set, as ManyBatch::pack leaves it
  int Z, V, H, Z_Sigma, H_Sigma, N_Sigma, work, d_mean, origin;
  int a, v, w, w_other;
  ManySide U, B;
  ManyPair UU, UB;
  int L_inverse;
  int x, g, next_x, next_g, direction;
  int inverse, alpha;  // of the pairs
  int size, pairs_size;
};

// What all problems of a batch share. Matrices in columns without gaps.
struct ManyForm {
  int rows, cols, count, first_free;    // d_u, d_z, p
  const int *first_row, *end_col;       // of columns, of rows
  const int *offset, *row_of, *col_of;  // of columns among the free entries; of free entries
  const double *P, *N_0, *K_0, *R_inverse, *center;
  double s2, p_bar;
  bool with_B, with_mean, with_spread;
  int psi, rank;
  double tolerance;
  int max_iterations;
  int data_size;
  ManyPlaces at;
};

struct ManyPlacing {
  int taken = 0;

  int take(int count) {
    taken += count;
    return taken - count;
  }
  void place(ManySide& side, int mn, int nn, int rows) {
    for (int* one : {&side.ZA, &side.HA, &side.N_0A}) *one = take(mn);
    for (int* one : {&side.KA, &side.K_0A}) *one = take(nn);
    for (int* one : {&side.d, &side.h, &side.PPd}) *one = take(rows);
  }
};

inline ManyPlaces many_places(const ManyForm& form) {
  const int rows = form.rows, cols = form.cols, p = form.count, mn = rows * cols, nn = cols * cols;
  ManyPlacing m;
  ManyPlaces at = {};
  at.data = at.Sigma = m.take(nn);
  at.U.A = m.take(nn);
  if (form.with_B) at.B.A = m.take(nn);
  if (form.with_spread) at.t = m.take(cols);
  if (form.with_mean) at.z = m.take(cols);
  for (int* one :
       {&at.Z, &at.V, &at.H, &at.work, &at.H_Sigma, &at.Z_Sigma, &at.N_Sigma, &at.origin})
    *one = m.take(mn);
  for (int* one : {&at.a, &at.v, &at.w}) *one = m.take(cols);
  m.place(at.U, mn, nn, rows);
  at.UU.slope = m.take(p);
  at.UU.middle = m.take(cols);
  // What nobody reads any more makes room.
  at.UU.half = at.Z_Sigma;
  at.d_mean = at.U.ZA;
  at.L_inverse = m.take(nn);
  for (int* one : {&at.direction, &at.next_x, &at.next_g, &at.x, &at.g}) *one = m.take(2 * p);
  at.inverse = m.take(many_memory);
  at.alpha = m.take(many_memory);
  if (form.with_B) {
    at.w_other = m.take(cols);
    m.place(at.B, mn, nn, rows);
    at.UB.slope = m.take(p);
    at.UB.middle = m.take(cols);
    at.UB.half = m.take(mn);
  }
  at.size = m.taken;
  at.pairs_size = 2 * (2 * p) * many_memory;
  return at;
}

}  // namespace lc
