// The joint cumulant of response and disturbances under a posterior: posterior-localized.md.
#include <utility>

#include "lemmas/lemmas.hpp"

namespace verify {
namespace {

// The free entries of Z, and D^1/2 of their variances.
struct Entries {
  std::vector<std::pair<long, long>> at;
  Mat sigma{0, 0};  // a column
};

Entries entries_of(const Around& rho) {
  Entries e;
  for (long j = 0; j < rho.V.cols(); ++j)
    for (long i = 0; i < rho.V.rows(); ++i)
      if (!arb_is_zero(rho.free(i, j).x)) e.at.push_back({i, j});
  e.sigma = Mat(std::ssize(e.at), 1);
  for (long k = 0; k < std::ssize(e.at); ++k) {
    const auto [i, j] = e.at[static_cast<size_t>(k)];
    e.sigma.set(k, 0, sqrt(rho.V(i, j)));
  }
  return e;
}

// I - 2 lambda D^1/2 G D^1/2, G = P (x) second.
Mat precision(const Around& rho, const Entries& e, const Mat& second, const Ball& lambda) {
  Mat I_G = identity(e.sigma.rows());
  for (long k = 0; k < I_G.rows(); ++k)
    for (long l = 0; l < I_G.rows(); ++l) {
      const auto [i, j] = e.at[static_cast<size_t>(k)];
      const auto [m, n] = e.at[static_cast<size_t>(l)];
      const Ball G = e.sigma(k, 0) * e.sigma(l, 0) * rho.P(i, m) * second(j, n);
      I_G.set(k, l, I_G(k, l) - 2 * lambda * G);
    }
  return I_G;
}

// D^1/2 times half the gradient of L at the mean.
Mat slope(const Around& rho, const Entries& e, const Mat& second) {
  const Mat slopes = rho.H * second;
  Mat g(e.sigma.rows(), 1);
  for (long k = 0; k < g.rows(); ++k) {
    const auto [i, j] = e.at[static_cast<size_t>(k)];
    g.set(k, 0, e.sigma(k, 0) * slopes(i, j));
  }
  return g;
}

// E_z Var(||M z||^2) for z of mean m and covariance S, in coordinates where P is I: `Gamma` is the
// covariance of the entries of Z, row by row, H = M'S at its mean.
Ball mean_variance(const Mat& H, const Mat& Gamma, const Mat& m, const Mat& S) {
  const long d = H.cols();
  const Mat N = S + m * transpose(m), h = H * N, W = h * transpose(H), a = H * m;
  Ball sum;
  for (long i = 0; i < H.rows(); ++i)
    for (long k = 0; k < H.rows(); ++k) {
      const Mat G = block(Gamma, i * d, k * d, d, d), both = G + transpose(G);
      const Ball omega = dot(G, N), along = dot(m, G * m);
      sum = sum + 4 * dot(block(h, i, 0, 1, d), block(h, k, 0, 1, d) * both) + 4 * W(i, k) * omega +
            2 * dot(N * G * N, both) + 2 * omega * omega - 8 * a(i, 0) * along * a(k, 0) -
            4 * along * along;
    }
  return sum;
}

}  // namespace

bool is_admissible(const Around& rho, const Mat& second, const Ball& lambda) {
  return is_positive_definite(precision(rho, entries_of(rho), second, lambda));
}

Ball localized_moment(const Around& rho, const Mat& second, const Ball& lambda) {
  const Entries e = entries_of(rho);
  const Mat I_G = precision(rho, e, second, lambda), g = slope(rho, e, second);
  if (!is_positive_definite(I_G)) throw TooWide{"lambda: whether the moment is finite there"};
  return lambda * dot(rho.gram, second) - log(determinant(I_G)) / 2 +
         2 * lambda * lambda * dot(g, solve(I_G, g));
}

Ball joint_cumulant(const Around& rho, const Mat& mean, const Mat& covariance, const Ball& lambda) {
  const Mat second = covariance + mean * transpose(mean);
  const Ball log_moment = localized_moment(rho, second, lambda);
  // The posterior tilted by e^{lambda L}: X = R (Z - its mean), P = R'R.
  const Entries e = entries_of(rho);
  const long d_u = rho.V.rows(), d = rho.V.cols(), p = e.sigma.rows();
  const Mat tilted = solve(precision(rho, e, second, lambda), identity(p));
  const Mat shift = 2 * lambda * (tilted * slope(rho, e, second)), U = upper_factor(rho.P);
  Mat step(d_u, d), to_X(d_u * d, p);
  for (long k = 0; k < p; ++k) {
    const auto [i, j] = e.at[static_cast<size_t>(k)];
    step.set(i, j, e.sigma(k, 0) * shift(k, 0));
    for (long r = 0; r < d_u; ++r) to_X.set(r * d + j, k, U(i, r) * e.sigma(k, 0));
  }
  const Mat Gamma = to_X * tilted * transpose(to_X), cross = transpose(step) * rho.H;
  Mat K = rho.gram + cross + transpose(cross) + transpose(step) * rho.P * step;
  for (long i = 0; i < d_u; ++i) K = K + block(Gamma, i * d, i * d, d, d);
  const Mat H = solve(U, rho.H + rho.P * step);

  // E e^{-lambda l} <= phi (1 + lambda^2 V_1/2) + lambda^2 V_0/100, and at most 1.
  const Mat A = identity(d) + 2 * lambda * (covariance * K), m = solve(A, mean);
  const Ball phi = exp(-lambda * dot(mean, K * m)) / sqrt(determinant(A));
  const Ball near = lambda * lambda * mean_variance(H, Gamma, m, solve(A, covariance));
  const Ball far = lambda * lambda * mean_variance(H, Gamma, mean, covariance);
  const Ball rest = log(phi * (1 + near / 2) + far / 100);
  return log_moment + ball(arb_min, rest.x, Ball().x);
}

}  // namespace verify
