// The paper's data-driven bound in its dense form, for any number type: every direction M_k is a
// full d_y x d_w matrix, and what is indexed by two coordinates is a p x p matrix. Written as one
// would for automatic differentiation: the value only.
#pragma once

#include <Eigen/Cholesky>
#include <cmath>
#include <vector>

#include "../learning_problem.hpp"
#include "response/response.hpp"

namespace loopcert::bench {

// Everything that does not depend on the posterior. With U = L L' and A_k = M_k L,
//   E ||Y Y'||^2 for Y = Ybar + sum_k e_k A_k has degrees 0, 2 and 4 in the e_k, below.
struct DenseBound {
  Index p, d_y, d_z;  // d_y: rows of M, states and inputs
  double n, delta, eps, prior_scale;
  Matrix A_0;
  std::vector<Matrix> A;      // M_k L
  std::vector<Matrix> inner;  // A_k'A_k, d_z x d_z
  std::vector<Matrix> outer;  // A_k A_k', d_y x d_y
  Matrix W;                   // degree four: v'W v
  Matrix G;                   // empirical risk: alpha'G alpha + 2 g'alpha + c
  Vector g;
  double c;
  Vector norms;  // ||M_k||_F^2

  DenseBound(const System& system, const LearningProblem& problem)
      : p(problem.space.coordinates.p()),
        d_y(problem.sizes.d_xu()),
        d_z(problem.sizes.d_w()),
        n(static_cast<double>(problem.inputs.n)),
        delta(problem.inputs.delta),
        eps(problem.inputs.spread(0)),
        prior_scale(problem.prior.scale),
        W(p, p),
        G(p, p),
        g(p),
        norms(p) {
    const auto M_at = [&](const Vector& alpha) {
      const Matrix Z = unpack(problem.space.coordinates.pattern, alpha);
      return weighted_response(system.cost, problem.sizes,
                               response_at(system, problem.space.coordinates, Z))
          .M;
    };
    const Matrix& S = problem.inputs.Sigma_hat;
    const Matrix L = problem.inputs.U.llt().matrixL();
    const Matrix M_0 = M_at(Vector::Zero(p));
    std::vector<Matrix> M, MS;
    for (Index k = 0; k < p; ++k) {
      M.push_back(M_at(Vector::Unit(p, k)) - M_0);
      MS.push_back(M.back() * S);
      A.push_back(M.back() * L);
      inner.push_back(A.back().transpose() * A.back());
      outer.push_back(A.back() * A.back().transpose());
      norms(k) = M.back().squaredNorm();
      g(k) = MS.back().cwiseProduct(M_0).sum();
    }
    A_0 = M_0 * L;
    c = (M_0 * S).cwiseProduct(M_0).sum();
    for (size_t k = 0; k < A.size(); ++k)
      for (size_t l = 0; l < A.size(); ++l) {
        const Matrix X = A[k].transpose() * A[l];
        const auto i = static_cast<Index>(k), j = static_cast<Index>(l);
        W(i, j) = outer[k].cwiseProduct(outer[l]).sum() + inner[k].cwiseProduct(inner[l]).sum() +
                  X.cwiseProduct(X.transpose()).sum();
        G(i, j) = MS[k].cwiseProduct(M[l]).sum();
      }
  }

  // x = (alpha, log sigma), 2p numbers.
  template <class Number>
  Number value(const std::vector<Number>& x) const {
    using std::exp, std::sqrt;
    std::vector<Number> v(static_cast<size_t>(p));
    for (size_t k = 0; k < v.size(); ++k) v[k] = exp(2.0 * x[v.size() + k]);
    Number kl = 0, empirical = c, spread = 0;
    const double s2 = prior_scale * prior_scale;
    for (size_t k = 0; k < v.size(); ++k) {
      const auto i = static_cast<Index>(k);
      kl += 0.5 / s2 * (v[k] + x[k] * x[k]) - (x[v.size() + k] + Number(0.5 - std::log(s2) / 2));
      add(spread, eps * norms(i), v[k]);
      add(empirical, 2 * g(i), x[k]);
      add(empirical, x[k], row_dot(G, i, x));
    }
    const Number rate = 1 / (n - 1) * (kl + Number(std::log(n / delta)));
    return empirical + spread + 2.0 * sqrt(rate * sensitivity(x, v));
  }

