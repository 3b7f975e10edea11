// The optimizer's coordinates on a device (learning/scaling.hpp):
//   Z = Z_0 + R^-T [Y L^-1]_causal,   V = s^2 exp(2 eta / c).
#pragma once

#include "bound.hpp"

namespace lc {

// [.]_causal
template <class Machine>
void Bound<Machine>::project(const Matrix& A) {
  const Indices first_row = at.first_row;
  machine.each(A.rows, A.cols, [=] LC_KERNEL(long i, long j) {
    if (i < first_row[j]) A(i, j) = 0;
  });
}

// P = R R' with an upper R: the reversal of a lower factor. R^-1 once for all coordinates.
template <class Machine>
void Bound<Machine>::invert_P() {
  if (inverted) return;
  const long n = pattern.rows;
  R_inverse = arena.matrix(n, n);
  Arena<Machine> here(machine);
  const Matrix reversed = here.matrix(n, n), inverse = here.matrix(n, n), P = at.P, R = R_inverse;
  machine.each(n, n, [=] LC_KERNEL(long i, long j) { reversed(i, j) = P(n - 1 - i, n - 1 - j); });
  if (!machine.cholesky(reversed))
    throw Failure(LC_NOT_DEFINITE,
                  "the numbers of this problem lie too far apart for double precision: other units "
                  "of states and inputs, a shorter horizon or another response.start may help");
  machine.invert_lower(reversed, inverse);
  machine.each(n, n, [=] LC_KERNEL(long i, long j) { R(i, j) = inverse(n - 1 - i, n - 1 - j); });
  inverted = true;
}

// Gamma: d2Lhat = 2 P (x) Sigma_hat;  d2C ~ 4 P (x) (U K U + pbar dbar U);  d2KL ~ P (x) I / (pbar
// s^2).
template <class Machine>
void Bound<Machine>::curvature(const lc_scaling& by) {
  const long n = pattern.cols;
  machine.products(P_Z());  // H = P Z here
  spread_of_point();        // a
  const Matrix N = work, N_0 = at.N_0, PZ = at.H, X = U.KA, G = Gamma, K_0 = at.K_0, A = U.A;
  const Matrix S = Sigma, V = at.V;
  const Array a = at.a, diagonal = U.diag_A, all = totals;
  machine.each(N.rows, N.cols,
               [=] LC_KERNEL(long i, long j) { N(i, j) = N_0(i, j) + 0.5 * PZ(i, j); });
  const Factor left = transposed(full(N));
  machine.products(tasks(pattern, {{left, causal(at.Z)}}, X, false, false));
  machine.each(n, n, [=] LC_KERNEL(long i, long j) {
    G(i, j) = K_0(i, j) + X(i, j) + X(j, i) + (i == j ? a[i] : 0.0);
  });
  machine.products(tasks(pattern, {{full(G), full(A)}}, X, false, false));
  machine.products(tasks(pattern, {{full(A), full(X)}}, G, false, false));
  const Array parts = moved_parts;  // dbar, the mean of V diag(U)
  machine.template columns<1>(
      V.rows, V.cols, [=] LC_KERNEL(long i, long j, double* x) { x[0] += V(i, j) * diagonal[j]; },
      parts);
  machine.template sums<1>(
      n, [=] LC_KERNEL(long j, double* x) { x[0] += parts[j]; }, totals, 0);
  const double per_C = by.per_C, mean_P = p_bar, unit = by.unit;
  const double of_kl = by.per_kl / (s2 * p_bar), rows = static_cast<double>(pattern.rows);
  const long fixed = pattern.first_free;
  machine.each(n, n, [=] LC_KERNEL(long i, long j) {
    const double same = i == j ? 1.0 : 0.0;
    // A constant column that is not free must not enter: it gets a factor of its own.
    if (i < fixed || j < fixed) {
      G(i, j) = same;
      return;
    }
    const double d_bar = all[0] / rows;
    G(i, j) =
        (2 * S(i, j) + 4 * per_C * (G(i, j) + mean_P * d_bar * A(i, j)) + same * of_kl) / unit;
  });
}

template <class Machine>
void Bound<Machine>::scale(const lc_scaling& by) {
  const long n = pattern.cols;
  if (Gamma.empty()) {
    Gamma = arena.matrix(n, n);
    L_inverse = arena.matrix(n, n);
    origin = arena.matrix(pattern.rows, pattern.cols);
  }
  scaling = by;
  invert_P();
  curvature(by);
  const Matrix G = Gamma, inverse = L_inverse, O = origin, Z = at.Z;
  const Array diagonal = cost_parts;
  machine.each(1, n, [=] LC_KERNEL(long, long j) { diagonal[j] = G(j, j); });
  if (machine.cholesky(G))
    machine.invert_lower(G, inverse);
  else
    machine.each(n, n, [=] LC_KERNEL(long i, long j) {
      inverse(i, j) = i == j ? 1 / sqrt(fabs(diagonal[j])) : 0.0;
    });
  machine.each(Z.rows, Z.cols, [=] LC_KERNEL(long i, long j) { O(i, j) = Z(i, j); });
}

template <class Machine>
void Bound<Machine>::start(const Array& x) {
  const Matrix V = at.V;
  const Indices first_row = at.first_row, place_of = offset;
  const long p = pattern.count;
  const double half_c = 0.5 * scaling.c, of_prior = s2;
  machine.each(V.rows, V.cols, [=] LC_KERNEL(long i, long j) {
    if (i < first_row[j]) return;
    const long place = place_of[j] + i - first_row[j];
    x[place] = 0;
    x[p + place] = half_c * log(V(i, j) / of_prior);
  });
}

// Both factors are triangular, so the result is causal too.
template <class Machine>
void Bound<Machine>::set_coordinates(const Array& x) {
  const Matrix Y = work, half = sum, Z = at.Z, V = at.V, O = origin;
  const Indices first_row = at.first_row, place_of = offset;
  const long p = pattern.count;
  const double per_eta = 2 / scaling.c, of_prior = s2;
  machine.each(V.rows, V.cols, [=] LC_KERNEL(long i, long j) {
    const bool free = i >= first_row[j];
    const long place = place_of[j] + i - first_row[j];
    Y(i, j) = free ? x[place] : 0.0;
    V(i, j) = free ? of_prior * exp(per_eta * x[p + place]) : 0.0;
  });
  const Factor L = lower(L_inverse), R = transposed(upper(R_inverse));
  machine.products(tasks(pattern, {{causal(Y), L}}, half, true, false));
  project(half);
  machine.products(tasks(pattern, {{R, causal(half)}}, Z, true, false));
  machine.each(Z.rows, Z.cols, [=] LC_KERNEL(long i, long j) {
    Z(i, j) = i >= first_row[j] ? Z(i, j) + O(i, j) : 0.0;
  });
}

// dY = [R^-1 dZ L^-T]_causal, of bound / unit.
template <class Machine>
void Bound<Machine>::gradient(const Array& g) {
  const Matrix half = sum, dY = work, V = at.V, dV = d_variance;
  const Factor L = transposed(lower(L_inverse)), R = upper(R_inverse);
  machine.products(tasks(pattern, {{causal(d_mean), L}}, half, true, false));
  project(half);
  machine.products(tasks(pattern, {{R, causal(half)}}, dY, true, false));
  const Indices first_row = at.first_row, place_of = offset;
  const long p = pattern.count;
  const double per_eta = 2 / scaling.c, unit = scaling.unit;
  machine.each(V.rows, V.cols, [=] LC_KERNEL(long i, long j) {
    if (i < first_row[j]) return;
    const long place = place_of[j] + i - first_row[j];
    g[place] = dY(i, j) / unit;
    g[p + place] = per_eta * dV(i, j) * V(i, j) / unit;
  });
}

}  // namespace lc
