// A batch of small problems as the program hands it over, packed for a device.
#pragma once

#include <algorithm>
#include <vector>

#include "many_descent.hpp"

namespace lc {

struct ManyBatch {
  explicit ManyBatch(const lc_many_setting& given) : setting(given) {
    const long rows = given.pattern.rows, cols = given.pattern.cols;
    const auto add = [&](const double* values, long count) {
      numbers.insert(numbers.end(), values, values + count);
    };
    add(given.P, rows * rows);
    add(given.N_0, rows * cols);
    add(given.K_0, cols * cols);
    add(given.R_inverse, rows * rows);
    add(given.center, rows * cols);
    const auto append = [&](long value) { indices.push_back(static_cast<int>(value)); };
    for (long j = 0; j < cols; ++j) append(given.pattern.first_row[j]);
    for (long i = 0; i < rows; ++i) append(given.pattern.end_column[i]);
    for (long j = 0; j < cols; ++j) {
      append(p);
      p += rows - given.pattern.first_row[j];
    }
    for (long j = 0; j < cols; ++j)
      for (long i = given.pattern.first_row[j]; i < rows; ++i) append(i);
    for (long j = 0; j < cols; ++j)
      for (long i = given.pattern.first_row[j]; i < rows; ++i) append(j);
  }

  // With `numbers` and `indices` at these places.
  ManyForm form(const double* at, const int* index) const {
    const long rows = setting.pattern.rows, cols = setting.pattern.cols;
    ManyForm f = {};
    f.rows = static_cast<int>(rows);
    f.cols = static_cast<int>(cols);
    f.count = static_cast<int>(p);
    while (f.first_free < f.cols && setting.pattern.first_row[f.first_free] == rows) ++f.first_free;
    f.first_row = index;
    f.end_col = f.first_row + cols;
    f.offset = f.end_col + rows;
    f.row_of = f.offset + cols;
    f.col_of = f.row_of + p;
    f.P = at;
    f.N_0 = f.P + rows * rows;
    f.K_0 = f.N_0 + rows * cols;
    f.R_inverse = f.K_0 + cols * cols;
    f.center = f.R_inverse + rows * rows;
    f.s2 = setting.prior_scale * setting.prior_scale;
    for (long i = 0; i < rows; ++i) f.p_bar += setting.P[i + i * rows] / static_cast<double>(rows);
    f.with_B = setting.with_B != 0;
    f.with_mean = setting.with_mean != 0;
    f.with_spread = setting.with_spread != 0;
    f.psi = setting.psi;
    f.rank = static_cast<int>(setting.rank);
    f.tolerance = setting.gradient_tolerance;
    f.max_iterations = static_cast<int>(std::min<long>(setting.max_iterations, 1L << 30));
    f.data_size = static_cast<int>(data_doubles());
    f.at = many_places(f);
    return f;
  }

  // What one data set brings: matrices, then vectors.
  long data_doubles() const {
    const long cols = setting.pattern.cols;
    return (setting.with_B ? 3 : 2) * cols * cols +
           ((setting.with_spread ? 1 : 0) + (setting.with_mean ? 1 : 0)) * cols;
  }
  void pack(const lc_many_data& data, double* to) const {
    const long cols = setting.pattern.cols;
    const auto add = [&](const double* values, long count) { to = std::copy_n(values, count, to); };
    add(data.Sigma_hat, cols * cols);
    add(data.U, cols * cols);
    if (setting.with_B) add(data.B, cols * cols);
    if (setting.with_spread) add(data.spread, cols);
    if (setting.with_mean) add(data.mean_hat, cols);
  }

  void hand_over(const ManyEnd& end, const double* posterior, lc_many_result& result) const {
    std::copy_n(posterior, p, result.mean);
    std::copy_n(posterior + p, p, result.variance);
    result.gradient_norm = end.gradient_norm;
    result.iterations = end.iterations;
    result.evaluations = end.evaluations;
    result.status = end.status;
  }

  const lc_many_setting& setting;
  std::vector<double> numbers;
  std::vector<int> indices;
  long p = 0;
};

// Learns one problem. `data`: as ManyBatch::pack left it.
template <bool With_B, class Lanes>
LC_DEVICE ManyEnd learn_one(Lanes& lanes, const ManyForm& form, const double* data,
                            const lc_many_numbers& numbers, double* posterior, lc_values& values) {
  ManyBound<Lanes, With_B> bound(lanes, form, data, numbers);
  ManyDescent<Lanes, With_B> descent{bound};
  return descent.minimize(posterior, values);
}

// One lane alone.
struct OneLane {
  double *numbers, *pairs_at;

  LC_DEVICE double* memory() const { return numbers; }
  LC_DEVICE double* pairs() const { return pairs_at; }
  LC_DEVICE int lane() const { return 0; }
  LC_DEVICE int count() const { return 1; }
  LC_DEVICE void sync() const {}
  template <int K>
  LC_DEVICE void sum(double (&)[K]) const {}
  LC_DEVICE double largest(double value) const { return value; }
};

}  // namespace lc
