// A PAC-Bayes bound in a device's memory: src/certificate/bound.hpp for diagonal posteriors and
// isotropic priors, and the optimizer's coordinates (scaling.hpp). The machine multiplies and runs
// kernels; what a kernel does is written here once, for every machine.
#pragma once

#include <cmath>

#include "failure.hpp"
#include "side.hpp"

namespace lc {

// U = alpha Sigma_hat + beta I up to rounding, as most envelopes make it.
struct Affine {
  bool is = false;
  double alpha = 0, beta = 0;
};

template <class Machine>
struct Bound {
  // What `totals` holds.
  enum Total {
    empirical,
    kl,
    spread,
    mean_square,
    size,
    spread_C,
    moved_C,  // sums over columns, in one pass
    trace_C,
    dots_C,
    spread_mean,
    moved_U,
    moved_B,
    trace_mean,
    dots_mean,
    top,
    count
  };

  Bound(Machine& machine_, const lc_bound_inputs& in);
  void prepare();

  void set(const double* mean, const double* variance);
  void read(double* mean, double* variance);
  lc_values values();
  void slopes(const lc_factors& factors);
  void read_slopes(double* d_mean, double* d_variance);
  void refine(double per_kl);

  void scale(const lc_scaling& by);
  void start(const Array& x);
  void set_coordinates(const Array& x);
  void gradient(const Array& g);

  // Steps of these.
  void look_for_affine();
  void multiply_entries(const Matrix& X, const Matrix& Y, const Matrix& XY);
  double largest_entry(const Matrix& A);
  Tasks P_Z() const { return tasks(pattern, {{full(at.P), causal(at.Z)}}, at.H, false, false); }
  void spread_of_point();
  void products_of_point();
  void cost_of_point();
  void size_of_terms();
  void moved_by_rounding(const Side& A, const Side& B, const Array& w, const Array& out);
  void middle_and_weights(const Side& A, const Side& B, const Array& out);
  void dots(const Side& A, const Side& B, int to);
  void invert_P();
  void curvature(const lc_scaling& by);
  void project(const Matrix& A);

