#include "certificate/expansion.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "certificate/bound.hpp"
#include "core/linalg.hpp"

namespace loopcert {
namespace {

// Every block of `m` becomes left block right; the blocks of a row, and of a column, at once.
void scale_blocks(Matrix& m, const Matrix& left, const Matrix& right) {
  const Index rows = left.cols(), cols = right.rows();
  for (Index j = 0; j < m.cols(); j += cols) m.middleCols(j, cols) *= right;
  for (Index t = 0; t < m.rows(); t += rows)
    m.middleRows(t, rows) = (left * m.middleRows(t, rows)).eval();
}

// The same loop in units in which the error is F, ||F||_F <= beta: Delta = U^1/2 F G.
void take_units(Interconnection& out, const ConfidenceSet& set) {
  scale_blocks(out.to_cost, set.root.transpose(), set.G.transpose());
  scale_blocks(out.inputs, set.root.transpose(), set.root);
  scale_blocks(out.moments, set.G, set.G.transpose());
  scale_blocks(out.replies, set.G, set.root);
}

// The blocks (t, j < t) of `m` as columns, one t after the other; then those with j = t.
Matrix blocks_as_columns(const Matrix& m, Index rows, Index cols, Index steps, bool diagonal) {
  const Index before = steps * (steps - 1) / 2;
  Matrix columns(rows * cols, before + (diagonal ? steps : 0));
  Index at = 0;
  for (Index t = 0; t < steps; ++t)
    for (Index j = 0; j < t; ++j, ++at)
      columns.col(at).reshaped(rows, cols) = m.block(t * rows, j * cols, rows, cols);
  for (Index t = 0; t < steps && diagonal; ++t, ++at)
    columns.col(at).reshaped(rows, cols) = m.block(t * rows, t * cols, rows, cols);
  return columns;
}

// Forms in f = vec F, F in columns: entry F_ab is f(a + b n_v).
//   sum_tj tr(K_tj F W_jt F') = f'(sum W_tj (x) K_tj) f, the blocks (j, t) those of (t, j)
// transposed.
Matrix own_form(const Interconnection& u) {
  const Index n_v = u.n_v, n_r = u.n_r, T = u.steps;
  const Matrix K = blocks_as_columns(u.inputs, n_v, n_v, T, true);
  Matrix W = blocks_as_columns(u.moments, n_r, n_r, T, true);
  W.rightCols(T) *= 0.5;
  const Matrix sums = K * W.transpose();  // (a, d) x (b, c): sum_tj K_tj(a, d) W_tj(b, c)
  Matrix form(n_v * n_r, n_v * n_r);
  for (Index b = 0; b < n_r; ++b)
    for (Index c = 0; c < n_r; ++c)
      form.block(b * n_v, c * n_v, n_v, n_v) = sums.col(b + c * n_r).reshaped(n_v, n_v);
  form += form.transpose().eval();
  return form;
}

// 2 sum_{t>j} tr(N_tj' F L_tj F): entries N(a, d) F(a, b) L(b, c) F(c, d), symmetrized.
Matrix cross_form(const Interconnection& u) {
  const Index n_v = u.n_v, n_r = u.n_r, T = u.steps;
  const Matrix N = blocks_as_columns(u.to_cost, n_v, n_r, T, false);
  const Matrix L = blocks_as_columns(u.replies, n_r, n_v, T, false);
  const Matrix sums = N * L.transpose();  // (a, d) x (b, c)
  Matrix form(n_v * n_r, n_v * n_r);
  for (Index b = 0; b < n_r; ++b)
    for (Index d = 0; d < n_r; ++d)  // f(a, b) and f(c, d)
      for (Index c = 0; c < n_v; ++c)
        form.block(b * n_v, d * n_v + c, n_v, 1) = sums.block(d * n_v, b + c * n_r, n_v, 1);
  return form + form.transpose();
}

Vector gradient(const Interconnection& u) {
  Matrix sum = Matrix::Zero(u.n_v, u.n_r);
  for (Index t = 0; t < u.steps; ++t) sum += u.to_cost.block(t * u.n_v, t * u.n_r, u.n_v, u.n_r);
  return sum.reshaped();
}

// The largest eigenvalue of a tridiagonal matrix: Newton's method on its characteristic polynomial
// from above, where all its leading minors are positive, so nothing cancels and no step is too
// long.
template <typename Diagonal, typename Beside>
double largest_of_tridiagonal(const Diagonal& d, const Beside& beside) {
  const Index n = d.size();
  double x = 0;  // Gershgorin
  for (Index i = 0; i < n; ++i)
    x = std::max(
        x, d(i) + (i > 0 ? std::abs(beside(i - 1)) : 0) + (i + 1 < n ? std::abs(beside(i)) : 0));
  for (int k = 0; k < 200; ++k) {
    double before = 1, now = x - d(0), slope_before = 0, slope = 1;
    for (Index i = 1; i < n; ++i) {
      const double square = beside(i - 1) * beside(i - 1);
      const double next = (x - d(i)) * now - square * before;
      const double next_slope = now + (x - d(i)) * slope - square * slope_before;
      before = now;
      now = next;
      slope_before = slope;
      slope = next_slope;
    }
    const double step = now / slope;
    if (!(step > 1e-15 * x)) break;
    x -= step;
  }
  return x;
}

// Largest singular values of blocks, one after the other. Those of a few columns have sizes that
// the compiler knows: memory from the heap takes longer than their eigenvalues.
template <int Size>
double norm_of_columns(const Eigen::Ref<const Matrix>& block) {
  using Small = Eigen::Matrix<double, Size, Size>;
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Size>, 0, Eigen::OuterStride<>>
      fixed(block.data(), block.rows(), Size, Eigen::OuterStride<>(block.outerStride()));
  Small gram;
  gram.noalias() = fixed.transpose().lazyProduct(fixed);
  // In units of its own: powers of it must not overflow.
  const double unit = gram.trace();
  if (!(unit > 0) || !std::isfinite(unit)) return std::sqrt(unit);
  const Eigen::Tridiagonalization<Small> form(gram / unit);
  return std::sqrt(unit * largest_of_tridiagonal(form.diagonal(), form.subDiagonal()));
}

double norm_of(const Eigen::Ref<const Matrix>& block) {
  switch (block.cols()) {
    case 1:
      return block.norm();
    case 2:
      return norm_of_columns<2>(block);
    case 3:
      return norm_of_columns<3>(block);
    case 4:
      return norm_of_columns<4>(block);
    case 5:
      return norm_of_columns<5>(block);
    case 6:
      return norm_of_columns<6>(block);
    default:
      return std::sqrt(std::max(largest_eigenvalue(block.transpose() * block), 0.0));
  }
}

// Sizes of the orders of z: e_k bounds the rms of the k-th order of F G r_t, n_k that of z_k.
struct Orders {
  double n1 = 0, n2 = 0, n3 = 0;
};

Orders orders_of(const Interconnection& u, double beta) {
  const Index T = u.steps, n_v = u.n_v, n_r = u.n_r;
  Vector e1(T);
  Matrix C = Matrix::Zero(T, T), Gn(T, T);
  for (Index t = 0; t < T; ++t) {
    e1(t) = beta * std::sqrt(std::max(
                       largest_eigenvalue(u.moments.block(t * n_r, t * n_r, n_r, n_r)), 0.0));
    for (Index j = 0; j < t; ++j)
      C(t, j) = beta * norm_of(u.replies.block(t * n_r, j * n_v, n_r, n_v));
    for (Index j = 0; j <= t; ++j)
      Gn(t, j) = Gn(j, t) = norm_of(u.inputs.block(t * n_v, j * n_v, n_v, n_v));
  }
  const Vector e2 = C * e1;
  const Matrix step = Matrix::Identity(T, T) - C;
  const Vector all = step.triangularView<Eigen::UnitLower>().solve(e1);
  const Vector e3 = (all - e1 - e2).cwiseMax(0.0);
  const auto size = [&](const Vector& e) { return std::sqrt(std::max(e.dot(Gn * e), 0.0)); };
  return {size(e1), size(e2), size(e3)};
}

}  // namespace

// Convex in nu.
QuadraticSup sup_of_quadratic(const Vector& g, const Matrix& form, double beta) {
  if (g.isZero(0.0) && form.isZero(0.0)) return {};  // the model's error does not reach this cost
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(form);
  const Vector& s = eigen.eigenvalues();
  const Vector gg = (eigen.eigenvectors().transpose() * g).cwiseAbs2();
  const double least = std::max(s(s.size() - 1), 0.0);
  const double size = std::max({g.norm() / beta, s.cwiseAbs().maxCoeff(), 1e-300});
  const auto value = [&](double nu) {
    return nu * beta * beta + (gg.array() / (nu - s.array())).sum();
  };
  const auto slope = [&](double nu) {
    return beta * beta - (gg.array() / (nu - s.array()).square()).sum();
  };
  double low = 1e-12 * size, high = 4 * size;  // above `least`
  if (slope(least + low) >= 0) return {value(least + low), least + low};
  while (slope(least + high) < 0) high *= 4;
  for (int i = 0; i < 200 && high > low * (1 + 1e-13); ++i) {
    const double middle = std::sqrt(low * high);
    (slope(least + middle) < 0 ? low : high) = middle;
  }
  return {value(least + high), least + high};
}

Expansion expand(Interconnection u, const ConfidenceSet& set, double enough) {
  Expansion out;
  out.nominal = u.cost;
  if (u.steps == 0) return out;
  take_units(u, set);
  const double beta = set.beta;
  const double n0 = std::sqrt(std::max(u.cost, 0.0));
  const Vector g = gradient(u);
  const bool exact = g.size() <= most_expanded;
  const Matrix own = exact ? own_form(u) : Matrix();
  if (exact) {
    const QuadraticSup dual = sup_of_quadratic(g, own + cross_form(u), beta);
    out.sup = dual.value;
    out.nu = dual.nu;
  }
  if (out.nominal + (exact ? out.sup : 2 * beta * g.norm()) >= enough) {
    out.rest = INFINITY;  // whatever comes after it
    return out;
  }
  Orders n = orders_of(u, beta);
  if (exact) {
    n.n1 = std::min(n.n1, beta * std::sqrt(std::max(largest_eigenvalue(own), 0.0)));
  } else {
    out.sup = 2 * beta * g.norm() + n.n1 * n.n1 + 2 * n0 * n.n2;
  }
  out.rest = 2 * n.n1 * n.n2 + n.n2 * n.n2 + 2 * (n0 + n.n1 + n.n2) * n.n3 + n.n3 * n.n3;
  out.n1 = n.n1;
  out.n2 = n.n2;
  out.n3 = n.n3;
  if (!std::isfinite(out.value()))
    throw NotProved("identified: the model is too uncertain for any bound (learn from more)");
  return out;
}

}  // namespace loopcert