 private:
  static void add(double& sum, double a, double b) { sum += a * b; }
  template <class Number>
  static void add(Number& sum, double a, const Number& b) {
    sum.add(a, b);
  }
  template <class Number>
  static void add(Number& sum, const Number& a, const Number& b) {
    sum.add(a, b);
  }

  template <class Number>
  Number row_dot(const Matrix& matrix, Index row, const std::vector<Number>& x) const {
    Number sum = 0;
    for (Index j = 0; j < p; ++j) add(sum, matrix(row, j), x[static_cast<size_t>(j)]);
    return sum;
  }

  // <Y Y', sum_k v_k weights_k> for symmetric weights of the size of Y's rows; Y is rows x cols,
  // row by row.
  template <class Number>
  static Number pair(const std::vector<Number>& Y, Index rows, Index cols, bool transposed,
                     const std::vector<Number>* v, const std::vector<Matrix>& weights) {
    const Index size = transposed ? cols : rows, length = transposed ? rows : cols;
    const auto at = [&](Index i, Index j) -> const Number& {
      return Y[static_cast<size_t>(transposed ? j * cols + i : i * cols + j)];
    };
    Number total = 0;
    for (Index a = 0; a < size; ++a)
      for (Index b = 0; b < size; ++b) {
        Number product = 0, weight = 0;
        for (Index j = 0; j < length; ++j) add(product, at(a, j), at(b, j));
        if (!v) {
          add(total, product, product);
          continue;
        }
        for (size_t k = 0; k < v->size(); ++k) add(weight, weights[k](a, b), (*v)[k]);
        add(total, product, weight);
      }
    return total;
  }

  // E ||Y Y'||_F^2
  template <class Number>
  Number sensitivity(const std::vector<Number>& x, const std::vector<Number>& v) const {
    std::vector<Number> Y(static_cast<size_t>(d_y * d_z));
    for (Index a = 0; a < d_y; ++a)
      for (Index j = 0; j < d_z; ++j) {
        Number& y = Y[static_cast<size_t>(a * d_z + j)];
        y = A_0(a, j);
        for (size_t k = 0; k < A.size(); ++k) add(y, A[k](a, j), x[k]);
      }
    Number C = pair(Y, d_y, d_z, true, static_cast<const std::vector<Number>*>(nullptr), inner);
    // degree two: v_k (2 ||A_k Y'||^2 + 2 <Y Y', A_k A_k'> + 2 tr(A_k Y' A_k Y'))
    C += 2.0 * (pair(Y, d_y, d_z, true, &v, inner) + pair(Y, d_y, d_z, false, &v, outer));
    std::vector<Number> B(static_cast<size_t>(d_y * d_y));
    for (size_t k = 0; k < A.size(); ++k) {
      Number trace = 0;
      for (Index a = 0; a < d_y; ++a)
        for (Index b = 0; b < d_y; ++b) {
          Number& entry = B[static_cast<size_t>(a * d_y + b)];
          entry = 0;
          for (Index j = 0; j < d_z; ++j)
            add(entry, A[k](a, j), Y[static_cast<size_t>(b * d_z + j)]);
        }
      for (Index a = 0; a < d_y; ++a)
        for (Index b = 0; b < d_y; ++b)
          add(trace, B[static_cast<size_t>(a * d_y + b)], B[static_cast<size_t>(b * d_y + a)]);
      C += 2.0 * (v[k] * trace);
    }
    // degree four: the three pairings of e_k e_l e_m e_n
    for (size_t k = 0; k < v.size(); ++k) add(C, v[k], row_dot(W, static_cast<Index>(k), v));
    return C;
  }
};

}  // namespace loopcert::bench
