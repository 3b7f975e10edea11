// docs/theory/coordinates.md, coloured.md: closed loops by recursion.
#include "loop/loop.hpp"

#include "numbers.hpp"

namespace verify::testing {
namespace {

Problem plant(long T, long n_x, long n_u, Normal& normal, double size) {
  const auto table = [&](long rows, long cols) {
    Table numbers{rows, cols, {}};
    for (long i = 0; i < rows * cols; ++i) numbers.values.push_back(size * normal());
    return numbers;
  };
  Problem p;
  p.T = T, p.n_x = n_x, p.n_u = n_u;
  for (long t = 0; t < T; ++t) {
    p.A.push_back(table(n_x, n_x));
    p.B.push_back(table(n_x, n_u));
    p.Q.push_back(identity(n_x));
    p.R.push_back(identity(n_u));
  }
  p.P = identity(n_x);
  p.d = table(T, n_x);
  p.reference = table(T + 1, n_x);
  return p;
}

// Step by step with a disturbance in numbers, against the maps that hold for every disturbance.
TEST(Loop, IsTheSimulatedOne) {
  Normal normal(7);
  for (const double memory : {1.0, 0.0}) {
    const Problem p = plant(6, 3, 2, normal, 0.5);
    Controller c;
    c.K = {p.d_u(), p.d_w(), std::vector<double>(static_cast<size_t>(p.d_u() * p.d_w()))};
    c.k = {1, p.d_u(), std::vector<double>(static_cast<size_t>(p.d_u()))};
    for (long i = 0; i < p.d_u(); ++i) {
      const long now = i / p.n_u * p.n_x;
      for (long j = 0; j < now + p.n_x; ++j) c.K(i, j) = (j < now ? memory : 1) * normal() / 3;
      c.k.values[static_cast<size_t>(i)] = normal();
    }
    const Response loop = closed_loop(p, c);
    std::vector<double> z{1}, x, u;
    for (long j = 0; j < p.d_w(); ++j) z.push_back(normal());
    for (long i = 0; i < p.n_x; ++i) x.push_back(z[static_cast<size_t>(1 + i)]);
    for (long t = 0; t < p.T; ++t) {
      for (long i = t * p.n_u; i < (t + 1) * p.n_u; ++i) {
        u.push_back(c.k.values[static_cast<size_t>(i)]);
        for (long j = 0; j < (t + 1) * p.n_x; ++j)
          u.back() += c.K(i, j) * x[static_cast<size_t>(j)];
      }
      for (long i = 0; i < p.n_x; ++i) {
        double next = p.d(t, i) + z[static_cast<size_t>(1 + (t + 1) * p.n_x + i)];
        for (long j = 0; j < p.n_x; ++j)
          next += p.A[static_cast<size_t>(t)](i, j) * x[static_cast<size_t>(t * p.n_x + j)];
        for (long j = 0; j < p.n_u; ++j)
          next += p.B[static_cast<size_t>(t)](i, j) * u[static_cast<size_t>(t * p.n_u + j)];
        x.push_back(next);
      }
    }
    const Mat zs = matrix(1 + p.d_w(), 1, z), X = loop.X * zs, U = loop.U * zs;
    for (long i = 0; i < p.d_w(); ++i) expect_ball(X(i, 0), x[static_cast<size_t>(i)]);
    for (long i = 0; i < p.d_u(); ++i) expect_ball(U(i, 0), u[static_cast<size_t>(i)]);
  }
}

// Balls of a long recursion are as wide as the bits tell, not wider with every step.
TEST(Loop, LongHorizonsStayNarrow) {
  Normal normal(3);
  Problem p = plant(400, 1, 1, normal, 1);
  for (long t = 0; t < p.T; ++t) p.A[static_cast<size_t>(t)].values = {1.5};
  for (long t = 0; t < p.T; ++t) p.B[static_cast<size_t>(t)].values = {0.1};
  const Bits few(64);
  const Response lqr = lqr_response(p);
  EXPECT_LT(size_of(lqr.X - middle(lqr.X)), 1e-17 * (1 + size_of(lqr.X)));
  const Mat Sigma = coloured_covariance(p, 0.5);  // in units of 1 / V, V = 1 + A V A R/(R + B V B)
  double V = 1;
  for (long t = 0; t < p.T; ++t) V = 1 + 2.25 * V / (1 + 0.01 * V);
  EXPECT_NEAR(upper(Sigma(0, 0)), 1 / V, 1e-12 / V);
  EXPECT_NEAR(upper(Sigma(2, 2)), 1.25 / V, 1e-12 / V);
  EXPECT_NEAR(upper(Sigma(2, 1)), 0.5 / V, 1e-12 / V);
}

}  // namespace
}  // namespace verify::testing
