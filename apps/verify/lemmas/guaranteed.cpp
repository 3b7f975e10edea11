// docs/theory/identified-cost.md, items 1 to 3: gains on a plant of which an ellipsoid is known.
#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

// Certainly, for a symmetric A: by its Cholesky factor in balls.
bool is_definite(const Mat& A) {
  Mat L(A.rows(), A.cols());
  return arb_mat_cho(L.m, A.m, bits) != 0;
}

Mat weight_of(const ClosedStep& step, const Ball& beta, const Ball& tau) {
  return step.weight + tau * beta * beta * (transpose(step.C) * step.C);
}

}  // namespace

Mat guaranteed_step(const ClosedStep& step, const Mat& H, const Ball& beta, const Mat& P,
                    const Ball& tau) {
  const Mat PH = P * H, gap = tau * identity(H.cols()) - transpose(H) * PH;
  if (!is_definite(gap)) throw TooWide{"tau I - H'P H"};
  const Mat A_ = transpose(step.A), APH = A_ * PH;
  return weight_of(step, beta, tau) + A_ * P * step.A + APH * solve(gap, transpose(APH));
}

Mat guaranteed_step_below(const ClosedStep& step, const Mat& H, const Ball& beta, const Mat& P,
                          const Ball& tau) {
  const Mat PH = P * H, gap = tau * identity(H.cols()) + transpose(H) * PH;
  if (!(lower(tau) >= 0) || !is_definite(gap)) throw TooWide{"tau I + H'P H"};
  const Mat A_ = transpose(step.A), APH = A_ * PH;
  return weight_of(step, beta, -tau) + A_ * P * step.A - APH * solve(gap, transpose(APH));
}

// kappa tr M + (1 - kappa) tr M_+ for M = root'X root, and M_+ <= (E + M)/2 for E >= M, -M.
Ball largest_between(const Mat& X, const Mat& root, const Ball& kappa) {
  const Mat M = transpose(root) * X * root, S = Ball(0.5) * (M + transpose(M));
  const std::optional<Mat> E = absolute(S, Mat(0, 0));
  if (!E) throw TooWide{"the positive part of a difference"};
  return kappa * trace(S) + (1 - kappa) / 2 * (trace(*E) + trace(S));
}

bool is_guaranteed(const ClosedStep& step, const Mat& H, const Ball& beta, const Certified& by) {
  const long n = by.P.rows(), f = by.constant ? 1 : 0, v = H.cols();
  if (!is_definite(block(by.P, f, f, n - f, n - f))) return false;
  const Mat PA = by.P * step.A, PH = by.P * H, corner = transpose(PA) * H;
  Mat all(n + v, n + v);
  set_block(all, 0, 0, by.P - weight_of(step, beta, by.tau) - transpose(step.A) * PA);
  set_block(all, 0, n, -1 * corner);
  set_block(all, n, 0, -1 * transpose(corner));
  set_block(all, n, n, by.tau * identity(v) - transpose(H) * PH);
  if (by.constant) all.set(0, 0, all(0, 0) + by.rise);
  return is_definite(all);
}

// S = sum_k A'^k Q A^k, of 2^k terms after k rounds; the rest is between zero and A'^2^k P A^2^k,
// as P >= Q + A'P A. The constant has a mean, (1, m) with m = A m + c.
Ball average_of_estimate(const ClosedStep& step, const Mat& H, const Certified& by) {
  const long f = by.constant ? 1 : 0, n = by.P.rows() - f;
  const Mat P = block(by.P, f, f, n, n), noise = block(H, f, 0, n, H.cols());
  const Mat UU = noise * transpose(noise);
  Mat A = block(step.A, f, f, n, n), S = block(step.weight, f, f, n, n);
  Ball cost;
  if (by.constant) {
    Mat mean(1 + n, 1);
    mean.set(0, 0, 1);
    set_block(mean, 1, 0, solve(identity(n) - A, block(step.A, 1, 0, n, 1)));
    cost = dot(mean, step.weight * mean);
  }
  for (int k = 0; k < 60; ++k) {
    Ball rest = dot(transpose(A) * P * A, UU);
    if (upper(rest) <= 1e-15 * upper(dot(S, UU))) {
      arb_union(rest.x, rest.x, Ball(0).x, bits);
      return cost + dot(S, UU) + rest;
    }
    S = S + transpose(A) * S * A;
    A = A * A;
  }
  throw TooWide{"the average cost of the estimate"};
}

}  // namespace verify