  Machine& machine;
  Arena<Machine> arena;
  Pattern pattern;
  Indices offset;
  Point at;
  Matrix Sigma, center, N_Sigma, H_Sigma;
  Side U, B;
  bool with_B = false, with_mean = false;
  Affine affine;
  Matrix Z_Sigma;        // shares its memory with U.ZA where U is affine
  Matrix AB_C, AB_mean;  // U.*U, U.*B
  Array t, z, v, diag_K, diag_Sigma;
  Array point_parts;  // a, kl, squares: of each column
  Array cost_parts, middle_C, middle_mean, parts_C, parts_mean, moved_parts;
  Array totals;
  Matrix work, sum, d_variance, d_mean, term_slope, term_mean;
  double s2 = 1, constant = 0, p_bar = 0;
  // coordinates
  Matrix Gamma, L_inverse, R_inverse, origin;
  lc_scaling scaling = {};
  bool inverted = false;
};

inline Pattern pattern_of(const lc_pattern& given, const Panels& panels) {
  Pattern pattern;
  pattern.panels = panels;
  pattern.rows = given.rows;
  pattern.cols = given.cols;
  pattern.offset.push_back(0);
  for (long j = 0; j < given.cols; ++j) {
    pattern.first_row.push_back(given.first_row[j]);
    pattern.offset.push_back(pattern.offset.back() + given.rows - given.first_row[j]);
  }
  pattern.end_col.assign(given.end_column, given.end_column + given.rows);
  pattern.count = pattern.offset.back();
  while (pattern.first_free < given.cols &&
         pattern.first_row[static_cast<std::size_t>(pattern.first_free)] == given.rows)
    ++pattern.first_free;
  return pattern;
}

template <class Machine>
Bound<Machine>::Bound(Machine& machine_, const lc_bound_inputs& in)
    : machine(machine_), arena(machine_), pattern(pattern_of(in.pattern, machine_.panels())) {
  const long rows = pattern.rows, cols = pattern.cols;
  at.first_row = arena.copy(pattern.first_row);
  offset = arena.copy(pattern.offset);
  at.P = arena.copy(in.P, rows, rows);
  at.N_0 = arena.copy(in.N_0, rows, cols);
  at.K_0 = arena.copy(in.K_0, cols, cols);
  Sigma = arena.copy(in.Sigma_hat, cols, cols);
  center = arena.copy(in.center, rows, cols);
  t = arena.copy(in.spread, cols);
  with_mean = in.mean_hat != nullptr;
  if (with_mean) z = arena.copy(in.mean_hat, cols);
  U.A = arena.copy(in.U, cols, cols);
  with_B = in.B != nullptr;
  if (with_B) B.A = arena.copy(in.B, cols, cols);
  s2 = in.prior_scale * in.prior_scale;
  for (long i = 0; i < rows; ++i) p_bar += in.P[i + i * rows] / static_cast<double>(rows);

  at.PP = arena.matrix(rows, rows);
  at.diag_P = arena.array(rows);
  for (Matrix* one : {&at.Z, &at.V, &at.H, &N_Sigma, &H_Sigma, &work, &sum, &d_variance, &d_mean})
    *one = arena.matrix(rows, cols);
  AB_C = arena.matrix(cols, cols);
  for (Array* one : {&v, &diag_K, &diag_Sigma, &cost_parts, &parts_C, &moved_parts})
    *one = arena.array(cols);
  point_parts = arena.array(3 * cols);
  at.a = {point_parts.data, cols};
  middle_C = arena.array(2 * cols);  // diag(U K~ U), then the square of w
  totals = arena.array(count);
  if (!with_B) return;
  AB_mean = arena.matrix(cols, cols);
  term_slope = arena.matrix(rows, cols);
  term_mean = arena.matrix(rows, cols);
  middle_mean = arena.array(2 * cols);
  parts_mean = arena.array(3 * cols);
}

template <class Machine>
void Bound<Machine>::prepare() {
  const Matrix P = at.P, PP = at.PP, K = at.K_0, S = Sigma;
  const Array diag_P = at.diag_P, k = diag_K, s = diag_Sigma;
  machine.each(P.rows, P.cols, [=] LC_KERNEL(long i, long j) {
    PP(i, j) = P(i, j) * P(i, j);
    if (i == j) diag_P[i] = P(i, i);
  });
  machine.each(1, S.cols, [=] LC_KERNEL(long, long j) {
    k[j] = K(j, j);
    s[j] = S(j, j);
  });
  machine.products(tasks(pattern, {{full(at.N_0), full(S)}}, N_Sigma, false, false));
  const Array parts = cost_parts;
  machine.template columns<1>(
      S.rows, S.cols, [=] LC_KERNEL(long i, long j, double* x) { x[0] += K(i, j) * S(i, j); },
      parts);
  machine.template sums<1>(
      S.cols, [=] LC_KERNEL(long j, double* x) { x[0] += parts[j]; }, totals, 0);
  machine.download(totals, &constant, 1);
  look_for_affine();

  U = make_side(machine, arena, pattern, at, U.A, !affine.is);
  U.largest = largest_entry(U.A);
  Z_Sigma = affine.is ? U.ZA : arena.matrix(pattern.rows, pattern.cols);
  multiply_entries(U.A, U.A, AB_C);
  if (!with_B) return;
  B = make_side(machine, arena, pattern, at, B.A, true);
  B.largest = largest_entry(B.A);
  multiply_entries(U.A, B.A, AB_mean);
}

template <class Machine>
void Bound<Machine>::multiply_entries(const Matrix& X, const Matrix& Y, const Matrix& XY) {
  machine.each(X.rows, X.cols, [=] LC_KERNEL(long i, long j) { XY(i, j) = X(i, j) * Y(i, j); });
}

// In absolute value.
template <class Machine>
double Bound<Machine>::largest_entry(const Matrix& A) {
  machine.columns_largest(A, cost_parts);
  machine.largest(cost_parts, totals, 0);
  double value = 0;
  machine.download(totals, &value, 1);
  return value;
}

// Off the diagonal only alpha counts, on it both.
template <class Machine>
void Bound<Machine>::look_for_affine() {
  const Matrix A = U.A, S = Sigma;
  const long n = S.cols;
  const Array parts = arena.array(6 * n);
  machine.template columns<6>(
      n, n,
      [=] LC_KERNEL(long i, long j, double* x) {
        const double u = A(i, j), s = S(i, j);
        x[0] += s * s;
        x[1] += u * u;
        if (i == j) {
          x[2] += s;
          x[3] += u;
          x[4] += s * s;
        } else {
          x[5] += u * s;
        }
      },
      parts);
  machine.template sums<6>(
      n,
      [=] LC_KERNEL(long j, double* x) {
        for (int k = 0; k < 6; ++k) x[k] += parts[k * n + j];
      },
      totals, 0);
  double x[6];
  machine.download(totals, x, 6);
  const double off = x[0] - x[4];
  if (!(off > 1e-6 * x[0])) return;
  const double alpha = x[5] / off, beta = (x[3] - alpha * x[2]) / static_cast<double>(n);
  machine.template columns<1>(
      n, n,
      [=] LC_KERNEL(long i, long j, double* e) {
        const double left = A(i, j) - alpha * S(i, j) - (i == j ? beta : 0.0);
        e[0] += left * left;
      },
      parts);
  machine.template sums<1>(
      n, [=] LC_KERNEL(long j, double* e) { e[0] += parts[j]; }, totals, 0);
  double error = 0;
  machine.download(totals, &error, 1);
  affine = {std::sqrt(error) <= 1e-14 * std::sqrt(x[1]), alpha, beta};
}

template <class Machine>
void Bound<Machine>::set(const double* mean, const double* variance) {
  machine.upload(mean, at.Z);
  machine.upload(variance, at.V);
}

template <class Machine>
void Bound<Machine>::read(double* mean, double* variance) {
  machine.download(at.Z, mean);
  machine.download(at.V, variance);
}

template <class Machine>
void Bound<Machine>::read_slopes(double* mean, double* variance) {
  machine.download(d_mean, mean);
  machine.download(d_variance, variance);
}

// Of each column a, its part of twice the KL, and the square of what P^1/2 Z may cancel.
template <class Machine>
void Bound<Machine>::spread_of_point() {
  const Matrix Z = at.Z, V = at.V, C = center;
  const Array diag_P = at.diag_P;
  const Indices first_row = at.first_row;
  const double inverse = 1 / s2;
  machine.template columns<3>(
      Z.rows, Z.cols,
      [=] LC_KERNEL(long i, long j, double* x) {
        if (i < first_row[j]) return;
        const double part = V(i, j) * inverse, step = Z(i, j) - C(i, j);
        x[0] += V(i, j) * diag_P[i];
        x[1] += part - 1 - log(part) + inverse * step * step;
        x[2] += diag_P[i] * Z(i, j) * Z(i, j);
      },
      point_parts);
}

// P Z, Z Sigma_hat, V (U.*U); P Z Sigma_hat, (P.^2) V (U.*U). Z U and H U are further products
// unless U = alpha Sigma_hat + beta I. Beside them what needs none of these.
template <class Machine>
void Bound<Machine>::products_of_point() {
  Tasks first = P_Z() + tasks(pattern, {{causal(at.Z), full(Sigma)}}, Z_Sigma, false, false) +
                tasks(pattern, {{causal(at.V), full(AB_C)}}, work, false, false);
  Tasks second = tasks(pattern, {{full(at.P), full(Z_Sigma)}}, H_Sigma, !affine.is, false) +
                 tasks(pattern, {{full(at.PP), full(work)}}, d_variance, true, false);
  if (!affine.is) {
    first = first + tasks(pattern, {{causal(at.Z), full(U.A)}}, U.ZA, false, false);
    second = second + tasks(pattern, {{full(at.P), full(U.ZA)}}, U.HA, false, true);
  }
  machine.start_products(first);
  spread_of_point();
  size_of_terms();
  if (!affine.is) start_H(machine, U);
  machine.end_products();
  machine.start_products(second);
  start_K(machine, at, U);
  machine.end_products();
}

// H Sigma_hat, Lhat, Z U and H U of an affine U; and of (V.*HU) U + diag(d) HU what is no product.
template <class Machine>
void Bound<Machine>::cost_of_point() {
  const Matrix Z = at.Z, V = at.V, H = at.H, N_0 = at.N_0, ZS = Z_Sigma, HS = H_Sigma, NS = N_Sigma;
  const Matrix ZU = U.ZA, HU = U.HA, VHU = work, half = sum;
  const Array d = U.d;
  const Indices first_row = at.first_row;
  const double alpha = affine.alpha, beta = affine.beta;
  const bool is_affine = affine.is;
  // <Z, (N_0 + H) Sigma>
  machine.template columns<1>(
      Z.rows, Z.cols,
      [=] LC_KERNEL(long i, long j, double* x) {
        const double h = H(i, j) + N_0(i, j), mean = Z(i, j);
        const bool free = i >= first_row[j];
        double hs = 0, hu;
        H(i, j) = h;
        if (free || is_affine) {
          const double ns = NS(i, j);
          hs = HS(i, j) + ns;
          if (free) x[0] += mean * (ns + hs);
        }
        HS(i, j) = hs;
        if (is_affine) {
          hu = alpha * hs + beta * h;
          ZU(i, j) = alpha * ZS(i, j) + beta * mean;
          HU(i, j) = hu;
        } else {
          hu = HU(i, j);
        }
        VHU(i, j) = V(i, j) * hu;
        half(i, j) = d[i] * hu;
      },
      cost_parts);
}

// v: the size of the terms that may cancel in each column of M = M_0 + S Z.
template <class Machine>
void Bound<Machine>::size_of_terms() {
  const Array k = diag_K, size_of = v;
  const Array squares = {point_parts.data + 2 * pattern.cols, pattern.cols};
  machine.each(1, pattern.cols, [=] LC_KERNEL(long, long j) {
    size_of[j] = sqrt(k[j] > 0 ? k[j] : 0.0) + sqrt(squares[j]);
  });
  machine.largest(v, totals, top);
}

// diag(A K~ B), and the square of w_j = ||v .* A_j||, in units of the largest of each.
template <class Machine>
void Bound<Machine>::middle_and_weights(const Side& one, const Side& other, const Array& out) {
  const Matrix A = one.A, K = other.KA;
  const Array size_of = v, all = totals;
  const double inverse = one.largest > 0 ? 1 / one.largest : 0.0;
  machine.template columns<2>(
      A.rows, A.cols,
      [=] LC_KERNEL(long i, long j, double* x) {
        const double w = all[top] > 0 ? (size_of[i] / all[top]) * (A(i, j) * inverse) : 0.0;
        x[0] += A(i, j) * K(i, j);
        x[1] += w * w;
      },
      out);
}

// ||diag(w) K~B diag(v)||^2 in these units; `w` as middle_and_weights left it.
template <class Machine>
void Bound<Machine>::moved_by_rounding(const Side& one, const Side& other, const Array& w,
                                       const Array& out) {
  const Matrix K = other.KA;
  const Array size_of = v, all = totals;
  const double one_size = one.largest;
  machine.template columns<1>(
      K.rows, K.cols,
      [=] LC_KERNEL(long i, long j, double* x) {
        const double moved =
            all[top] > 0 ? sqrt(w[i]) * one_size * (K(i, j) * (size_of[j] / all[top])) : 0.0;
        x[0] += moved * moved;
      },
      out);
}

// d_B'(h_A + (P.^2) d_A) + d_A'h_B
template <class Machine>
void Bound<Machine>::dots(const Side& one, const Side& other, int to) {
  const Array d_A = one.d, d_B = other.d, h_A = one.h, h_B = other.h, PPd = one.PPd;
  machine.template sums<1>(
      pattern.rows,
      [=] LC_KERNEL(long i, double* x) { x[0] += d_B[i] * (h_A[i] + PPd[i]) + d_A[i] * h_B[i]; },
      totals, to);
}

template <class Machine>
lc_values Bound<Machine>::values() {
  const long n = pattern.cols;
  products_of_point();
  cost_of_point();
  machine.products(rest_of_K(pattern, at, U) + rest_of_sum(pattern, U, work, sum));
  // While the slope of the mean is multiplied, and the program makes a complexity of the totals,
  // the device goes on.
  const Tasks slope = mean_slope(pattern, at, U, U, sum, d_mean);
  if (!with_B) machine.start_products(slope);
  finish_rows(machine, at, U);
  middle_and_weights(U, U, middle_C);
  moved_by_rounding(U, U, {middle_C.data + n, n}, moved_parts);
  variance_slope(machine, at, U, U, middle_C, d_variance, parts_C);
  machine.trace(U.KA, U.KA, totals, trace_C);
  dots(U, U, dots_C);

  const Array a = at.a, cost = cost_parts, sizes = v, s = diag_Sigma, weights = t, direction = z;
  const Array of_C = parts_C, moved = moved_parts;
  const Array of_kl = {point_parts.data + n, n};
  const bool has_mean = with_mean;
  machine.template sums<7>(
      n,
      [=] LC_KERNEL(long j, double* x) {
        x[empirical] += cost[j];
        x[kl] += 0.5 * of_kl[j];
        x[spread] += weights[j] * a[j];
        x[mean_square] += has_mean ? a[j] * direction[j] * (a[j] * direction[j]) : 0.0;
        x[size] += sizes[j] * sizes[j] * s[j];
        x[spread_C] += of_C[j];
        x[moved_C] += moved[j];
      },
      totals, 0);

  if (with_B) {
    start_H(machine, B);
    machine.products(tasks(pattern, {{causal(at.Z), full(B.A)}}, B.ZA, false, false) +
                     tasks(pattern, {{causal(at.V), full(AB_mean)}}, work, false, false));
    machine.products(tasks(pattern, {{full(at.P), full(B.ZA)}}, B.HA, false, true) +
                     tasks(pattern, {{full(at.PP), full(work)}}, term_slope, true, false));
    start_K(machine, at, B);
    machine.products(rest_of_K(pattern, at, B));
    finish_rows(machine, at, B);
    middle_and_weights(U, B, middle_mean);
    const Array moved_by_U = {parts_mean.data + n, n}, moved_by_B = {parts_mean.data + 2 * n, n};
    moved_by_rounding(U, B, {middle_mean.data + n, n}, moved_by_U);
    middle_and_weights(B, U, middle_mean);  // of the same diagonal: (U K~ B)' = B K~ U
    moved_by_rounding(B, U, {middle_mean.data + n, n}, moved_by_B);
    const Array parts = parts_mean;
    variance_slope(machine, at, U, B, middle_mean, term_slope, parts);
    machine.trace(U.KA, B.KA, totals, trace_mean);
    dots(U, B, dots_mean);
    machine.template sums<3>(
        n,
        [=] LC_KERNEL(long j, double* x) {
          x[0] += parts[j];
          x[1] += moved_by_U[j];
          x[2] += moved_by_B[j];
        },
        totals, spread_mean);
  }
  double x[count];
  if (with_B) machine.start_products(slope);
  machine.start_download(totals, count);
  machine.end_products();
  machine.end_download(x, count);
  lc_values result = {};
  result.empirical = constant + x[empirical];
  result.kl = x[kl];
  result.C = x[trace_C] + x[spread_C] + x[dots_C];
  result.spread = x[spread];
  result.mean_norm = std::sqrt(x[mean_square]);
  result.size = x[size];
  const double unit = x[top] * x[top];
  result.moved_C = 2 * unit * std::sqrt(x[moved_C]);
  if (with_B) {
    result.mean_term = 2 * (x[trace_mean] + x[spread_mean] + x[dots_mean]);
    result.moved_mean = unit * (std::sqrt(x[moved_U]) + std::sqrt(x[moved_B]));
  }
  return result;
}

// d bound = dLhat + per_C dq(U, U) + per_mean dq(U, B) + per_kl dKL + d(t'a) + ..., once after
// values.
template <class Machine>
void Bound<Machine>::slopes(const lc_factors& factors) {
  if (with_B) {
    start_sum(machine, at, U, B, true, work, sum);
    machine.products(rest_of_sum(pattern, U, work, sum));
    start_sum(machine, at, B, U, false, work, sum);
    machine.products(rest_of_sum(pattern, B, work, sum));
    machine.products(mean_slope(pattern, at, U, B, sum, term_mean));
  }
  const Matrix Z = at.Z, V = at.V, C = center, HS = H_Sigma, dZ = d_mean, dV = d_variance;
  const Matrix more_Z = term_mean, more_V = term_slope;
  const Array a = at.a, diag_P = at.diag_P, weights = t, direction = z;
  const Indices first_row = at.first_row;
  const double inverse = 1 / s2;
  const double per_C = factors.per_C, per_mean = factors.per_mean, per_kl = factors.per_kl;
  const double event = factors.event;
  const bool two_sides = with_B;
  machine.each(Z.rows, Z.cols, [=] LC_KERNEL(long i, long j) {
    if (i < first_row[j]) {
      dZ(i, j) = 0;
      return;
    }
    double per_a = weights[j];
    if (event > 0) per_a += event * a[j] * direction[j] * direction[j];
    double of_Z = 4 * per_C * dZ(i, j) + 2 * HS(i, j) + per_kl * inverse * (Z(i, j) - C(i, j));
    double of_V = per_C * dV(i, j) + per_a * diag_P[i] + 0.5 * per_kl * (inverse - 1 / V(i, j));
    if (two_sides) {
      of_Z += 2 * per_mean * more_Z(i, j);
      of_V += per_mean * more_V(i, j);
    }
    dZ(i, j) = of_Z;
    dV(i, j) = of_V;
  });
}

// The stationary variance given everything else, one damped step in log V (learning/pac_bayes.cpp).
template <class Machine>
void Bound<Machine>::refine(double per_kl) {
  const Matrix V = at.V, dV = d_variance;
  const Indices first_row = at.first_row;
  const double of_prior = s2;
  machine.each(V.rows, V.cols, [=] LC_KERNEL(long i, long j) {
    if (i < first_row[j]) return;
    const double rest = dV(i, j) + 0.5 * per_kl / V(i, j);
    const double target = rest > 0.5 * per_kl / of_prior ? 0.5 * per_kl / rest : of_prior;
    V(i, j) = sqrt(V(i, j) * target);
  });
}

}  // namespace lc

#include "coordinates.hpp"
