// The slopes of a small bound (many_bound.hpp).
#pragma once

#include "many_bound.hpp"

namespace lc {

// What needs no complexity yet: (V.*HU) U + diag(d_U) HU, and of two sides both ways.
template <class Lanes, bool With_B>
LC_DEVICE void ManyBound<Lanes, With_B>::half_slopes() {
  const ManyPlaces& p = form.at;
  const double *const V = at(p.V), *const U = at(p.U.A), *const HU = at(p.U.HA),
                      *const d_U = at(p.U.d), *const B = at(p.B.A), *const HB = at(p.B.HA),
                      *const d_B = at(p.B.d);
  double *const half_U = at(p.UU.half), *const half_B = at(p.UB.half);
  of_Z([&](int i, int j) {
    const int end = form.end_col[i];
    double of_U = d_U[i] * HU[uz(i, j)];
    for (int k = form.first_free; k < end; ++k) of_U += V[uz(i, k)] * HU[uz(i, k)] * U[zz(k, j)];
    half_U[uz(i, j)] = of_U;
    if constexpr (With_B) {
      double of_B = d_B[i] * HU[uz(i, j)] + d_U[i] * HB[uz(i, j)];
      for (int k = form.first_free; k < end; ++k)
        of_B += V[uz(i, k)] * (HB[uz(i, k)] * U[zz(k, j)] + HU[uz(i, k)] * B[zz(k, j)]);
      half_B[uz(i, j)] = of_B;
    }
  });
}

// d/dV on the free entries, after evaluate.
template <class Lanes, bool With_B>
LC_DEVICE double ManyBound<Lanes, With_B>::slope_of_variance(int e) const {
  const ManyPlaces& p = form.at;
  const int i = form.row_of[e], j = form.col_of[e], k = uz(i, j);
  const double HU = at(p.U.HA)[k], P_i = diag_P(i);
  const double wide_U = at(p.U.h)[i] + at(p.U.PPd)[i], U_j = diag(at(p.U.A), j);
  double per_a = form.with_spread ? at(p.t)[j] : 0.0;
  if (form.with_mean && v.mean_norm > 0) {
    const double z = at(p.z)[j];
    per_a += 2 * is.mean_radius / v.mean_norm * at(p.a)[j] * z * z;
  }
  double slope =
      complexity.d_phi * is.scale *
      (2 * (HU * HU + at(p.UU.slope)[e]) + 2 * at(p.UU.middle)[j] * P_i + 2 * U_j * wide_U);
  slope += per_a * P_i + 0.5 * per_kl() * (1 / form.s2 - 1 / at(p.V)[k]);
  if constexpr (With_B) {
    const double wide_B = at(p.B.h)[i] + at(p.B.PPd)[i], B_j = diag(at(p.B.A), j);
    slope += 2 * complexity.d_mean * is.scale *
             (2 * (HU * at(p.B.HA)[k] + at(p.UB.slope)[e]) + 2 * at(p.UB.middle)[j] * P_i +
              B_j * wide_U + U_j * wide_B);
  }
  return slope;
}

// d/dZ on the free entries, after evaluate(true).
template <class Lanes, bool With_B>
LC_DEVICE void ManyBound<Lanes, With_B>::slope_of_mean() {
  const ManyPlaces& p = form.at;
  const double per_C = 4 * complexity.d_phi * is.scale, per_mean = 4 * complexity.d_mean * is.scale,
               pull = per_kl() / form.s2;
  const double *const HU = at(p.U.HA), *const KU = at(p.U.KA), *const HB = at(p.B.HA),
                      *const KB = at(p.B.KA), *const half_U = at(p.UU.half),
                      *const half_B = at(p.UB.half), *const H_Sigma = at(p.H_Sigma),
                      *const Z = at(p.Z);
  double* const d_mean = at(p.d_mean);
  each(form.count, [&](int e) {
    const int i = form.row_of[e], j = form.col_of[e], k = uz(i, j);
    double of_U = times_P(half_U, i, j), more = 0;
    for (int l = 0; l < form.cols; ++l) more += HU[uz(i, l)] * KU[zz(l, j)];
    double slope = per_C * (of_U + more) + 2 * H_Sigma[k] + pull * (Z[k] - form.center[k]);
    if constexpr (With_B) {
      double of_B = times_P(half_B, i, j);
      for (int l = 0; l < form.cols; ++l)
        of_B += HU[uz(i, l)] * KB[zz(l, j)] + HB[uz(i, l)] * KU[zz(l, j)];
      slope += per_mean * of_B;
    }
    d_mean[k] = slope;
  });
  lanes.sync();
}

}  // namespace lc
