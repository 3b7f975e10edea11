// docs/theory/identified-cost.md, item 8: the largest average cost over an ellipsoid of models, the
// first two orders in the error exactly, the rest by gains of the loop.
#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

constexpr double forgotten = 1e-20;  // a power of A of this size
constexpr long most_lags = 40'000;

Ball root_of(const Ball& a) { return ball(arb_sqrtpos, a.x); }
Ball frobenius(const Mat& A) { return root_of(dot(A, A)); }

Mat widened(Mat A, const Ball& error) {
  for (long i = 0; i < A.rows(); ++i)
    for (long j = 0; j < A.cols(); ++j) arb_add_error(A.at(i, j), error.x);
  return A;
}

// sum_j A'^j Q A^j for a stable A: after k rounds S_k has 2^k terms, and what is left is A_k'S A_k
// with A_k = A^2^k, |A_k| <= eps: at most eps^2 |S|, |S| <= |S_k|/(1 - eps^2).
Mat summed(Mat A, const Mat& Q) {
  Mat S = Q;
  for (int k = 0; k < 60; ++k) {
    const Ball eps = frobenius(A);
    if (upper(eps) <= forgotten) return widened(S, eps * eps * frobenius(S) / (1 - eps * eps));
    S = S + transpose(A) * S * A;
    A = A * A;
  }
  throw TooWide{"a sum over all steps"};
}

// form += W (x) K
void add_kronecker(Mat& form, const Mat& W, const Mat& K) {
  const long v = K.rows();
  for (long b = 0; b < W.rows(); ++b)
    for (long d = 0; d < W.cols(); ++d)
      for (long a = 0; a < v; ++a)
        for (long c = 0; c < v; ++c)
          arb_addmul(form.at(b * v + a, d * v + c), arb_mat_entry(W.m, b, d),
                     arb_mat_entry(K.m, a, c), bits);
}

// xi+ = A xi + c + H (e + F r), r = C xi + (what the constant gives), at F = 0: means of r and of q
// = H'(costs to come pull), the covariance of xi, S = Q + A'S A.
struct Stationary {
  Mat A, H, C, Q, Sigma, S, r, q;
  Ball cost;
};

Stationary stationary_of(const ClosedStep& step, const Mat& H_all, bool constant) {
  const long f = constant ? 1 : 0, n = step.A.rows() - f, n_r = step.C.rows();
  const Mat A = block(step.A, f, f, n, n), H = block(H_all, f, 0, n, H_all.cols());
  const Mat Q = block(step.weight, f, f, n, n), I = identity(n);
  Stationary s{A,
               H,
               block(step.C, 0, f, n_r, n),
               Q,
               summed(transpose(A), H * transpose(H)),
               summed(A, Q),
               Mat(n_r, 1),
               Mat(H.cols(), 1),
               {}};
  s.cost = dot(H, s.S * H);
  if (!constant) return s;
  const Mat c = block(step.A, 1, 0, n, 1), m = solve(I - A, c);
  const Mat p = solve(I - transpose(A), block(step.weight, 1, 0, n, 1) + transpose(A) * (s.S * c));
  Mat mean(1 + n, 1);
  mean.set(0, 0, 1);
  set_block(mean, 1, 0, m);
  s.r = step.C * mean;
  s.q = transpose(H) * (p + s.S * m);
  s.cost = s.cost + dot(mean, step.weight * mean);
  return s;
}

// With W_j = E r_t r_{t-j}', N_j = E q_t r_{t-j}', L_j = C A^{j-1} H and K_j = H'Y A^j H:
//   own = sum over all j of W_j (x) K_j for Y = S, reply the same for Y = sum A'^j C'C A^j,
//   cross: 2 sum_{j>0} tr(N_j'F L_j F), made symmetric.
struct Forms {
  Mat own, reply, cross, g;
};

