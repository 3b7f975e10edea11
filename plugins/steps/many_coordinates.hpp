// The optimizer's coordinates (learning/scaling.hpp) of one small bound.
#pragma once

#include "many_bound.hpp"

namespace lc {

template <class Lanes, bool With_B>
struct ManyCoordinates {
  ManyBound<Lanes, With_B>& bound;
  double unit = 1, c = 1;

  // Around the posterior at which the bound was evaluated; K~ U goes.
  LC_DEVICE void scale() {
    const ManyForm& form = bound.form;
    const ManyPlaces& p = form.at;
    const int n = form.cols, first = form.first_free;
    const double *const Z = bound.at(p.Z), *const A = bound.at(p.U.A), *const d = bound.at(p.U.d),
                        *const Sigma = bound.at(p.Sigma);
    double *const origin = bound.at(p.origin), *const KA = bound.at(p.U.KA),
                  *const G = bound.at(p.L_inverse);
    unit = fabs(bound.value);
    c = sqrt(2 * bound.per_kl() / unit);
    bound.of_Z([&](int i, int j) { origin[bound.uz(i, j)] = Z[bound.uz(i, j)]; });
    // Gamma = 2 Sigma_hat + 4 per_C (U K~ U + pbar dbar U) + per_kl / (s^2 pbar)
    double d_bar = 0;
    for (int i = 0; i < form.rows; ++i) d_bar += d[i] / form.rows;
    const double per_C = 4 * bound.complexity.d_phi * bound.is.scale;
    bound.of_square([&](int i, int j) {
      double UKU = 0;
      for (int k = 0; k < n; ++k) UKU += A[bound.zz(i, k)] * KA[bound.zz(k, j)];
      double sum =
          2 * Sigma[bound.zz(i, j)] + per_C * (UKU + form.p_bar * d_bar * A[bound.zz(i, j)]);
      if (i == j) sum += bound.per_kl() / (form.s2 * form.p_bar);
      // A column that is not free must not enter.
      G[bound.zz(i, j)] = i < first || j < first ? (i == j ? 1.0 : 0.0) : sum / unit;
    });
    bound.lanes.sync();
    factor(G, KA);
    invert(KA, G);
  }

  // The lower factor of G in L, or of its diagonal where there is none.
  LC_DEVICE void factor(const double* G, double* L) {
    const int n = bound.form.cols;
    bound.each(n * n, [&](int e) { L[e] = G[e]; });
    bound.lanes.sync();
    bool definite = true;
    for (int j = 0; j < n; ++j) {
      const double pivot = L[bound.zz(j, j)];
      definite = pivot > 0;
      bound.lanes.sync();  // all have read the pivot
      if (!definite) break;
      const double root = sqrt(pivot);
      bound.each(n - j, [&](int e) {
        double& one = L[bound.zz(j + e, j)];
        one = e == 0 ? root : one / root;
      });
      bound.lanes.sync();
      bound.of_square([&](int i, int k) {
        if (k > j && i >= k) L[bound.zz(i, k)] -= L[bound.zz(i, j)] * L[bound.zz(k, j)];
      });
      bound.lanes.sync();
    }
    if (definite) return;
    bound.of_square(
        [&](int i, int j) { L[bound.zz(i, j)] = i == j ? sqrt(fabs(G[bound.zz(i, i)])) : 0.0; });
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
    const double* const V = bound.at(bound.form.at.V);
    bound.each(p, [&](int e) {
      x[e] = 0;
      x[p + e] = 0.5 * c * log(V[place(e)] / bound.form.s2);
    });
    bound.lanes.sync();
  }

  // Z = Z_0 + R^-T [Y L^-1]_causal, V = s^2 exp(2 eta / c)
  LC_DEVICE void set(const double* x) {
    const ManyForm& form = bound.form;
    const ManyPlaces& p = form.at;
    const double *const L_inverse = bound.at(p.L_inverse), *const origin = bound.at(p.origin);
    double *const work = bound.at(p.work), *const Z = bound.at(p.Z), *const V = bound.at(p.V);
    bound.each(form.count, [&](int e) {
      const int i = form.row_of[e], j = form.col_of[e], end = form.end_col[i];
      double sum = 0;
      for (int k = j; k < end; ++k)
        sum += x[form.offset[k] + i - form.first_row[k]] * L_inverse[bound.zz(k, j)];
      work[bound.uz(i, j)] = sum;
    });
    bound.lanes.sync();
    const double per_eta = 2 / c;
    bound.each(form.count, [&](int e) {
      const int i = form.row_of[e], j = form.col_of[e], k0 = bound.uz(i, j);
      double sum = 0;
      for (int k = form.first_row[j]; k <= i; ++k)
        sum += form.R_inverse[k + i * form.rows] * work[bound.uz(k, j)];
      Z[k0] = origin[k0] + sum;
      V[k0] = form.s2 * exp(x[form.count + e] * per_eta);
    });
    bound.lanes.sync();
  }

  // dY = [R^-1 dZ L^-T]_causal, of bound / unit
  LC_DEVICE void gradient(double* g) {
    const ManyForm& form = bound.form;
    const ManyPlaces& p = form.at;
    const double *const L_inverse = bound.at(p.L_inverse), *const d_mean = bound.at(p.d_mean),
                        *const V = bound.at(p.V);
    double* const work = bound.at(p.work);
    bound.each(form.count, [&](int e) {
      const int i = form.row_of[e], j = form.col_of[e];
      double sum = 0;
      for (int k = form.first_free; k <= j; ++k)
        sum += d_mean[bound.uz(i, k)] * L_inverse[bound.zz(j, k)];
      work[bound.uz(i, j)] = sum;
    });
    bound.lanes.sync();
    const double per_unit = 1 / unit, of_V = 2 / c * per_unit;
    bound.each(form.count, [&](int e) {
      const int i = form.row_of[e], j = form.col_of[e];
      double sum = 0;
      for (int k = i; k < form.rows; ++k)
        sum += form.R_inverse[i + k * form.rows] * work[bound.uz(k, j)];
      g[e] = sum * per_unit;
      g[form.count + e] = of_V * bound.slope_of_variance(e) * V[bound.uz(i, j)];
    });
    bound.lanes.sync();
  }

  LC_DEVICE int place(int e) const { return bound.uz(bound.form.row_of[e], bound.form.col_of[e]); }
};

}  // namespace lc
