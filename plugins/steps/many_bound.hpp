// One small bound: certificate/bound.cpp by a group of lanes. Between two calls of `sync` a lane
// reads nothing that another one writes. With_B: there is a second side.
#pragma once

#include "many_complexity.hpp"

namespace lc {

template <class Lanes, bool With_B>
struct ManyBound {
  Lanes& lanes;
  const ManyForm& form;
  const lc_many_numbers is;
  lc_values v = {};
  ManyComplexity complexity;
  double constant = 0, value = 0, largest_U = 0, largest_B = 0;

  // Where a lane's entries of a matrix begin, and how far it is to the next one.
  struct Walk {
    int i, j, down, right;
    LC_DEVICE Walk(int rows, int lane, int count)
        : i(lane % rows), j(lane / rows), down(count % rows), right(count / rows) {}
  };
  const Walk of_rows, of_cols;

  LC_DEVICE ManyBound(Lanes& lanes_, const ManyForm& form_, const double* data,
                      const lc_many_numbers& numbers)
      : lanes(lanes_),
        form(form_),
        is(numbers),
        of_rows(form_.rows, lanes_.lane(), lanes_.count()),
        of_cols(form_.cols, lanes_.lane(), lanes_.count()) {
    double* const to = at(form.at.data);
    each(form.data_size, [&](int e) { to[e] = data[e]; });
    lanes.sync();
    prepare();
  }

  LC_DEVICE double* at(int place) const { return lanes.memory() + place; }

  // job(i, j) for all entries of a matrix.
  template <class Job>
  LC_DEVICE static void entries(const Walk& walk, int rows, int cols, const Job& job) {
    int i = walk.i, j = walk.j;
    LC_UNROLL(1)  // code that does not fit its cache costs more
    while (j < cols) {
      job(i, j);
      i += walk.down;
      j += walk.right;
      if (i >= rows) {
        i -= rows;
        ++j;
      }
    }
  }
  template <class Job>
  LC_DEVICE void of_Z(const Job& job) const {
    entries(of_rows, form.rows, form.cols, job);
  }
  template <class Job>
  LC_DEVICE void of_square(const Job& job) const {
    entries(of_cols, form.cols, form.cols, job);
  }
  template <class Job>
  LC_DEVICE void each(int size, const Job& job) const {
    LC_UNROLL(1)
    for (int e = lanes.lane(); e < size; e += lanes.count()) job(e);
  }
  // The same for work that only waits for memory.
  template <class Job>
  LC_DEVICE void along(int size, const Job& job) const {
    LC_UNROLL(2)
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

  LC_DEVICE double prepare_side(const ManySide& side) {
    const double* const A = at(side.A);
    double *const N_0A = at(side.N_0A), *const K_0A = at(side.K_0A);
    of_Z([&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < form.cols; ++k) sum += form.N_0[uz(i, k)] * A[zz(k, j)];
      N_0A[uz(i, j)] = sum;
    });
    double top = 0;
    of_square([&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < form.cols; ++k) sum += form.K_0[zz(i, k)] * A[zz(k, j)];
      K_0A[zz(i, j)] = sum;
      top = fmax(top, fabs(A[zz(i, j)]));
    });
    return lanes.largest(top);
  }
  LC_DEVICE void prepare() {
    const double* const Sigma = at(form.at.Sigma);
    double *const N_Sigma = at(form.at.N_Sigma), *const Z = at(form.at.Z), *const V = at(form.at.V);
    of_Z([&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < form.cols; ++k) sum += form.N_0[uz(i, k)] * Sigma[zz(k, j)];
      N_Sigma[uz(i, j)] = sum;
      Z[uz(i, j)] = V[uz(i, j)] = 0;  // as they stay outside the pattern
    });
    double sum[1] = {};
    each(form.cols * form.cols, [&](int e) { sum[0] += form.K_0[e] * Sigma[e]; });
    lanes.sum(sum);
    constant = sum[0];
    largest_U = prepare_side(form.at.U);
    if constexpr (With_B) largest_B = prepare_side(form.at.B);
    lanes.sync();
  }

  // The bound at (Z, V), and with `further` what its slopes need. False where the processor would
  // throw.
  LC_DEVICE bool evaluate(bool further) {
    point();
    lanes.sync();
    apply();
    if constexpr (With_B) apply_B();
    work_of_pair(form.at.U, form.at.U);
    const double* const size_of = at(form.at.v);
    double top = 0;
    each(form.cols, [&](int j) { top = fmax(top, size_of[j]); });
    top = lanes.largest(top);  // and sync
    finish(form.at.U);
    spread_of_pair(form.at.UU);
    weights(form.at.U, largest_U, top, form.at.w);
    if constexpr (With_B) {
      finish(form.at.B);
      weights(form.at.B, largest_B, top, form.at.w_other);
    }
    if (further) half_slopes();
    lanes.sync();
    middle(form.at.U, form.at.U, form.at.UU);
    if constexpr (With_B) {
      middle(form.at.U, form.at.B, form.at.UB);
      work_of_pair(form.at.U, form.at.B);
      lanes.sync();
      spread_of_pair(form.at.UB);
      lanes.sync();
    }
    return add_up(top);
  }

  LC_DEVICE double per_kl() const { return complexity.d_rate / is.weight; }

  // many_moments.hpp
  LC_DEVICE void point();
  LC_DEVICE void apply();
  LC_DEVICE void apply_B();
  LC_DEVICE void finish(const ManySide& side);
  LC_DEVICE void work_of_pair(const ManySide& A, const ManySide& B);
  LC_DEVICE void spread_of_pair(const ManyPair& pair);
  LC_DEVICE void weights(const ManySide& side, double largest, double top, int to);
  LC_DEVICE void middle(const ManySide& A, const ManySide& B, const ManyPair& pair);
  template <bool Same>
  LC_DEVICE void add_pair(const ManySide& A, const ManySide& B, const ManyPair& pair, double top,
                          double* sum);
  LC_DEVICE bool add_up(double top);
  // many_slopes.hpp
  LC_DEVICE void half_slopes();
  LC_DEVICE double slope_of_variance(int e) const;
  LC_DEVICE void slope_of_mean();
};

}  // namespace lc

#include "many_moments.hpp"
#include "many_slopes.hpp"
