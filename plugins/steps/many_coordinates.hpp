// The optimizer's coordinates (learning/scaling.hpp) of one small bound.
#pragma once

#include "many_bound.hpp"

namespace lc {

template <class Lanes>
struct ManyCoordinates {
  ManyBound<Lanes>& bound;
  double unit = 1, c = 1;

  // Around the posterior at which the bound was evaluated.
  LC_DEVICE void scale() {
    const ManyForm& form = bound.form;
    const ManyPlaces& at = bound.at;
    const int n = form.cols, first = form.first_free;
    unit = fabs(bound.value);
    c = sqrt(2 * bound.per_kl() / unit);
    bound.entries(form.rows, n,
                  [&](int i, int j) { at.origin[bound.uz(i, j)] = at.Z[bound.uz(i, j)]; });
    // Gamma = 2 Sigma_hat + 4 per_C (U K~ U + pbar dbar U) + per_kl / (s^2 pbar)
    double d_bar = 0;
    for (int i = 0; i < form.rows; ++i) d_bar += at.U.d[i] / form.rows;
    const double per_C = 4 * bound.complexity.d_phi * bound.in.is.scale;
    double* G = at.L_inverse;
    bound.entries(n, n, [&](int i, int j) {
      double UKU = 0;
      for (int k = 0; k < n; ++k) UKU += at.U.A[bound.zz(i, k)] * at.U.KA[bound.zz(k, j)];
      double sum = 2 * bound.in.Sigma[bound.zz(i, j)] +
                   per_C * (UKU + form.p_bar * d_bar * at.U.A[bound.zz(i, j)]);
      if (i == j) sum += bound.per_kl() / (form.s2 * form.p_bar);
      // A column that is not free must not enter.
      G[bound.zz(i, j)] = i < first || j < first ? (i == j ? 1.0 : 0.0) : sum / unit;
    });
    bound.lanes.sync();
    factor(G, at.U.KA);
    invert(at.U.KA, G);
  }

  // The lower factor of G in L, or of its diagonal where there is none.
  LC_DEVICE void factor(const double* G, double* L) {
    const int n = bound.form.cols;
    bound.each(n * n, [&](int e) { L[e] = G[e]; });
    bound.lanes.sync();
    bool definite = true;
    for (int j = 0; j < n && definite; ++j) {
      const double pivot = L[bound.zz(j, j)];
      definite = pivot > 0;
      if (!definite) break;
      bound.lanes.sync();  // all have read the pivot
      const double root = sqrt(pivot);
      bound.each(n - j, [&](int e) {
        double& one = L[bound.zz(j + e, j)];
        one = e == 0 ? root : one / root;
      });
      bound.lanes.sync();
      const int left = n - j - 1;
      if (left > 0)
        bound.entries(left, left, [&](int i, int k) {
          if (i >= k)
            L[bound.zz(j + 1 + i, j + 1 + k)] -=
                L[bound.zz(j + 1 + i, j)] * L[bound.zz(j + 1 + k, j)];
        });
      bound.lanes.sync();
    }
    if (definite) return;
    bound.lanes.sync();
    bound.entries(n, n, [&](int i, int j) {
      L[bound.zz(i, j)] = i == j ? sqrt(fabs(G[bound.zz(i, i)])) : 0.0;
    });
    bound.lanes.sync();
  }

  LC_DEVICE void invert(const double* L, double* inverse) {
    const int n = bound.form.cols;
    bound.each(n, [&](int j) {
      for (int i = 0; i < n; ++i) {
        double sum = i == j ? 1.0 : 0.0;
        for (int k = j; k < i; ++k) sum -= L[bound.zz(i, k)] * inverse[bound.zz(k, j)];
        inverse[bound.zz(i, j)] = i < j ? 0.0 : sum / L[bound.zz(i, i)];
      }
    });
    bound.lanes.sync();
  }

  LC_DEVICE void start(double* x) {
    const int p = bound.form.count;
    bound.each(p, [&](int e) {
      x[e] = 0;
      x[p + e] = 0.5 * c * log(bound.at.V[place(e)] / bound.form.s2);
    });
    bound.lanes.sync();
  }

  // Z = Z_0 + R^-T [Y L^-1]_causal, V = s^2 exp(2 eta / c)
  LC_DEVICE void set(const double* x) {
    const ManyForm& form = bound.form;
    const ManyPlaces& at = bound.at;
    bound.each(form.count, [&](int e) {
      const int i = form.row_of[e], j = form.col_of[e];
      double sum = 0;
      for (int k = j; k < form.end_col[i]; ++k)
        sum += x[form.offset[k] + i - form.first_row[k]] * at.L_inverse[bound.zz(k, j)];
      at.work[bound.uz(i, j)] = sum;
    });
    bound.lanes.sync();
    bound.each(form.count, [&](int e) {
      const int i = form.row_of[e], j = form.col_of[e];
      double sum = 0;
      for (int k = form.first_row[j]; k <= i; ++k)
        sum += form.R_inverse[k + i * form.rows] * at.work[bound.uz(k, j)];
      at.Z[bound.uz(i, j)] = at.origin[bound.uz(i, j)] + sum;
      at.V[bound.uz(i, j)] = form.s2 * exp(x[form.count + e] * (2 / c));
    });
    bound.lanes.sync();
  }

  // dY = [R^-1 dZ L^-T]_causal, of bound / unit
  LC_DEVICE void gradient(double* g) {
    const ManyForm& form = bound.form;
    const ManyPlaces& at = bound.at;
    bound.each(form.count, [&](int e) {
      const int i = form.row_of[e], j = form.col_of[e];
      double sum = 0;
      for (int k = form.first_free; k <= j; ++k)
        sum += at.d_mean[bound.uz(i, k)] * at.L_inverse[bound.zz(j, k)];
      at.work[bound.uz(i, j)] = sum;
    });
    bound.lanes.sync();
    bound.each(form.count, [&](int e) {
      const int i = form.row_of[e], j = form.col_of[e], k0 = bound.uz(i, j);
      double sum = 0;
      for (int k = i; k < form.rows; ++k)
        sum += form.R_inverse[i + k * form.rows] * at.work[bound.uz(k, j)];
      g[e] = sum / unit;
      g[form.count + e] = 2 / c * at.d_variance[k0] * at.V[k0] / unit;
    });
    bound.lanes.sync();
  }

  LC_DEVICE int place(int e) const { return bound.uz(bound.form.row_of[e], bound.form.col_of[e]); }
};

}  // namespace lc
