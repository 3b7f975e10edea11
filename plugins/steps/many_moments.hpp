// What a small bound is made of (many_bound.hpp).
#pragma once

#include "many_bound.hpp"

namespace lc {

// H = N_0 + P Z, Z Sigma_hat, Z U, and of columns and rows a, v, d.
template <class Lanes, bool With_B>
LC_DEVICE void ManyBound<Lanes, With_B>::point() {
  const ManyPlaces& p = form.at;
  const double *const Z = at(p.Z), *const V = at(p.V), *const Sigma = at(p.Sigma),
                      *const U = at(p.U.A), *const B = at(p.B.A);
  double *const H = at(p.H), *const Z_Sigma = at(p.Z_Sigma), *const ZU = at(p.U.ZA),
                *const ZB = at(p.B.ZA);
  of_Z([&](int i, int j) {
    H[uz(i, j)] = form.N_0[uz(i, j)] + times_P(Z, i, j, form.first_row[j]);
    double of_Sigma = 0, of_U = 0, of_B = 0;
    const int end = form.end_col[i];
    for (int k = form.first_free; k < end; ++k) {
      const double z = Z[uz(i, k)];
      of_Sigma += z * Sigma[zz(k, j)];
      of_U += z * U[zz(k, j)];
      if constexpr (With_B) of_B += z * B[zz(k, j)];
    }
    Z_Sigma[uz(i, j)] = of_Sigma;
    ZU[uz(i, j)] = of_U;
    if constexpr (With_B) ZB[uz(i, j)] = of_B;
  });
  double *const a_of = at(p.a), *const v_of = at(p.v), *const d_of_U = at(p.U.d),
                *const d_of_B = at(p.B.d);
  each(form.cols + form.rows, [&](int e) {
    if (e < form.cols) {
      double a = 0, square = 0;
      for (int i = form.first_row[e]; i < form.rows; ++i) {
        const double z = Z[uz(i, e)];
        a += V[uz(i, e)] * diag_P(i);
        square += diag_P(i) * (z * z);
      }
      const double k = diag(form.K_0, e);
      a_of[e] = a;
      v_of[e] = sqrt(k > 0 ? k : 0.0) + sqrt(square);
      return;
    }
    const int i = e - form.cols;
    double d_U = 0, d_B = 0;
    for (int j = form.first_free; j < form.end_col[i]; ++j) {
      d_U += V[uz(i, j)] * diag(U, j);
      if constexpr (With_B) d_B += V[uz(i, j)] * diag(B, j);
    }
    d_of_U[i] = d_U;
    if constexpr (With_B) d_of_B[i] = d_B;
  });
}

// H Sigma_hat and H A, from Z Sigma_hat and Z A.
template <class Lanes, bool With_B>
LC_DEVICE void ManyBound<Lanes, With_B>::apply() {
  const ManyPlaces& p = form.at;
  const double *const Z_Sigma = at(p.Z_Sigma), *const N_Sigma = at(p.N_Sigma),
                      *const ZU = at(p.U.ZA), *const N_0U = at(p.U.N_0A);
  double *const H_Sigma = at(p.H_Sigma), *const HU = at(p.U.HA);
  of_Z([&](int i, int j) {
    double of_Sigma = N_Sigma[uz(i, j)], of_U = N_0U[uz(i, j)];
    for (int k = 0; k < form.rows; ++k) {
      const double one = P(i, k);
      of_Sigma += one * Z_Sigma[uz(k, j)];
      of_U += one * ZU[uz(k, j)];
    }
    H_Sigma[uz(i, j)] = of_Sigma;
    HU[uz(i, j)] = of_U;
  });
}
template <class Lanes, bool With_B>
LC_DEVICE void ManyBound<Lanes, With_B>::apply_B() {
  const ManySide& B = form.at.B;
  const double *const ZB = at(B.ZA), *const N_0B = at(B.N_0A);
  double* const HB = at(B.HA);
  of_Z([&](int i, int j) { HB[uz(i, j)] = N_0B[uz(i, j)] + times_P(ZB, i, j); });
}

// K~ A = K_0 A + diag(a) A + N_0'(Z A) + Z'(H A), h and (P.^2) d
template <class Lanes, bool With_B>
LC_DEVICE void ManyBound<Lanes, With_B>::finish(const ManySide& side) {
  const ManyPlaces& p = form.at;
  const double *const A = at(side.A), *const K_0A = at(side.K_0A), *const ZA = at(side.ZA),
                      *const HA = at(side.HA), *const Z = at(p.Z), *const H = at(p.H),
                      *const a = at(p.a), *const d = at(side.d);
  double *const KA = at(side.KA), *const h_of = at(side.h), *const PPd_of = at(side.PPd);
  of_square([&](int i, int j) {
    double sum = K_0A[zz(i, j)] + a[i] * A[zz(i, j)], other = 0;
    for (int k = 0; k < form.rows; ++k) sum += form.N_0[uz(k, i)] * ZA[uz(k, j)];
    for (int k = form.first_row[i]; k < form.rows; ++k) other += Z[uz(k, i)] * HA[uz(k, j)];
    KA[zz(i, j)] = sum + other;
  });
  each(form.rows, [&](int i) {
    double h = 0, PPd = 0;
    for (int j = 0; j < form.cols; ++j) h += HA[uz(i, j)] * H[uz(i, j)];
    for (int k = 0; k < form.rows; ++k) PPd += P(i, k) * P(i, k) * d[k];
    h_of[i] = h;
    PPd_of[i] = PPd;
  });
}

// V (A.*B) to `work`, and then (P.^2) V (A.*B) on the free entries.
template <class Lanes, bool With_B>
LC_DEVICE void ManyBound<Lanes, With_B>::work_of_pair(const ManySide& A, const ManySide& B) {
  const double *const of_A = at(A.A), *const of_B = at(B.A), *const V = at(form.at.V);
  double* const work = at(form.at.work);
  of_Z([&](int i, int j) {
    double sum = 0;
    const int end = form.end_col[i];
    for (int k = form.first_free; k < end; ++k)
      sum += V[uz(i, k)] * (of_A[zz(k, j)] * of_B[zz(k, j)]);
    work[uz(i, j)] = sum;
  });
}
template <class Lanes, bool With_B>
LC_DEVICE void ManyBound<Lanes, With_B>::spread_of_pair(const ManyPair& pair) {
  const double* const work = at(form.at.work);
  double* const slope = at(pair.slope);
  each(form.count, [&](int e) {
    const int i = form.row_of[e], j = form.col_of[e];
    double sum = 0;
    for (int k = 0; k < form.rows; ++k) sum += P(i, k) * P(i, k) * work[uz(k, j)];
    slope[e] = sum;
  });
}

// w_j = ||v .* A_j|| in units of the largest of each
template <class Lanes, bool With_B>
LC_DEVICE void ManyBound<Lanes, With_B>::weights(const ManySide& side, double largest, double top,
                                                 int to) {
  const double *const A = at(side.A), *const size_of = at(form.at.v);
  double* const w = at(to);
  const double inverse = largest > 0 && top > 0 ? 1 / (largest * top) : 0.0;
  each(form.cols, [&](int j) {
    double sum = 0;
    for (int i = 0; i < form.cols; ++i) {
      const double one = size_of[i] * (A[zz(i, j)] * inverse);
      sum += one * one;
    }
    w[j] = sqrt(sum);
  });
}
template <class Lanes, bool With_B>
LC_DEVICE void ManyBound<Lanes, With_B>::middle(const ManySide& A, const ManySide& B,
                                                const ManyPair& pair) {
  const double *const of_A = at(A.A), *const KB = at(B.KA);
  double* const to = at(pair.middle);
  each(form.cols, [&](int j) {
    double sum = 0;
    for (int i = 0; i < form.cols; ++i) sum += of_A[zz(i, j)] * KB[zz(i, j)];
    to[j] = sum;
  });
}

// q(A, B) and what rounding moves of it: to sum[0], sum[1], and for different sides sum[2].
template <class Lanes, bool With_B>
template <bool Same>
LC_DEVICE void ManyBound<Lanes, With_B>::add_pair(const ManySide& A, const ManySide& B,
                                                  const ManyPair& pair, double top, double* sum) {
  const ManyPlaces& p = form.at;
  const double *const V = at(p.V), *const HA = at(A.HA), *const HB = at(B.HA),
                      *const slope = at(pair.slope), *const d_A = at(A.d), *const d_B = at(B.d),
                      *const h_A = at(A.h), *const h_B = at(B.h), *const PPd = at(A.PPd),
                      *const KA = at(A.KA), *const KB = at(B.KA), *const size_of = at(p.v),
                      *const w = at(p.w), *const w_B = at(p.w_other);
  each(form.count, [&](int e) {
    const int k = uz(form.row_of[e], form.col_of[e]);
    sum[0] += V[k] * (2 * HA[k] * HB[k] + slope[e]);
  });
  each(form.rows, [&](int i) { sum[0] += d_B[i] * (h_A[i] + PPd[i]) + d_A[i] * h_B[i]; });
  const double inverse = top > 0 ? 1 / top : 0.0;
  of_square([&](int i, int j) {
    sum[0] += KA[zz(i, j)] * KB[zz(j, i)];
    const double of_A = w[i] * largest_U * (KB[zz(i, j)] * (size_of[j] * inverse));
    sum[1] += of_A * of_A;
    if constexpr (!Same) {
      const double of_B = w_B[i] * largest_B * (KA[zz(i, j)] * (size_of[j] * inverse));
      sum[2] += of_B * of_B;
    }
  });
}

template <class Lanes, bool With_B>
LC_DEVICE bool ManyBound<Lanes, With_B>::add_up(double top) {
  const ManyPlaces& p = form.at;
  const double *const Z = at(p.Z), *const V = at(p.V), *const N_Sigma = at(p.N_Sigma),
                      *const H_Sigma = at(p.H_Sigma), *const Sigma = at(p.Sigma),
                      *const t = at(p.t), *const z = at(p.z), *const a = at(p.a),
                      *const size_of = at(p.v);
  // empirical, 2 KL, spread, mean, size, C, moved, mean term, moved twice
  double s[With_B ? 10 : 7] = {};
  const double inverse = 1 / form.s2;
  each(form.count, [&](int e) {
    const int k = uz(form.row_of[e], form.col_of[e]);
    const double part = V[k] * inverse, step = Z[k] - form.center[k];
    s[0] += Z[k] * (N_Sigma[k] + H_Sigma[k]);
    s[1] += part - 1 - log(part) + inverse * step * step;
  });
  each(form.cols, [&](int j) {
    s[2] += form.with_spread ? t[j] * a[j] : 0.0;
    if (form.with_mean) s[3] += a[j] * z[j] * (a[j] * z[j]);
    s[4] += size_of[j] * size_of[j] * diag(Sigma, j);
  });
  add_pair<true>(p.U, p.U, p.UU, top, s + 5);
  if constexpr (With_B) add_pair<false>(p.U, p.B, p.UB, top, s + 7);
  lanes.sum(s);
  const double scale = top * top;  // of what rounding moves
  v.empirical = constant + s[0];
  v.kl = 0.5 * s[1];
  v.spread = s[2];
  v.mean_norm = sqrt(s[3]);
  v.size = s[4];
  v.C = s[5];
  v.moved_C = 2 * scale * sqrt(s[6]);
  if constexpr (With_B) {
    v.mean_term = 2 * s[7];
    v.moved_mean = scale * (sqrt(s[8]) + sqrt(s[9]));
  }
  const double rate = (v.kl + is.log_term) / is.weight;
  const double all = rate + v.C + v.mean_term + v.empirical;
  if (!(all - all == 0)) return false;
  complexity = many_complexity(form, is, rate, v.C, v.mean_term);
  value = v.empirical + v.spread + 2 * is.mean_radius * v.mean_norm + complexity.value;
  if (!(value - value == 0)) return false;
  const double lost = 2.220446049250313e-15 * (v.size + is.scale * complexity.d_phi * v.moved_C +
                                               2 * is.scale * complexity.d_mean * v.moved_mean);
  return lost <= 1e-9 * value && !(complexity.d_phi > 0 && v.C < 1e-280);
}

}  // namespace lc
