// q(A, B) and its slopes on a device: the formulas of src/certificate/tails/quartic_parts.hpp, with
// the passes over memory between two products in one kernel.
#pragma once

#include "cut.hpp"

namespace lc {

// One of the two symmetric matrices. `largest`: of its entries, in absolute value.
struct Side {
  Matrix A, N_0A, K_0A;  // N_0A empty where ZA and HA come without products
  Array diag_A;
  double largest = 0;
  Matrix ZA, HA, KA;  // Z A, H A, K~ A
  Array d, h, PPd;    // V diag(A), diag(H A H'), (P.^2) d
};

// What both sides need: the form, and the posterior.
struct Point {
  Matrix P, PP, N_0, K_0;
  Array diag_P;
  Indices first_row;
  Matrix Z, V, H;  // mean, variance, N_0 + P Z
  Array a;         // V' diag(P)
};

template <class Machine>
Side make_side(Machine& machine, Arena<Machine>& arena, const Pattern& pattern, const Point& at,
               const Matrix& A, bool with_products) {
  const long rows = at.N_0.rows, cols = A.cols;
  Side side;
  side.A = A;
  side.K_0A = arena.matrix(cols, cols);
  machine.products(tasks(pattern, {{full(at.K_0), full(A)}}, side.K_0A, false, false));
  if (with_products) {
    side.N_0A = arena.matrix(rows, cols);
    machine.products(tasks(pattern, {{full(at.N_0), full(A)}}, side.N_0A, false, false));
  }
  side.diag_A = arena.array(cols);
  const Array diagonal = side.diag_A;
  machine.each(1, cols, [=] LC_KERNEL(long, long j) { diagonal[j] = A(j, j); });
  side.ZA = arena.matrix(rows, cols);
  side.HA = arena.matrix(rows, cols);
  side.KA = arena.matrix(cols, cols);
  side.d = arena.array(2 * rows);  // d, then h
  side.h = {side.d.data + rows, rows};
  side.PPd = arena.array(rows);
  return side;
}

// HA = N_0 A + P Z A takes ZA: what it is before the product with P.
template <class Machine>
void start_H(Machine& machine, const Side& side) {
  const Matrix HA = side.HA, N_0A = side.N_0A;
  machine.each(HA.rows, HA.cols, [=] LC_KERNEL(long i, long j) { HA(i, j) = N_0A(i, j); });
}

// d, and of K~ A = K_0 A + diag(a) A + Z'(H A) + N_0'(Z A) what needs no product.
template <class Machine>
void start_K(Machine& machine, const Point& at, const Side& side) {
  const Matrix KA = side.KA, K_0A = side.K_0A, A = side.A;
  const Array a = at.a;
  machine.each(A.rows, A.cols,
               [=] LC_KERNEL(long i, long j) { KA(i, j) = K_0A(i, j) + a[i] * A(i, j); });
  const Matrix V = at.V;
  const Array diagonal = side.diag_A;
  machine.template rows<1>(
      V.rows, V.cols, [=] LC_KERNEL(long i, long j, double* s) { s[0] += V(i, j) * diagonal[j]; },
      side.d);
}
inline Tasks rest_of_K(const Pattern& pattern, const Point& at, const Side& side) {
  return tasks(
      pattern,
      {{transposed(causal(at.Z)), full(side.HA)}, {transposed(full(at.N_0)), full(side.ZA)}},
      side.KA, false, true);
}

// h, and (P.^2) d
template <class Machine>
void finish_rows(Machine& machine, const Point& at, const Side& side) {
  const Matrix PP = at.PP, HA = side.HA, H = at.H;
  machine.template rows<1>(
      HA.rows, HA.cols, [=] LC_KERNEL(long i, long j, double* s) { s[0] += HA(i, j) * H(i, j); },
      side.h);
  const Array d = side.d;
  machine.template columns<1>(
      PP.rows, PP.cols, [=] LC_KERNEL(long i, long j, double* s) { s[0] += PP(i, j) * d[i]; },
      side.PPd);
}

// d/dV of q(A, B) in `slope`, which holds (P.^2) V (A.*B); `parts` (cols): what <V, …> is a sum of;
// `middle` (cols): diag(A K~ B).
template <class Machine>
void variance_slope(Machine& machine, const Point& at, const Side& A, const Side& B,
                    const Array& middle, const Matrix& slope, const Array& parts) {
  const Indices first_row = at.first_row;
  const Matrix V = at.V, HA = A.HA, HB = B.HA;
  const Array diag_P = at.diag_P, diag_A = A.diag_A, diag_B = B.diag_A, c = middle;
  const Array h_A = A.h, h_B = B.h, PPd_A = A.PPd, PPd_B = B.PPd;
  // 2 (H A).*(H B) + 2 (P.^2) V (A.*B) + 2 diag(P) diag(A K~ B)' + (h_A + PPd_A) diag(B)' + …
  machine.template columns<1>(
      V.rows, V.cols,
      [=] LC_KERNEL(long i, long j, double* s) {
        if (i < first_row[j]) {
          slope(i, j) = 0;
          return;
        }
        const double HH = HA(i, j) * HB(i, j), PPV = slope(i, j);
        s[0] += V(i, j) * (2 * HH + PPV);
        slope(i, j) = 2 * (HH + PPV) + 2 * c[j] * diag_P[i] + diag_B[j] * (h_A[i] + PPd_A[i]) +
                      diag_A[j] * (h_B[i] + PPd_B[i]);
      },
      parts);
}

// What d/dZ of q(A, B) takes from the variances: sum_of (V.*HB) A + diag(d_B) HA, and exchanged.
template <class Machine>
void start_sum(Machine& machine, const Point& at, const Side& one, const Side& other, bool first,
               const Matrix& work, const Matrix& sum) {
  const Matrix V = at.V, HA = one.HA, HB = other.HA;
  const Array d = other.d;
  machine.each(V.rows, V.cols, [=] LC_KERNEL(long i, long j) {
    work(i, j) = V(i, j) * HB(i, j);
    sum(i, j) = d[i] * HA(i, j) + (first ? 0.0 : sum(i, j));
  });
}
inline Tasks rest_of_sum(const Pattern& pattern, const Side& one, const Matrix& work,
                         const Matrix& sum) {
  return tasks(pattern, {{causal(work), full(one.A)}}, sum, false, true);
}

// Part of d/dZ of q(A, B): 4, or 2 for two different sides, times the causal entries of `slope`.
inline Tasks mean_slope(const Pattern& pattern, const Point& at, const Side& A, const Side& B,
                        const Matrix& sum, const Matrix& slope) {
  std::vector<Product> all = {{full(A.HA), full(B.KA)}};
  if (A.A.data != B.A.data) all.push_back({full(B.HA), full(A.KA)});
  all.push_back({full(at.P), full(sum)});
  return tasks(pattern, all, slope, true, false);
}

}  // namespace lc
