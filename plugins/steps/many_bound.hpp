// One small bound: certificate/bound.cpp by a group of lanes. Between two calls of `sync` a lane
// reads nothing that another one writes.
#pragma once

#include "many_complexity.hpp"

namespace lc {

template <class Lanes>
struct ManyBound {
  Lanes& lanes;
  const ManyForm& form;
  ManyData in;
  ManyPlaces at;
  lc_values v = {};
  ManyComplexity complexity;
  double constant = 0, value = 0;

  LC_DEVICE ManyBound(Lanes& lanes_, const ManyForm& form_, const ManyData& data,
                      ManyMemory& memory)
      : lanes(lanes_), form(form_), in(data) {
    at.place(memory, form.rows, form.cols, form.count, form.with_B);
    at.U.A = in.U;
    at.B.A = in.B;
    prepare();
  }

  // job(i, j) for all entries of a matrix.
  template <class Job>
  LC_DEVICE void entries(int rows, int cols, const Job& job) {
    const int step = lanes.count(), down = step % rows, right = step / rows;
    int i = lanes.lane() % rows, j = lanes.lane() / rows;
    while (j < cols) {
      job(i, j);
      i += down;
      j += right;
      if (i >= rows) {
        i -= rows;
        ++j;
      }
    }
  }
  template <class Job>
  LC_DEVICE void each(int size, const Job& job) {
    for (int e = lanes.lane(); e < size; e += lanes.count()) job(e);
  }

  LC_DEVICE double P(int i, int k) const { return form.P[i + k * form.rows]; }
  LC_DEVICE double diag_P(int i) const { return form.P[i * (form.rows + 1)]; }
  LC_DEVICE int uz(int i, int j) const { return i + j * form.rows; }
  LC_DEVICE int zz(int i, int j) const { return i + j * form.cols; }
  LC_DEVICE double diag(const double* A, int j) const { return A[j * (form.cols + 1)]; }

  // (P X)_ij
  LC_DEVICE double times_P(const double* X, int i, int j, int from = 0) const {
    double sum = 0;
    for (int k = from; k < form.rows; ++k) sum += P(i, k) * X[uz(k, j)];
    return sum;
  }
  // (X A)_ij for a causal X
  LC_DEVICE double causal_times(const double* X, const double* A, int i, int j) const {
    double sum = 0;
    for (int k = form.first_free; k < form.end_col[i]; ++k) sum += X[uz(i, k)] * A[zz(k, j)];
    return sum;
  }

