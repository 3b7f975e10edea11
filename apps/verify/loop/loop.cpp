#include "loop/loop.hpp"

#include "formats/outputs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace verify {
namespace {

size_t at(long t) { return static_cast<size_t>(t); }

// Rows of a trajectory, w, in the order of the outputs: step by step.
Mat in_order(const Problem& p, const Mat& w) {
  if (unseen_of(p) == 0) return w;
  const std::vector<long> places = trajectory_places(p);
  Mat y(w.rows(), w.cols());
  for (long i = 0; i < w.rows(); ++i) set_block(y, i, 0, block(w, places[at(i)], 0, 1, w.cols()));
  return y;
}

// What the controller sees of the first `steps` steps.
Mat seen_of(const Problem& p, const Mat& Y, long steps) {
  if (unseen_of(p) == 0) return block(Y, 0, 0, steps * p.n_x, Y.cols());
  const long n_y = seen_in_step(p);
  Mat seen(steps * n_y, Y.cols());
  for (long t = 0; t < steps; ++t)
    set_block(seen, t * n_y, 0, block(Y, t * p.n_x, 0, n_y, Y.cols()));
  return seen;
}

// y = eta + d + G u from the inputs given, to which K y is added if there is a K.
Response roll_outputs(const Problem& p, Mat U, const Mat* K) {
  const long width = 1 + p.d_w();
  const Mat G = output_map(p);
  Mat Y(p.d_w(), width);
  set_block(Y, 0, 1, in_order(p, identity(p.d_w())));
  set_block(Y, p.n_x, 0, output_offset(p));
  for (long t = 0; t < p.T; ++t) {
    const long next = (t + 1) * p.n_x, given = (t + 1) * p.n_u;
    if (K)
      set_block(
          U, t * p.n_u, 0,
          block(U, t * p.n_u, 0, p.n_u, width) +
              block(*K, t * p.n_u, 0, p.n_u, (t + 1) * seen_in_step(p)) * seen_of(p, Y, t + 1));
    set_block(Y, next, 0,
              block(Y, next, 0, p.n_x, width) +
                  block(G, next, 0, p.n_x, given) * block(U, 0, 0, given, width));
  }
  return {std::move(Y), std::move(U)};
}

// x_{t+1} = A x_t + B u_t + d_t + w_t from the inputs given, to which K x is added if there is a K.
Response roll(const Problem& p, Mat U, const Mat* K) {
  if (p.outputs) return roll_outputs(p, std::move(U), K);
  const long width = 1 + p.d_w();
  Mat X(p.d_w(), width);
  set_block(X, 0, 1, identity(p.d_w()));  // x_0, and d_t + w_t where they are added
  set_block(X, p.n_x, 0, Mat(Table{p.T * p.n_x, 1, p.d.values}));
  for (long t = 0; t < p.T; ++t) {
    const long now = t * p.n_x, next = now + p.n_x;
    Mat u = block(U, t * p.n_u, 0, p.n_u, width);
    if (K) {
      arb_mat_t seen;  // the states so far, without a copy; what comes later moves none of them
      arb_mat_window_init(seen, X.m, 0, 0, next, 1 + next);
      const Mat past = block(u, 0, 0, p.n_u, 1 + next), gain = block(*K, t * p.n_u, 0, p.n_u, next);
      set_block(u, 0, 0, past + like(past, arb_mat_mul, gain.m, seen, bits));
      arb_mat_window_clear(seen);
    }
    set_block(U, t * p.n_u, 0, u);
    set_block(X, next, 0,
              Mat(p.A[at(t)]) * block(X, now, 0, p.n_x, width) + Mat(p.B[at(t)]) * u +
                  block(X, next, 0, p.n_x, width));
  }
  return {std::move(X), std::move(U)};
}

Mat weighted(const std::vector<Mat>& weights, const Mat* last, const Mat& X) {
  const long size = weights[0].rows();
  Mat Y(X.rows(), X.cols());
  for (long t = 0; t * size < X.rows(); ++t) {
    const bool end = last && (t + 1) * size == X.rows();
    set_block(Y, t * size, 0,
              (end ? *last : weights[at(t)]) * block(X, t * size, 0, size, X.cols()));
  }
  return Y;
}

Mat input_map(const Problem& p) {  // S_x: from inputs to states, or outputs
  if (p.outputs) return output_map(p);
  Mat S(p.d_w(), p.d_u());
  for (long t = 0; t < p.T; ++t) {
    Mat step = Mat(p.A[at(t)]) * block(S, t * p.n_x, 0, p.n_x, p.d_u());
    set_block(step, 0, t * p.n_u, Mat(p.B[at(t)]));
    set_block(S, (t + 1) * p.n_x, 0, step);
  }
  return S;
}

// Recursions widen balls at every step: they get the precision that makes both results as narrow as
// `bits` can tell, to which they are rounded then.
template <class Attempt>
auto narrow(const Attempt& attempt) {
  using Two = decltype(attempt());
  const double width = std::ldexp(1.0, 1 - static_cast<int>(bits));
  const auto certain = [&](const Mat& A) {
    return size_of(A - middle(A)) <= width * (1 + size_of(A));
  };
  const auto [A, B] = with_more_bits(
      [&] {
        Two found = attempt();
        const auto& [first, second] = found;
        return certain(first) && certain(second) ? std::optional(found) : std::nullopt;
      },
      "a response");
  return Two{1 * A, 1 * B};
}

}  // namespace

