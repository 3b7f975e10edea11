#include "certificate/expansion.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "certificate/bound.hpp"
#include "core/linalg.hpp"

namespace loopcert {
namespace {

// The same loop in units in which the error is F, ||F||_F <= beta: Delta = U^1/2 F G.
Interconnection in_units(const Interconnection& loop, const ConfidenceSet& set) {
  Interconnection out = loop;
  const Index T = loop.steps, n_v = loop.n_v, n_r = loop.n_r;
  for (Index t = 0; t < T; ++t)
    for (Index j = 0; j < T; ++j) {
      const auto at = [&](auto& m, Index rows, Index cols) {
        return m.block(t * rows, j * cols, rows, cols);
      };
      at(out.to_cost, n_v, n_r) =
          set.root.transpose() * at(loop.to_cost, n_v, n_r) * set.G.transpose();
      at(out.inputs, n_v, n_v) = set.root.transpose() * at(loop.inputs, n_v, n_v) * set.root;
      at(out.moments, n_r, n_r) = set.G * at(loop.moments, n_r, n_r) * set.G.transpose();
      at(out.replies, n_r, n_v) = set.G * at(loop.replies, n_r, n_v) * set.root;
    }
  return out;
}

// Forms in f = vec F, F in columns: entry F_ab is f(a + b n_v).
//   sum_tj tr(K_tj F W_jt F') = f'(sum W_tj (x) K_tj) f
Matrix own_form(const Interconnection& u) {
  const Index n_v = u.n_v, n_r = u.n_r, T = u.steps;
  Matrix form = Matrix::Zero(n_v * n_r, n_v * n_r);
  for (Index t = 0; t < T; ++t)
    for (Index j = 0; j < T; ++j) {
      const Matrix K = u.inputs.block(t * n_v, j * n_v, n_v, n_v);
      const Matrix W = u.moments.block(t * n_r, j * n_r, n_r, n_r);
      for (Index b = 0; b < n_r; ++b)
        for (Index c = 0; c < n_r; ++c) form.block(b * n_v, c * n_v, n_v, n_v) += W(b, c) * K;
    }
  return 0.5 * (form + form.transpose());
}

// 2 sum_{t>j} tr(N_tj' F L_tj F): entries N(a, d) F(a, b) L(b, c) F(c, d), symmetrized.
Matrix cross_form(const Interconnection& u) {
  const Index n_v = u.n_v, n_r = u.n_r, T = u.steps;
  Matrix form = Matrix::Zero(n_v * n_r, n_v * n_r);
  for (Index t = 0; t < T; ++t)
    for (Index j = 0; j < t; ++j) {
      const Matrix N = u.to_cost.block(t * n_v, j * n_r, n_v, n_r);
      const Matrix L = u.replies.block(t * n_r, j * n_v, n_r, n_v);
      for (Index b = 0; b < n_r; ++b)
        for (Index d = 0; d < n_r; ++d)  // f(., b) and f(., d): N(., d) L(b, .)
          form.block(b * n_v, d * n_v, n_v, n_v).noalias() += N.col(d) * L.row(b);
    }
  return form + form.transpose();
}

Vector gradient(const Interconnection& u) {
  Matrix sum = Matrix::Zero(u.n_v, u.n_r);
  for (Index t = 0; t < u.steps; ++t) sum += u.to_cost.block(t * u.n_v, t * u.n_r, u.n_v, u.n_r);
  return sum.reshaped();
}

struct Dual {
  double value = 0, nu = 0;
};

// min over nu > max(0, largest eigenvalue) of nu beta^2 + g'(nu - G)^-1 g, convex in nu.
Dual sup_of_quadratic(const Vector& g, const Matrix& form, double beta) {
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

double norm_of(const Matrix& block) {
  return std::sqrt(std::max(largest_eigenvalue(block.transpose() * block), 0.0));
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

Expansion expand(const Interconnection& loop, const ConfidenceSet& set) {
  Expansion out;
  out.nominal = loop.cost;
  if (loop.steps == 0) return out;
  const Interconnection u = in_units(loop, set);
  const double beta = set.beta;
  Orders n = orders_of(u, beta);
  const double n0 = std::sqrt(std::max(loop.cost, 0.0));
  const Vector g = gradient(u);
  if (g.size() <= most_expanded) {
    const Matrix own = own_form(u);
    n.n1 = std::min(n.n1, beta * std::sqrt(std::max(largest_eigenvalue(own), 0.0)));
    const Dual dual = sup_of_quadratic(g, own + cross_form(u), beta);
    out.sup = dual.value;
    out.nu = dual.nu;
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
