#include "loop.hpp"

#include <algorithm>

namespace verify {
namespace {

size_t at(long t) { return static_cast<size_t>(t); }

// x_{t+1} = A x_t + B u_t + d_t + w_t from the inputs given, to which K x is added if there is a K.
Response roll(const Problem& p, Mat U, const Mat* K) {
  const long width = 1 + p.d_w();
  Mat X(p.d_w(), width);
  for (long i = 0; i < p.d_w(); ++i) arb_one(X.at(i, 1 + i));
  for (long t = 0; t < p.T; ++t) {
    const long now = t * p.n_x, next = now + p.n_x;
    Mat U_t = block(U, t * p.n_u, 0, p.n_u, width);
    if (K) U_t = U_t + block(*K, t * p.n_u, 0, p.n_u, next) * block(X, 0, 0, next, width);
    set_block(U, t * p.n_u, 0, U_t);
    Mat step = Mat(p.A[at(t)]) * block(X, now, 0, p.n_x, width) + Mat(p.B[at(t)]) * U_t;
    for (long i = 0; i < p.n_x; ++i) {
      arb_add(step.at(i, 0), step.at(i, 0), Ball(p.d(t, i)).x, bits);
      arb_add_si(step.at(i, 1 + next + i), step.at(i, 1 + next + i), 1, bits);
    }
    set_block(X, next, 0, step);
  }
  return {std::move(X), std::move(U)};
}

Mat weighted(const std::vector<Table>& weights, const Table* last, const Mat& X) {
  const long size = weights[0].rows;
  Mat Y(X.rows(), X.cols());
  for (long t = 0; t * size < X.rows(); ++t) {
    const bool end = last && (t + 1) * size == X.rows();
    set_block(Y, t * size, 0,
              Mat(end ? *last : weights[at(t)]) * block(X, t * size, 0, size, X.cols()));
  }
  return Y;
}

Mat input_map(const Problem& p) {  // S_x: from inputs to states
  Mat S(p.d_w(), p.d_u());
  for (long t = 0; t < p.T; ++t) {
    Mat step = Mat(p.A[at(t)]) * block(S, t * p.n_x, 0, p.n_x, p.d_u());
    set_block(step, 0, t * p.n_u, Mat(p.B[at(t)]));
    set_block(S, (t + 1) * p.n_x, 0, step);
  }
  return S;
}

}  // namespace

Response closed_loop(const Problem& problem, const Controller& controller) {
  Mat U(problem.d_u(), 1 + problem.d_w());
  for (long i = 0; i < problem.d_u(); ++i) arb_set_d(U.at(i, 0), controller.k(0, i));
  const Mat K(controller.K);
  return roll(problem, std::move(U), &K);
}

Response open_loop(const Problem& problem, Mat inputs) {
  return roll(problem, std::move(inputs), nullptr);
}

// Cost-to-go x'V x + 2 v'x.
Response lqr_response(const Problem& p) {
  Mat U(p.d_u(), 1 + p.d_w()), K(p.d_u(), p.d_w()), V(p.P), v(p.n_x, 1);
  for (long t = p.T - 1; t >= 0; --t) {
    const Mat A(p.A[at(t)]), B(p.B[at(t)]);
    Mat d(p.n_x, 1);
    for (long i = 0; i < p.n_x; ++i) d.set(i, 0, p.d(t, i));
    const Mat B_V = transpose(B) * V, G = Mat(p.R[at(t)]) + B_V * B;
    const Mat gain = Ball(-1) * solve(G, B_V * A);
    const Mat k = Ball(-1) * solve(G, B_V * d + transpose(B) * v);
    v = transpose(A) * (V * (B * k + d) + v);
    V = Mat(p.Q[at(t)]) + transpose(A) * V * (A + B * gain);
    set_block(K, t * p.n_u, t * p.n_x, gain);
    set_block(U, t * p.n_u, 0, k);
  }
  return roll(p, std::move(U), &K);
}

Mat cost_gram(const Problem& p, const Response& r) {
  return transpose(r.X) * weighted(p.Q, &p.P, r.X) + transpose(r.U) * weighted(p.R, nullptr, r.U);
}

void check_weights(const Problem& p) {
  std::vector<const Table*> all = {&p.P};
  for (const Table& Q : p.Q) all.push_back(&Q);
  for (const Table& R : p.R) all.push_back(&R);
  for (const Table* weight : all) {
    const Mat W(*weight);
    const double room = 1e-12 * size_of(W);
    if (room > 0) upper_factor(W + Ball(room) * identity(W.rows()));
  }
}

Space::Space(const Problem& p)
    : problem_(p), S_x_(input_map(p)), factor_(0, 0), P_(0, 0), start_{Mat(0, 0), Mat(0, 0)} {
  const Mat none(p.d_u(), 1 + p.d_w());
  if (p.basis != "orthonormal" && p.basis != "input")
    throw Refuted{"response.basis: '" + p.basis + "' is none that the checker knows"};
  const Mat factor = upper_factor(identity(p.d_u()) + transpose(S_x_) * S_x_);
  if (p.basis == "orthonormal") factor_ = factor;
  if (p.start == "lqr") {
    start_ = lqr_response(p);
  } else if (p.start == "min-norm") {
    Mat Y = solve_upper(factor, transpose(S_x_) * roll(p, none, nullptr).X);
    for (long i = 0; i < Y.rows(); ++i)  // what comes later than the input
      for (long j = 1 + (i / p.n_u + 1) * p.n_x; j < Y.cols(); ++j) arb_zero(Y.at(i, j));
    start_ = roll(p, Ball(-1) * solve_lower(transpose(factor), Y), nullptr);
  } else if (p.start == "zero-input") {
    start_ = roll(p, none, nullptr);
  } else {
    throw Refuted{"response.start: '" + p.start + "' is none that the checker knows"};
  }
  P_ = transpose(S_x_) * weighted(p.Q, &p.P, S_x_) + weighted(p.R, nullptr, identity(p.d_u()));
  if (factor_.rows() > 0) P_ = solve_upper(factor_, transpose(solve_upper(factor_, P_)));
}

Mat Space::coordinates(const Mat& step) const {
  return factor_.rows() > 0 ? transpose(factor_) * step : step;
}

Mat Space::cost_slope(const Response& r) const {
  Mat H =
      transpose(S_x_) * weighted(problem_.Q, &problem_.P, r.X) + weighted(problem_.R, nullptr, r.U);
  return factor_.rows() > 0 ? solve_upper(factor_, H) : H;
}

bool Space::is_free(long row, long column) const {
  if (column == 0) return problem_.affine;
  return (column - 1) / problem_.n_x <= row / problem_.n_u;
}

double size_of(const Mat& a) {
  double largest = 0;
  for (long i = 0; i < a.rows(); ++i)
    for (long j = 0; j < a.cols(); ++j)
      largest = std::max({largest, upper(a(i, j)), -lower(a(i, j))});
  return largest;
}

}  // namespace verify