Response closed_loop(const Problem& problem, const Controller& controller) {
  Mat U(problem.d_u(), 1 + problem.d_w());
  set_block(U, 0, 0, transpose(Mat(controller.k)));
  const Mat K(controller.K);
  return narrow([&] { return roll(problem, U, &K); });
}

Response baseline_response(const Problem& problem) {
  return narrow([&] {
    const Feedback gain = baseline_gain(problem);
    Mat U(problem.d_u(), 1 + problem.d_w());
    set_block(U, 0, 0, gain.k);
    return roll(problem, U, &gain.K);
  });
}

Response open_loop(const Problem& problem, const Mat& inputs) {
  const auto attempt = [&] { return roll(problem, inputs, nullptr); };
  return arb_mat_is_exact(inputs.m) ? narrow(attempt) : attempt();
}

namespace {

struct Gains {
  Mat K{0, 0}, U{0, 0}, V{0, 0};  // V: of x_0
};

// Cost-to-go x'V x + 2 v'x + 2 x'W w, w the last disturbance, with the middle of each weight: any
// choice that the data do not touch.
Gains lqr_gains(const Problem& p, double a) {
  Mat U(p.d_u(), 1 + p.d_w()), K(p.d_u(), p.d_w()), V = middle(p.P);
  const Mat references = transpose(Mat(p.reference));
  Mat v = -1 * middle(p.P) * block(references, 0, p.T, p.n_x, 1);
  Mat W(p.n_x, p.n_x);
  const Mat offsets = transpose(Mat(p.d));
  for (long t = p.T - 1; t >= 0; --t) {
    const Mat A(p.A[at(t)]), B(p.B[at(t)]), d = block(offsets, 0, t, p.n_x, 1);
    const Mat B_V = transpose(B) * V, G = middle(p.R[at(t)]) + B_V * B;
    const Mat gain = -1 * solve(G, B_V * A), k = -1 * solve(G, B_V * d + transpose(B) * v);
    if (a != 0) {
      const Mat sum = Ball(a) * (V + W);
      if (t > 0)  // block t of a trajectory is w_{t-1}
        set_block(U, t * p.n_u, 1 + t * p.n_x, -1 * solve(G, transpose(B) * sum));
      W = transpose(A + B * gain) * sum;
    }
    v = transpose(A) * (V * (B * k + d) + v) -
        middle(p.Q[at(t)]) * block(references, 0, t, p.n_x, 1);
    V = middle(p.Q[at(t)]) + transpose(A) * V * (A + B * gain);
    set_block(K, t * p.n_u, t * p.n_x, gain);
    set_block(U, t * p.n_u, 0, k);
  }
  return {std::move(K), std::move(U), std::move(V)};
}

// Of outputs: the best answer to a chain eta_t = a eta_{t-1} + v_t, v white of any covariance. With
// P = G'Qbar G + Rbar and N = G'Qbar L, eta = L v, the answer to v_t minimizes over its own rows:
// from input t on, W = -P_tt^-1 N_t. Without a chain there is nothing to answer to.
Response output_answer(const Problem& p, double a) {
  const Mat G = output_map(p), I = identity(p.d_u());
  std::vector<Mat> Q, R;
  for (const Mat& weight : p.Q) Q.push_back(middle(weight));
  for (const Mat& weight : p.R) R.push_back(middle(weight));
  const Mat last = middle(p.P);
  const Mat P = transpose(G) * weighted(Q, &last, G) + weighted(R, nullptr, I);
  Mat L = identity(p.d_w()), U(p.d_u(), 1 + p.d_w()), offset(p.d_w(), 1);
  Ball factor = 1;
  const long n_y = seen_in_step(p), all = seen_in_all(p);
  for (long lag = n_y; lag < all; lag += n_y) {
    factor = factor * Ball(a);
    for (long i = lag; i < all; ++i) L.set(i, i - lag, factor);
  }
  const Mat N = transpose(G) * weighted(Q, &last, in_order(p, L));
  for (long t = 0; t < p.T && a != 0; ++t) {
    const long row = t * p.n_u, rows = p.d_u() - row;
    const Mat W = -1 * solve(block(P, row, row, rows, rows), block(N, row, t * n_y, rows, n_y));
    // v_t = eta_t - a eta_{t-1}
    for (const long back : {0L, 1L})
      if (t >= back) {
        const long col = 1 + (t - back) * n_y;
        set_block(U, row, col, block(U, row, col, rows, n_y) + (back ? -Ball(a) : Ball(1)) * W);
      }
  }
  set_block(offset, p.n_x, 0, output_offset(p));
  const Mat known = offset - Mat(Table{p.d_w(), 1, p.reference.values});
  if (p.has_offset) set_block(U, 0, 0, -1 * solve(P, transpose(G) * weighted(Q, &last, known)));
  return roll(p, U, nullptr);
}

}  // namespace

