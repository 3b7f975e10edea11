#include "same_bits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "system/unseen.hpp"

namespace loopcert {
namespace {

// y += a x and y -= x, each entry on its own.
void add_multiple(Index n, double a, const double* x, double* y) {
  for (Index i = 0; i < n; ++i) y[i] += a * x[i];
}

void add_size(Index n, double a, const double* x, double* size) {
  for (Index i = 0; i < n; ++i) size[i] += std::abs(a * x[i]);
}

void subtract(Index n, const double* x, double* y) {
  for (Index i = 0; i < n; ++i) y[i] -= x[i];
}

double* column(Matrix& matrix, Index j) { return matrix.data() + j * matrix.rows(); }
const double* column(const Matrix& matrix, Index j) { return matrix.data() + j * matrix.rows(); }

// y -= row k of `map`, times the columns first, first + 1, ... of `values`; `size` grows by what
// was added and subtracted.
void subtract_product(const Matrix& map, Index k, const Matrix& values, Index first,
                      std::vector<double>& sum, double* size, double* y) {
  std::fill(sum.begin(), sum.end(), 0.0);
  for (Index j = 0; j < map.cols(); ++j) {
    add_multiple(values.rows(), map(k, j), column(values, first + j), sum.data());
    add_size(values.rows(), map(k, j), column(values, first + j), size);
  }
  subtract(values.rows(), sum.data(), y);
}

// eta_t = (y_t - sum over s < t of G_ts u_s) - d_t, the sum from the left. An input long ago has an
// effect of size 0 on most rows: its products add nothing and are left out.
Matrix purified_outputs(const Plant& plant, const Rollouts& rollouts) {
  const Sizes s = plant.sizes();
  const Index unseen = unseen_outputs(plant);
  const Matrix& G = unseen > 0 ? plant.G_x : plant.G;
  Matrix eta = rollouts.x;
  const auto n = static_cast<size_t>(rollouts.x.rows());
  std::vector<double> sum(n), size(n);
  for (Index t = 1; t <= s.T; ++t)
    for (Index k = 0; k < s.n_x; ++k) {
      const Index row = t * s.n_x + k;
      double* eta_t = column(eta, row);
      const double d = plant.d.size() == 0 ? 0.0 : plant.d(k, t - 1);
      std::fill(sum.begin(), sum.end(), 0.0);
      for (size_t i = 0; i < n; ++i) size[i] = std::abs(eta_t[i]) + std::abs(d);
      for (Index j = 0; j < t * s.n_u; ++j) {
        if (G(row, j) == 0) continue;
        add_multiple(eta.rows(), G(row, j), column(rollouts.u, j), sum.data());
        add_size(eta.rows(), G(row, j), column(rollouts.u, j), size.data());
      }
      subtract(eta.rows(), sum.data(), eta_t);
      const double rounding =
          static_cast<double>(t * s.n_u + 4) * std::numeric_limits<double>::epsilon();
      for (size_t i = 0; i < n; ++i) {
        eta_t[i] -= d;
        if (std::isfinite(eta_t[i]) && std::abs(eta_t[i]) <= rounding * size[i]) eta_t[i] = 0;
      }
    }
  if (unseen == 0) return eta;
  Matrix w = eta;  // what the controller sees comes first
  const std::vector<Index> places = free_places(plant);
  for (Index i = 0; i < eta.cols(); ++i)
    std::copy_n(column(eta, i), n, column(w, places[static_cast<size_t>(i)]));
  return w;
}

}  // namespace

Matrix model_errors(const Plant& plant, const Rollouts& rollouts) {
  if (!plant.has_state()) return purified_outputs(plant, rollouts);
  const Sizes s = plant.sizes();
  const Index n = rollouts.x.rows();
  Matrix w = rollouts.x;
  std::vector<double> sum(static_cast<size_t>(n)), size(static_cast<size_t>(n));
  // The logs and the model are rounded too, and what simulated them may have added in another
  // order.
  const double rounding =
      static_cast<double>(s.n_x + s.n_u + 4) * std::numeric_limits<double>::epsilon();
  for (Index t = 0; t < s.T; ++t)
    for (Index k = 0; k < s.n_x; ++k) {
      double* w_t = column(w, (t + 1) * s.n_x + k);
      const double d = plant.d.size() == 0 ? 0.0 : plant.d(k, t);
      for (size_t i = 0; i < size.size(); ++i) size[i] = std::abs(w_t[i]) + std::abs(d);
      subtract_product(plant.A_at(t), k, rollouts.x, t * s.n_x, sum, size.data(), w_t);
      subtract_product(plant.B_at(t), k, rollouts.u, t * s.n_u, sum, size.data(), w_t);
      for (size_t i = 0; i < size.size(); ++i) {
        w_t[i] -= d;
        if (std::isfinite(w_t[i]) && std::abs(w_t[i]) <= rounding * size[i]) w_t[i] = 0;
      }
    }
  return w;
}

Matrix plain_cholesky(const Matrix& value, double tolerance) {
  const Index d = value.rows();
  Matrix L = value;
  for (Index k = 0; k < d; ++k) {
    double* pivots = column(L, k);
    if (!(pivots[k] > tolerance * value(k, k))) return {};
    const double root = std::sqrt(pivots[k]);
    for (Index i = 0; i < k; ++i) pivots[i] = 0;
    for (Index i = k; i < d; ++i) pivots[i] /= root;
    for (Index j = k + 1; j < d; ++j)  // value_ij - sum over k of L_ik L_jk, from the left
      add_multiple(d - j, -pivots[j], pivots + j, column(L, j) + j);
  }
  return L;
}

Matrix plain_pivoted_cholesky(const Matrix& value, double tolerance) {
  const Index d = value.rows();
  Matrix left = value, R(d, d);
  std::fill(R.data(), R.data() + R.size(), 0.0);
  // What is left of a variance, as a part of it: no unit matters.
  const auto part = [&](Index i) { return value(i, i) > 0 ? left(i, i) / value(i, i) : 0.0; };
  for (Index k = 0; k < d; ++k) {
    Index p = 0;
    for (Index i = 1; i < d; ++i)
      if (part(i) > (1 + 1e-9) * part(p)) p = i;  // of equal ones the first, whatever rounding says
    if (!(part(p) > tolerance)) break;
    const double root = std::sqrt(left(p, p));
    double* r = column(R, k);
    for (Index i = 0; i < d; ++i) r[i] = left(i, p) / root;
    for (Index j = 0; j < d; ++j) add_multiple(d, -r[j], r, column(left, j));
    for (Index i = 0; i < d; ++i) left(i, p) = left(p, i) = 0;  // no rounding is left of it
  }
  return R;
}

Matrix plain_product(const Matrix& factor, const Matrix& columns) {
  Matrix product(factor.rows(), columns.cols());
  std::fill(product.data(), product.data() + product.size(), 0.0);
  for (Index j = 0; j < columns.cols(); ++j)
    for (Index k = 0; k < factor.cols(); ++k)
      add_multiple(factor.rows(), columns(k, j), column(factor, k), column(product, j));
  return product;
}

}  // namespace loopcert