Forms forms_of(const Stationary& s) {
  const long v = s.H.cols(), n_r = s.C.rows(), k = v * n_r;
  const Mat Y = summed(s.A, transpose(s.C) * s.C), moment = s.Sigma * transpose(s.C);
  const Mat HS = transpose(s.H) * s.S, HY = transpose(s.H) * Y, HSA = HS * s.A;
  const Mat rr = s.r * transpose(s.r), qr = s.q * transpose(s.r);
  Forms forms{Mat(k, k), Mat(k, k), Mat(k, k), Mat(k, 1)};
  const Mat N_0 = qr + HSA * moment;
  for (long b = 0; b < n_r; ++b)
    for (long a = 0; a < v; ++a) forms.g.set(b * v + a, 0, N_0(a, b));
  Mat power = identity(s.A.rows());
  Ball sizes;  // of all powers that were summed
  for (long j = 0;; ++j) {
    const Ball size = frobenius(power);
    if (upper(size) <= forgotten) {
      // Lags from here on: |A^(i + jL)| <= |A^i| eps^j, L their number until now, eps = |A^L|.
      const Ball more = size / (1 - size) * sizes, H = frobenius(s.H), C = frobenius(s.C);
      const Ball W = frobenius(rr) + C * sizes * frobenius(moment);
      const Ball N = frobenius(qr) + frobenius(HSA) * sizes * frobenius(moment);
      forms.own = widened(forms.own, frobenius(HS) * more * H * W);
      forms.reply = widened(forms.reply, frobenius(HY) * more * H * W);
      forms.cross = widened(forms.cross, C * more * H * N);
      for (Mat* form : {&forms.own, &forms.reply, &forms.cross}) *form = *form + transpose(*form);
      return forms;
    }
    if (j == most_lags || !(upper(size) < 1e30)) throw TooWide{"the memory of a loop"};
    sizes = sizes + size;
    const Mat W = Ball(j == 0 ? 0.5 : 1) * (rr + s.C * (power * moment)), input = power * s.H;
    add_kronecker(forms.own, W, HS * input);
    add_kronecker(forms.reply, W, HY * input);
    power = s.A * power;
    const Mat N = qr + HSA * (power * moment), L = s.C * input;  // N_{j+1}, L_{j+1}
    for (long b = 0; b < n_r; ++b)
      for (long d = 0; d < n_r; ++d)
        for (long a = 0; a < v; ++a)
          for (long c = 0; c < v; ++c)
            arb_addmul(forms.cross.at(b * v + a, d * v + c), arb_mat_entry(N.m, a, d),
                       arb_mat_entry(L.m, b, c), bits);
  }
}

}  // namespace

bool is_gain(const Mat& A, const Mat& H, const Mat& W, const Gain& by) {
  const Mat P = Ball(0.5) * (by.P + transpose(by.P)), none(1, A.cols());
  return by.gain > 0 && is_guaranteed({A, none, W}, H, 0, {P, Ball(by.gain) * by.gain, 0, false});
}

Average average_over_set(const ClosedStep& step, const Mat& H, const Ball& beta, bool constant,
                         double nu, const Gain& reply, const Gain& cost) {
  const long f = constant ? 1 : 0, n = step.A.rows() - f;
  const Mat A = block(step.A, f, f, n, n), H_x = block(H, f, 0, n, H.cols());
  const Mat C = block(step.C, 0, f, step.C.rows(), n);
  const Ball gamma = beta * reply.gain;
  if (!is_gain(A, H_x, transpose(C) * C, reply) ||
      !is_gain(A, H_x, block(step.weight, f, f, n, n), cost) || !(upper(gamma) < 1))
    throw TooWide{"the gains of the loop"};
  const Stationary s = stationary_of(step, H, constant);
  const Forms forms = forms_of(s);
  const Ball n_1 = beta * root_of(largest_eigenvalue(forms.own));
  const Ball rho_1 = beta * root_of(largest_eigenvalue(forms.reply));
  const Mat HSA = transpose(s.H) * s.S * s.A;
  const Ball q = root_of(dot(s.q, s.q) + dot(HSA, HSA * s.Sigma));
  const Ball later = rho_1 / (1 - gamma), others = cost.gain * beta * later;
  return {s.cost, sup_of_quadratic(forms.g, forms.own + forms.cross, beta, nu) + 2 * n_1 * others +
                      others * others + 2 * beta * q * gamma * later};
}

}  // namespace verify