Response lqr_response(const Problem& p, double a) {
  if (p.outputs) return narrow([&] { return output_answer(p, a); });
  return narrow([&] {
    const Gains gains = lqr_gains(p, a);
    return roll(p, gains.U, &gains.K);
  });
}

// Entries c_i a^|t-s| var_min(t, s) of chains of n entries a step, from block `first` on.
static void set_chains(Mat& Sigma, const std::vector<double>& units, double a, long first) {
  const long n = static_cast<long>(units.size()), T = Sigma.rows() / n;
  for (long i = 0; i < n; ++i) {
    double variance = 0;
    for (long s = first; s < T; ++s) {
      variance = 1 + a * a * variance;
      double c = variance * units[static_cast<size_t>(i)];
      for (long t = s; t < T; ++t, c *= a) {
        Sigma.set(t * n + i, s * n + i, c);
        Sigma.set(s * n + i, t * n + i, c);
      }
    }
  }
}

Mat coloured_covariance(const Problem& p, double a) {
  Mat Sigma(p.d_w(), p.d_w());
  std::vector<double> units;
  const auto add_unit = [&](double cost) { units.push_back(cost > 0 ? 1 / cost : 1); };
  if (p.outputs) {  // what they cost without inputs
    const Table Q = centres(p.Q[0]);
    for (long i = 0; i < p.n_x; ++i) add_unit(Q(i, i));
    set_chains(Sigma, units, a, 0);
    if (unseen_of(p) == 0) return Sigma;
    const std::vector<long> places = trajectory_places(p);
    Mat ordered(p.d_w(), p.d_w());
    for (long i = 0; i < p.d_w(); ++i)
      for (long j = 0; j < p.d_w(); ++j) ordered.set(places[at(i)], places[at(j)], Sigma(i, j));
    return ordered;
  }
  const auto [costs, K] = narrow([&] {
    const Gains gains = lqr_gains(p, 0);
    return std::pair(gains.V, gains.K);
  });
  const Table V = centres(costs);
  for (long i = 0; i < p.n_x; ++i) add_unit(V(i, i));
  for (long i = 0; i < p.n_x; ++i) Sigma.set(i, i, units[at(i)]);
  set_chains(Sigma, units, a, 1);
  return Sigma;
}

