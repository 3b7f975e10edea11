// Many small problems, each by a few lanes of a device that share its memory: sizes, numbers and
// where they lie. The lanes of a group run all of it together, the same way.
#pragma once

#include <cmath>

#include "device/plugin_api.h"
#include "matrix.hpp"

namespace lc {

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
};

struct ManyData {
  const double *Sigma, *U, *B, *t, *z;
  lc_many_numbers is;
};

constexpr int many_memory = 12;  // pairs: OptimizerOptions::memory

// Memory for one group: fast while there is some, then slow. Without any it counts.
struct ManyMemory {
  double* fast = nullptr;
  long fast_left = 0;
  double* slow = nullptr;
  long used_fast = 0, used_slow = 0;

  LC_DEVICE double* take(long count) {
    if (used_fast + count <= fast_left) {
      used_fast += count;
      return fast + (used_fast - count);
    }
    used_slow += count;
    return slow ? slow + (used_slow - count) : nullptr;
  }
};

// One side of a quartic moment, as side.hpp has it.
struct ManySide {
  const double* A;
  double *N_0A, *K_0A, *ZA, *HA, *KA;
  double *d, *h, *PPd;
  double largest;
};
struct ManyPair {
  double *slope, *middle;  // (P.^2) V (A.*B) on the free entries; diag(A K~ B)
};

struct ManyPlaces {
  double *Z, *V, *H, *Z_Sigma, *H_Sigma, *N_Sigma, *work, *d_mean, *d_variance, *origin;
  double *a, *v, *w, *w_other;
  ManySide U, B;
  ManyPair UU, UB;
  double* L_inverse;
  double *x, *g, *next_x, *next_g, *direction;
  double *steps, *changes;

  LC_DEVICE static void place(ManySide& side, ManyMemory& m, long mn, long nn, long rows) {
    side.ZA = m.take(mn);
    side.HA = m.take(mn);
    side.KA = m.take(nn);
    side.d = m.take(rows);
    side.h = m.take(rows);
    side.PPd = m.take(rows);
    side.N_0A = m.take(mn);
    side.K_0A = m.take(nn);
    side.largest = 0;
  }
  // What is used most comes first.
  LC_DEVICE void place(ManyMemory& m, long rows, long cols, long p, bool with_B) {
    const long mn = rows * cols, nn = cols * cols;
    for (double** one : {&Z, &V, &H, &work, &H_Sigma}) *one = m.take(mn);
    for (double** one : {&a, &v, &w, &w_other}) *one = m.take(cols);
    place(U, m, mn, nn, rows);
    UU.slope = m.take(p);
    UU.middle = m.take(cols);
    for (double** one : {&Z_Sigma, &N_Sigma, &d_mean, &d_variance}) *one = m.take(mn);
    L_inverse = m.take(nn);
    for (double** one : {&direction, &next_x, &next_g, &x, &g}) *one = m.take(2 * p);
    origin = m.take(mn);
    if (with_B) {
      place(B, m, mn, nn, rows);
      UB.slope = m.take(p);
      UB.middle = m.take(cols);
    }
    steps = m.take(2 * p * many_memory);
    changes = m.take(2 * p * many_memory);
  }
};

// Doubles that one group needs.
inline long many_doubles(long rows, long cols, long p, bool with_B) {
  ManyPlaces places;
  ManyMemory all;
  places.place(all, rows, cols, p, with_B);
  return all.used_slow;
}

}  // namespace lc
