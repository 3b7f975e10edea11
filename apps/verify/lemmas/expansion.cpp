// docs/theory/identified-cost.md: the largest cost over an ellipsoid of models, the first two
// orders in the error exactly, the rest by norms.
#include <algorithm>
#include <cmath>

#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

constexpr long most_expanded = 256;  // coefficients; more have no second order

// Of what is not negative, though its ball may reach below zero.
Ball root_of(const Ball& a) { return ball(arb_sqrtpos, a.x); }

Mat part(const Mat& A, long t, long j, long rows, long cols) {
  return block(A, t * rows, j * cols, rows, cols);
}

Ball norm(const Mat& A) { return root_of(largest_eigenvalue(transpose(A) * A)); }

// With f = vec F in columns, entries (a, b) and (c, d) of F:
// <z_1, z_1> = f'(sum_tj W_tj (x) K_tj) f.
Mat own_form(const Interconnection& u) {
  const long n = u.n_v, r = u.n_r;
  Mat form(n * r, n * r);
  for (long i = 0; i < u.steps * r; ++i)
    for (long k = 0; k < u.steps * r; ++k)
      for (long a = 0; a < n; ++a)
        for (long c = 0; c < n; ++c)
          arb_addmul(form.at(i % r * n + a, k % r * n + c), arb_mat_entry(u.moments.m, i, k),
                     arb_mat_entry(u.inputs.m, i / r * n + a, k / r * n + c), bits);
  return form;
}

// 2 <z_0, z_2> = 2 sum_{t>j} tr(N_tj' F L_tj F), made symmetric.
Mat cross_form(const Interconnection& u) {
  const long n = u.n_v, r = u.n_r;
  Mat form(n * r, n * r);
  for (long t = 0; t < u.steps; ++t)
    for (long j = 0; j < t; ++j)
      for (long b = 0; b < r; ++b)
        for (long d = 0; d < r; ++d)
          for (long a = 0; a < n; ++a)
            for (long c = 0; c < n; ++c)
              arb_addmul(form.at(b * n + a, d * n + c),
                         arb_mat_entry(u.to_cost.m, t * n + a, j * r + d),
                         arb_mat_entry(u.replies.m, t * r + b, j * n + c), bits);
  return form + transpose(form);
}

// <z_0, z_1> = g'f, g = vec sum_t N_tt.
Mat gradient(const Interconnection& u) {
  Mat g(u.n_v * u.n_r, 1);
  for (long t = 0; t < u.steps; ++t)
    for (long b = 0; b < u.n_r; ++b)
      for (long a = 0; a < u.n_v; ++a)
        arb_add(g.at(b * u.n_v + a, 0), g.at(b * u.n_v + a, 0),
                arb_mat_entry(u.to_cost.m, t * u.n_v + a, t * u.n_r + b), bits);
  return g;
}

// n_k, at least the rms of the k-th order of z, for k = 1, 2 and all above: e_k of F r_t.
struct Orders {
  Ball first, second, others;
};

Orders orders_of(const Interconnection& u, const Ball& beta) {
  const long T = u.steps;
  Mat e_1(T, 1), e_3(T, 1), C(T, T), norms(T, T);
  for (long t = 0; t < T; ++t) {
    e_1.set(t, 0, beta * root_of(largest_eigenvalue(part(u.moments, t, t, u.n_r, u.n_r))));
    for (long j = 0; j <= t; ++j) {
      if (j < t) C.set(t, j, beta * norm(part(u.replies, t, j, u.n_r, u.n_v)));
      norms.set(t, j, norm(part(u.inputs, t, j, u.n_v, u.n_v)));
      norms.set(j, t, norms(t, j));
    }
  }
  const Mat e_2 = C * e_1;
  for (long t = 1; t < T; ++t)  // e_3 = C (e_2 + e_3)
    e_3.set(t, 0, dot(block(C, t, 0, 1, t), transpose(block(e_2 + e_3, 0, 0, t, 1))));
  const auto size = [&](const Mat& e) { return root_of(dot(e, norms * e)); };
  Orders n{size(e_1), size(e_2), size(e_3)};
  if (u.n_v * u.n_r <= most_expanded) {
    const Ball exact = beta * root_of(largest_eigenvalue(own_form(u)));
    n.first = ball(arb_min, n.first.x, exact.x);
  }
  return n;
}

}  // namespace

// sup of 2 g'f + f'G_2 f over |f| <= beta is at most nu beta^2 + g'(nu I - G_2)^-1 g for each nu
// above zero and G_2: a little above the one proposed, which is above zero, or far above if that is
// none.
Ball sup_of_quadratic(const Mat& g, const Mat& form, const Ball& beta, double proposed) {
  const Mat I = identity(g.rows());
  Ball nu = (1 + Ball(1e-10)) * proposed;
  if (!is_positive_definite(nu * I - form)) nu = (1 + Ball(1e-7)) * proposed;
  if (!is_positive_definite(nu * I - form)) nu = 1.01 * root_of(dot(form, form));
  if (!is_positive_definite(nu * I - form)) throw TooWide{"the largest second order"};
  return nu * beta * beta + dot(g, solve(nu * I - form, g));
}

// |(nu I - G_2)^-1 g| = beta, in the directions of G_2; its largest eigenvalue, or zero, where g
// has nothing there.
double good_multiplier(const Interconnection& u, const Ball& beta) {
  const Mat form = own_form(u) + cross_form(u), g = gradient(u);
  if (g.rows() > most_expanded) return 1;
  const Mat Q(turned(centres(form)));
  const Table d = centres(diagonal(transpose(Q) * form * Q)), c = centres(transpose(Q) * g);
  const double target = upper(beta) * upper(beta);
  const double floor = std::max(0.0, *std::max_element(d.values.begin(), d.values.end()));
  const auto excess = [&](double nu) {
    double sum = -target;
    for (size_t i = 0; i < d.values.size(); ++i)
      sum += std::pow(c.values[i] / (nu - d.values[i]), 2);
    return sum;
  };
  double low = floor, high = 2 * floor + upper(root_of(dot(g, g)) / beta) + 1e-300;
  for (int steps = 0; steps < 200 && high - low > 1e-15 * high; ++steps) {
    const double middle = low + (high - low) / 2;
    (excess(middle) > 0 ? low : high) = middle;
  }
  return high;
}

Ball largest_error(const Interconnection& u, const Ball& beta, double nu) {
  const auto [n_1, n_2, n_3] = orders_of(u, beta);
  const Ball n_0 = root_of(u.cost);
  const Mat g = gradient(u);
  const Ball two = g.rows() <= most_expanded
                       ? sup_of_quadratic(g, own_form(u) + cross_form(u), beta, nu)
                       : 2 * beta * root_of(dot(g, g)) + n_1 * n_1 + 2 * n_0 * n_2;
  return two + 2 * n_1 * n_2 + n_2 * n_2 + 2 * (n_0 + n_1 + n_2) * n_3 + n_3 * n_3;
}

Ball error_size(const Interconnection& u, const Ball& beta) {
  const auto [n_1, n_2, n_3] = orders_of(u, beta);
  return n_1 + n_2 + n_3;
}

}  // namespace verify