// What Q weighs: the reference is subtracted from the constant's column.
static Mat errors(const Problem& p, const Mat& X) {
  Mat E = X;
  set_block(E, 0, 0, block(X, 0, 0, p.d_w(), 1) - Mat(Table{p.d_w(), 1, p.reference.values}));
  return E;
}

Mat change_gram(const Problem& p, const Response& r) {
  return transpose(r.X) * weighted(p.Q, &p.P, r.X) + transpose(r.U) * weighted(p.R, nullptr, r.U);
}

Mat cost_gram(const Problem& p, const Response& r) { return change_gram(p, {errors(p, r.X), r.U}); }

Space::Space(const Problem& p)
    : Space(p, p.option("/response/start").get<std::string>(),
            p.option("/response/basis").get<std::string>()) {}

// Refuted otherwise, or if it has no inverse.
static Mat lower_triangular(const Table& table) {
  for (long i = 0; i < table.rows; ++i)
    for (long j = i; j < table.cols; ++j)
      if ((table(i, j) == 0) == (i == j))
        throw Refuted{"response.basis_matrix: not an invertible lower triangular matrix"};
  return Mat(table);
}

Space::Space(const Problem& p, const std::string& name, const std::string& basis) : problem(p) {
  const auto cost_of = [&](const Mat& map) {
    return transpose(map) * weighted(p.Q, &p.P, map) + weighted(p.R, nullptr, identity(p.d_u()));
  };
  const auto [S, U] = narrow([&] {
    Mat map = input_map(p);
    return std::pair(map, upper_factor(identity(p.d_u()) + transpose(map) * map));
  });
  S_x = S;
  if (basis == "orthonormal") factor = U;
  if (basis == "given") {
    const Mat T_u = lower_triangular(
        matrix_of(p.option("/response/basis_matrix"), p.d_u(), p.d_u(), "response.basis_matrix"));
    factor = transpose(solve(T_u, identity(p.d_u())));
  }
  if (basis == "cost") {
    const auto [again, root] = narrow([&] {
      Mat map = input_map(p);
      return std::pair(map, upper_factor(cost_of(map)));
    });
    factor = root;
  }
  if (name == "lqr") {
    start = lqr_response(p);
  } else {
    start = open_loop(p, Mat(p.d_u(), 1 + p.d_w()));
    if (name == "min-norm") {
      const long n_y = seen_in_step(p);
      Mat Y = solve(U, transpose(S_x) * errors(p, start.X));
      for (long i = 0; i < Y.rows(); ++i)  // what comes later than the input
        for (long j = 1 + (i / p.n_u + 1) * n_y; j < Y.cols(); ++j) arb_zero(Y.at(i, j));
      start = open_loop(p, -1 * solve(transpose(U), Y));
    }
  }
  P = basis == "cost" ? identity(p.d_u()) : cost_of(S_x);
  if (basis == "orthonormal" || basis == "given") P = solve(factor, transpose(solve(factor, P)));
}

Mat Space::coordinates(const Mat& step) const {
  return factor.rows() > 0 ? transpose(factor) * step : step;
}

Mat Space::inputs(const Mat& Z) const {
  return start.U + (factor.rows() > 0 ? solve(transpose(factor), Z) : Z);
}

Mat Space::cost_slope(const Response& r) const {
  const Mat H = transpose(S_x) * weighted(problem.Q, &problem.P, errors(problem, r.X)) +
                weighted(problem.R, nullptr, r.U);
  return factor.rows() > 0 ? solve(factor, H) : H;
}

Mat Space::free_entries() const {
  Mat free(problem.d_u(), 1 + problem.d_w());
  const long n_y = seen_in_step(problem);
  for (long i = 0; i < free.rows(); ++i)
    for (long j = problem.affine ? 0 : 1; j <= (i / problem.n_u + 1) * n_y; ++j) free.set(i, j, 1);
  return free;
}

}  // namespace verify