  LC_DEVICE void prepare_side(ManySide& side) {
    entries(form.rows, form.cols, [&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < form.cols; ++k) sum += form.N_0[uz(i, k)] * side.A[zz(k, j)];
      side.N_0A[uz(i, j)] = sum;
    });
    double top = 0;
    entries(form.cols, form.cols, [&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < form.cols; ++k) sum += form.K_0[zz(i, k)] * side.A[zz(k, j)];
      side.K_0A[zz(i, j)] = sum;
      top = fmax(top, fabs(side.A[zz(i, j)]));
    });
    side.largest = lanes.largest(top);
  }
  LC_DEVICE void prepare() {
    entries(form.rows, form.cols, [&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < form.cols; ++k) sum += form.N_0[uz(i, k)] * in.Sigma[zz(k, j)];
      at.N_Sigma[uz(i, j)] = sum;
      // outside the pattern these stay zero
      at.Z[uz(i, j)] = at.V[uz(i, j)] = at.d_mean[uz(i, j)] = at.work[uz(i, j)] = 0;
    });
    double sum[1] = {};
    each(form.cols * form.cols, [&](int e) { sum[0] += form.K_0[e] * in.Sigma[e]; });
    lanes.sum(sum);
    constant = sum[0];
    prepare_side(at.U);
    if (form.with_B) prepare_side(at.B);
    lanes.sync();
  }

  // H A and d, from Z A.
  LC_DEVICE void apply(const ManySide& side) {
    entries(form.rows, form.cols, [&](int i, int j) {
      side.HA[uz(i, j)] = side.N_0A[uz(i, j)] + times_P(side.ZA, i, j);
    });
  }
  // K~ A = K_0 A + diag(a) A + N_0'(Z A) + Z'(H A), h and (P.^2) d
  LC_DEVICE void finish(const ManySide& side) {
    entries(form.cols, form.cols, [&](int i, int j) {
      double sum = side.K_0A[zz(i, j)] + at.a[i] * side.A[zz(i, j)];
      for (int k = 0; k < form.rows; ++k) sum += form.N_0[uz(k, i)] * side.ZA[uz(k, j)];
      for (int k = form.first_row[i]; k < form.rows; ++k) sum += at.Z[uz(k, i)] * side.HA[uz(k, j)];
      side.KA[zz(i, j)] = sum;
    });
    each(form.rows, [&](int i) {
      double h = 0, PPd = 0;
      for (int j = 0; j < form.cols; ++j) h += side.HA[uz(i, j)] * at.H[uz(i, j)];
      for (int k = 0; k < form.rows; ++k) PPd += P(i, k) * P(i, k) * side.d[k];
      side.h[i] = h;
      side.PPd[i] = PPd;
    });
  }

  // (P.^2) V (A.*B) on the free entries; `work` is full of V (A.*B).
  LC_DEVICE void spread_of_pair(const ManyPair& pair) {
    each(form.count, [&](int e) {
      const int i = form.row_of[e], j = form.col_of[e];
      double sum = 0;
      for (int k = 0; k < form.rows; ++k) sum += P(i, k) * P(i, k) * at.work[uz(k, j)];
      pair.slope[e] = sum;
    });
  }
  LC_DEVICE void work_of_pair(const ManySide& A, const ManySide& B) {
    entries(form.rows, form.cols, [&](int i, int j) {
      double sum = 0;
      for (int k = form.first_free; k < form.end_col[i]; ++k)
        sum += at.V[uz(i, k)] * (A.A[zz(k, j)] * B.A[zz(k, j)]);
      at.work[uz(i, j)] = sum;
    });
  }

  // w_j = ||v .* A_j|| in units of the largest of each
  LC_DEVICE void weights(const ManySide& side, double top, double* w) {
    const double inverse = side.largest > 0 && top > 0 ? 1 / (side.largest * top) : 0.0;
    each(form.cols, [&](int j) {
      double sum = 0;
      for (int i = 0; i < form.cols; ++i) {
        const double one = at.v[i] * (side.A[zz(i, j)] * inverse);
        sum += one * one;
      }
      w[j] = sqrt(sum);
    });
  }
  LC_DEVICE void middle(const ManySide& A, const ManySide& B, const ManyPair& pair) {
    each(form.cols, [&](int j) {
      double sum = 0;
      for (int i = 0; i < form.cols; ++i) sum += A.A[zz(i, j)] * B.KA[zz(i, j)];
      pair.middle[j] = sum;
    });
  }

  // q(A, B) and what rounding moves of it: to sum[0], sum[1], and for different sides sum[2].
  LC_DEVICE void add_pair(const ManySide& A, const ManySide& B, const ManyPair& pair, double top,
                          bool same, double* sum) {
    each(form.count, [&](int e) {
      const int k = uz(form.row_of[e], form.col_of[e]);
      sum[0] += at.V[k] * (2 * A.HA[k] * B.HA[k] + pair.slope[e]);
    });
    each(form.rows, [&](int i) { sum[0] += B.d[i] * (A.h[i] + A.PPd[i]) + A.d[i] * B.h[i]; });
    const double inverse = top > 0 ? 1 / top : 0.0;
    const double* w_B = same ? at.w : at.w_other;
    entries(form.cols, form.cols, [&](int i, int j) {
      sum[0] += A.KA[zz(i, j)] * B.KA[zz(j, i)];
      const double of_A = at.w[i] * A.largest * (B.KA[zz(i, j)] * (at.v[j] * inverse));
      sum[1] += of_A * of_A;
      if (same) return;
      const double of_B = w_B[i] * B.largest * (A.KA[zz(i, j)] * (at.v[j] * inverse));
      sum[2] += of_B * of_B;
    });
  }

  // The bound at (Z, V). False where the processor would throw.
  LC_DEVICE bool evaluate() {
    point();
    lanes.sync();
    apply(at.U);
    if (form.with_B) apply(at.B);
    entries(form.rows, form.cols, [&](int i, int j) {
      at.H_Sigma[uz(i, j)] = at.N_Sigma[uz(i, j)] + times_P(at.Z_Sigma, i, j);
    });
    work_of_pair(at.U, at.U);
    double top = 0;
    each(form.cols, [&](int j) { top = fmax(top, at.v[j]); });
    top = lanes.largest(top);  // and sync
    finish(at.U);
    if (form.with_B) finish(at.B);
    spread_of_pair(at.UU);
    weights(at.U, top, at.w);
    if (form.with_B) weights(at.B, top, at.w_other);
    lanes.sync();
    middle(at.U, at.U, at.UU);
    if (form.with_B) {
      middle(at.U, at.B, at.UB);
      work_of_pair(at.U, at.B);
      lanes.sync();
      spread_of_pair(at.UB);
      lanes.sync();
    }
    return add_up(top);
  }

  LC_DEVICE void point() {
    entries(form.rows, form.cols, [&](int i, int j) {
      at.H[uz(i, j)] = form.N_0[uz(i, j)] + times_P(at.Z, i, j, form.first_row[j]);
      double of_Sigma = 0, of_U = 0;
      for (int k = form.first_free; k < form.end_col[i]; ++k) {
        const double z = at.Z[uz(i, k)];
        of_Sigma += z * in.Sigma[zz(k, j)];
        of_U += z * in.U[zz(k, j)];
      }
      at.Z_Sigma[uz(i, j)] = of_Sigma;
      at.U.ZA[uz(i, j)] = of_U;
      if (form.with_B) at.B.ZA[uz(i, j)] = causal_times(at.Z, in.B, i, j);
    });
    each(form.cols + form.rows, [&](int e) {
      if (e < form.cols) {
        double a = 0, square = 0;
        for (int i = form.first_row[e]; i < form.rows; ++i) {
          const double z = at.Z[uz(i, e)];
          a += at.V[uz(i, e)] * diag_P(i);
          square += diag_P(i) * (z * z);
        }
        const double k = diag(form.K_0, e);
        at.a[e] = a;
        at.v[e] = sqrt(k > 0 ? k : 0.0) + sqrt(square);
        return;
      }
      const int i = e - form.cols;
      double d_U = 0, d_B = 0;
      for (int j = form.first_free; j < form.end_col[i]; ++j) {
        d_U += at.V[uz(i, j)] * diag(in.U, j);
        if (form.with_B) d_B += at.V[uz(i, j)] * diag(in.B, j);
      }
      at.U.d[i] = d_U;
      if (form.with_B) at.B.d[i] = d_B;
    });
  }

  LC_DEVICE bool add_up(double top) {
    double s[10] = {};  // empirical, 2 KL, spread, mean, size, C, moved, mean term, moved twice
    const double inverse = 1 / form.s2;
    each(form.count, [&](int e) {
      const int k = uz(form.row_of[e], form.col_of[e]);
      const double part = at.V[k] * inverse, step = at.Z[k] - form.center[k];
      s[0] += at.Z[k] * (at.N_Sigma[k] + at.H_Sigma[k]);
      s[1] += part - 1 - log(part) + inverse * step * step;
    });
    each(form.cols, [&](int j) {
      s[2] += in.t ? in.t[j] * at.a[j] : 0.0;
      if (form.with_mean) s[3] += at.a[j] * in.z[j] * (at.a[j] * in.z[j]);
      s[4] += at.v[j] * at.v[j] * diag(in.Sigma, j);
    });
    add_pair(at.U, at.U, at.UU, top, true, s + 5);
    if (form.with_B) add_pair(at.U, at.B, at.UB, top, false, s + 7);
    lanes.sum(s);
    const double scale = top * top;  // of what rounding moves
    v.empirical = constant + s[0];
    v.kl = 0.5 * s[1];
    v.spread = s[2];
    v.mean_norm = sqrt(s[3]);
    v.size = s[4];
    v.C = s[5];
    v.moved_C = 2 * scale * sqrt(s[6]);
    v.mean_term = 2 * s[7];
    v.moved_mean = scale * (sqrt(s[8]) + sqrt(s[9]));
    const double rate = (v.kl + in.is.log_term) / in.is.weight;
    const double all = rate + v.C + v.mean_term + v.empirical;
    if (!(all - all == 0)) return false;
    complexity = many_complexity(form, in.is, rate, v.C, v.mean_term);
    value = v.empirical + v.spread + 2 * in.is.mean_radius * v.mean_norm + complexity.value;
    if (!(value - value == 0)) return false;
    const double lost =
        2.220446049250313e-15 * (v.size + in.is.scale * complexity.d_phi * v.moved_C +
                                 2 * in.is.scale * complexity.d_mean * v.moved_mean);
    return lost <= 1e-9 * value && !(complexity.d_phi > 0 && v.C < 1e-280);
  }

  LC_DEVICE double per_kl() const { return complexity.d_rate / in.is.weight; }

  // d/dV on the free entries, after evaluate.
  LC_DEVICE double slope_of_variance(int e) const {
    const int i = form.row_of[e], j = form.col_of[e], k = uz(i, j);
    const ManySide &U = at.U, &B = at.B;
    const double HU = U.HA[k], P_i = diag_P(i);
    double per_a = in.t ? in.t[j] : 0.0;
    if (form.with_mean && v.mean_norm > 0)
      per_a += 2 * in.is.mean_radius / v.mean_norm * at.a[j] * in.z[j] * in.z[j];
    double slope = complexity.d_phi * in.is.scale *
                   (2 * (HU * HU + at.UU.slope[e]) + 2 * at.UU.middle[j] * P_i +
                    2 * diag(U.A, j) * (U.h[i] + U.PPd[i]));
    slope += per_a * P_i + 0.5 * per_kl() * (1 / form.s2 - 1 / at.V[k]);
    if (form.with_B)
      slope += 2 * complexity.d_mean * in.is.scale *
               (2 * (HU * B.HA[k] + at.UB.slope[e]) + 2 * at.UB.middle[j] * P_i +
                diag(B.A, j) * (U.h[i] + U.PPd[i]) + diag(U.A, j) * (B.h[i] + B.PPd[i]));
    return slope;
  }

  // d/dZ and d/dV on the free entries.
  LC_DEVICE void slopes() {
    const ManySide &U = at.U, &B = at.B;
    const double per_C = 4 * complexity.d_phi * in.is.scale,
                 per_mean = 4 * complexity.d_mean * in.is.scale;
    // per_C ((V.*HU) U + diag(d_U) HU), and of two sides both ways
    entries(form.rows, form.cols, [&](int i, int j) {
      double of_U = U.d[i] * U.HA[uz(i, j)], of_B = 0;
      for (int k = form.first_free; k < form.end_col[i]; ++k)
        of_U += at.V[uz(i, k)] * U.HA[uz(i, k)] * U.A[zz(k, j)];
      if (form.with_B) {
        of_B = B.d[i] * U.HA[uz(i, j)] + U.d[i] * B.HA[uz(i, j)];
        for (int k = form.first_free; k < form.end_col[i]; ++k)
          of_B +=
              at.V[uz(i, k)] * (B.HA[uz(i, k)] * U.A[zz(k, j)] + U.HA[uz(i, k)] * B.A[zz(k, j)]);
      }
      at.work[uz(i, j)] = per_C * of_U + per_mean * of_B;
    });
    lanes.sync();
    const double pull = per_kl() / form.s2;
    each(form.count, [&](int e) {
      const int i = form.row_of[e], j = form.col_of[e], k = uz(i, j);
      double of_U = 0, of_B = 0;
      for (int l = 0; l < form.cols; ++l) of_U += U.HA[uz(i, l)] * U.KA[zz(l, j)];
      if (form.with_B)
        for (int l = 0; l < form.cols; ++l)
          of_B += U.HA[uz(i, l)] * B.KA[zz(l, j)] + B.HA[uz(i, l)] * U.KA[zz(l, j)];
      at.d_mean[k] = per_C * of_U + per_mean * of_B + times_P(at.work, i, j) + 2 * at.H_Sigma[k] +
                     pull * (at.Z[k] - form.center[k]);
      at.d_variance[k] = slope_of_variance(e);
    });
    lanes.sync();
  }
};

}  // namespace lc
