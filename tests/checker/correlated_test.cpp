// Posteriors and priors whose entries are correlated, against sums over draws and dense matrices:
// docs/theory/quartic-moment.md, priors.md.
#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

// Two inputs and three columns, the second of which has one free entry and the third none.
const Mat free_entries = matrix(2, 3, {1, 0, 0, 1, 1, 0});
const Mat M_0 = matrix(3, 3, {1, 0.2, -0.3, 0.8, 0.5, -0.4, 0.1, 0.6, 0.9});
const Mat S = matrix(3, 2, {0.7, 0.1, -0.2, 0.9, 0.3, 0.6});
const Mat P = transpose(S) * S;
const Mat A = matrix(3, 3, {1, 0.3, 0.1, 0.3, 0.6, -0.2, 0.1, -0.2, 0.5});
const Mat B = matrix(3, 3, {0.4, -0.1, 0.2, -0.1, 2, 0.3, 0.2, 0.3, 0.7});

Gaussian plain() { return {free_entries, matrix(2, 3, {0.5, 0, 0, 0.2, 0.9, 0})}; }
Gaussian turned() {
  Gaussian g = plain();
  g.turns = {matrix(2, 2, {1, -0.5, 0.3, 1.2}), matrix(2, 2, {0, 0, 0, -0.8})};
  g.turn_of = {0, 1, 0};
  return g;
}
Gaussian with_mix(Gaussian g) {
  g.mix = matrix(3, 3, {1.5, 0, 0, -0.4, 0.7, 0, 5, 6, 2});  // its last row multiplies nothing
  return g;
}
Gaussian joint() {
  Gaussian g = plain();
  g.full = matrix(3, 3, {1, 0.5, -0.2, 0.3, 0.8, 0.1, -0.6, 0.4, 1.1});
  return g;
}

// What Z - mean is for independent numbers, in words of the file alone.
Mat response(const Gaussian& g, const std::vector<double>& xi) {
  if (g.full.rows() > 0) {
    const Mat e = g.full * matrix(3, 1, xi);
    Mat E(2, 3);
    E.set(0, 0, e(0, 0));
    E.set(1, 0, e(1, 0));
    E.set(1, 1, e(2, 0));
    return E;
  }
  Mat E = matrix(2, 3, {xi[0], 0, 0, xi[1], xi[2], 0});
  if (!g.turns.empty()) {
    set_block(E, 0, 0, g.turns[0] * matrix(2, 1, {xi[0], xi[1]}));
    E.set(1, 1, g.turns[1](1, 1) * xi[2]);
  }
  return g.mix.rows() > 0 ? E * g.mix : E;
}

std::vector<Gaussian> families() {
  return {plain(), turned(), with_mix(plain()), with_mix(turned()), joint()};
}

// A law on -sqrt 3, 0, sqrt 3 has the first five moments of a normal number: a sum over 27 draws is
// the expectation.
template <class F>
Ball mean_over_draws(const Gaussian& g, const F& f) {
  const double V[] = {0.5, 0.2, 0.9};
  Ball sum;
  for (int k = 0; k < 27; ++k) {
    double share = 1;
    std::vector<double> xi;
    for (int i = 0, rest = k; i < 3; ++i, rest /= 3) {
      share *= rest % 3 == 1 ? 2.0 / 3 : 1.0 / 6;
      xi.push_back((rest % 3 - 1) * std::sqrt(3 * V[i]));
    }
    sum = sum + share * f(response(g, xi));
  }
  return sum;
}

TEST(Correlated, QuarticMomentIsTheMeanOverAllDraws) {
  for (const Gaussian& g : families()) {
    const auto of_draw = [](const Mat& first, const Mat& second) {
      return [&first, &second](const Mat& E) {
        const Mat M = M_0 + S * E, K = transpose(M) * M;
        return trace(K * first * K * second);
      };
    };
    const Spread spread = spread_of(g, P);
    const Point point{transpose(M_0) * M_0 + spread.A, transpose(S) * M_0, P, g.V, spread};
    for (const auto& [first, second] : {std::pair(A, B), {B, A}, {A, A}}) {
      const double expected = upper(mean_over_draws(g, of_draw(first, second)));
      EXPECT_NEAR(upper(quartic(point, first, second)), expected, 1e-11 * expected);
    }
  }
}

TEST(Correlated, TheCurvatureIsTheMeanOverAllDraws) {
  for (const Gaussian& g : families())
    for (long j = 0; j < 3; ++j)
      for (long l = 0; l < 3; ++l) {
        const Ball expected =
            mean_over_draws(g, [&](const Mat& E) { return (transpose(E) * P * E)(j, l); });
        EXPECT_NEAR(upper(spread_of(g, P).A(j, l)), upper(expected), 1e-12);
      }
}

TEST(Correlated, IndependentEntriesAsTheirOwnFormulaHasThem) {
  const Gaussian g = plain();
  const Spread spread = spread_of(g, P);
  Point point{transpose(M_0) * M_0 + spread.A, transpose(S) * M_0, entrywise(P, P), g.V};
  for (const Mat& second : {A, B}) {
    point.spread = {};
    const Ball expected = quartic(point, A, second);
    point.spread = spread;
    EXPECT_NEAR(upper(quartic(point, A, second)), upper(expected), 1e-13);
  }
  const Mat step = matrix(2, 3, {0.4, 0, 0, -0.3, 0.8, 0});
  EXPECT_NEAR(upper(correlated_kl(step, g, g)), upper(gaussian_kl(g.free, step, g.V, g.V)), 1e-14);
}

// KL by the matrices of all three free entries: columns of R are responses.
double dense_kl(const Mat& step, const Gaussian& rho, const Gaussian& pi) {
  const auto factor = [](const Gaussian& g) {
    Mat R(3, 3);
    for (long k = 0; k < 3; ++k) {
      std::vector<double> xi(3, 0.0);
      xi[static_cast<size_t>(k)] = 1;
      const Mat E = response(g, xi);
      const Ball V[] = {g.V(0, 0), g.V(1, 0), g.V(1, 1)};
      const Ball e[] = {E(0, 0), E(1, 0), E(1, 1)};
      for (long i = 0; i < 3; ++i) R.set(i, k, sqrt(V[k]) * e[i]);
    }
    return R;
  };
  const Mat R = factor(rho), Q = factor(pi), cov = R * transpose(R), prior = Q * transpose(Q);
  Mat m(3, 1);
  m.set(0, 0, step(0, 0));
  m.set(1, 0, step(1, 0));
  m.set(2, 0, step(1, 1));
  return upper(trace(solve(prior, cov)) + dot(m, solve(prior, m)) - 3 +
               log(determinant(prior) / determinant(cov))) /
         2;
}

TEST(Correlated, KlIsThatOfTheMatrices) {
  Gaussian rows = plain(), both = with_mix(plain());
  rows.turns = both.turns = {matrix(2, 2, {0.6, 0, -0.4, 1.7})};  // lower triangular
  // response() reads the free part of column 1 from a second one
  rows.turns.push_back(rows.turns[0]);
  both.turns.push_back(both.turns[0]);
  rows.turn_of = both.turn_of = {0, 0, 0};
  const Mat step = matrix(2, 3, {0.4, 0, 0, -0.3, 0.8, 0});
  for (const Gaussian& rho : families())
    for (const Gaussian& pi : {plain(), rows, with_mix(plain()), both, joint()}) {
      const double expected = dense_kl(step, rho, pi);
      EXPECT_NEAR(upper(correlated_kl(step, rho, pi)), expected, 1e-12 * std::max(1.0, expected));
      EXPECT_NEAR(upper(correlated_kl(Mat(2, 3), pi, pi)), 0, 1e-15);
    }
}

TEST(Correlated, ATurnWithoutAnInverseHasNoKl) {
  Gaussian flat = turned();
  flat.turns[0] = ones(2, 2);
  EXPECT_EQ(upper(correlated_kl(Mat(2, 3), flat, plain())), INFINITY);
}

}  // namespace
}  // namespace verify::testing
