// Cumulants and posteriors, against integrals: docs/theory/fixed-response.md,
// pac-bayes-chernoff.md, quartic-moment.md, posterior-localized.md.
#include "lemmas/lemmas.hpp"
#include "numbers.hpp"

namespace verify::testing {
namespace {

// l = 0.5 + 2(0.3 x - 0.7 y) + 2x^2 + 0.8xy + y^2 for (x, y) of covariance [1, 0.6; 0.6, 0.5].
TEST(Cumulants, ChernoffMarginIsThatOfTheIntegral) {
  const Mat G = matrix(3, 3, {0.5, 0.3, -0.7, 0.3, 2, 0.4, -0.7, 0.4, 1});
  const Mat U = matrix(2, 2, {1, 0.6, 0.6, 0.5});
  const double L = 0.5 + 2 * 1 + 0.8 * 0.6 + 0.5;
  for (const double lambda : {0.05, 0.4, 2.0}) {
    const double moment = gaussian_mean([&](double a) {
      return gaussian_mean([&](double b) {
        const double x = a, y = 0.6 * a + std::sqrt(0.5 - 0.36) * b;
        const double cost = 0.5 + 2 * (0.3 * x - 0.7 * y) + 2 * x * x + 0.8 * x * y + y * y;
        return std::exp(lambda * (L - cost));
      });
    });
    const double margin = (std::log(1 / 0.05) / 12 + std::log(moment)) / lambda;
    EXPECT_NEAR(upper(chernoff_margin(G, U, lambda, 12, 0.05)), margin, 1e-9 * margin);
  }
}

TEST(Cumulants, PacBayesRate) {
  expect_ball(pac_bayes_rate(1, 5, 11, 55 * std::exp(-6)), 0.7);
  expect_ball(pac_bayes_rate(0, 1, 2, 2 * std::exp(-3)), 3);
  expect_ball(pac_bayes_rate(1, 1, 100, 100 * std::exp(-98)), 1);
  expect_ball(pac_bayes_rate(1, 5, 100, 100 * std::exp(-94)), 1);
}

TEST(Cumulants, GaussianKlIsTheIntegral) {
  // N(0.5, 0.3) from N(0, 2), N(-1, 4) from N(0, 1/4); the other entries are not free.
  const Mat free = matrix(2, 2, {1, 0, 0, 1}), step = matrix(2, 2, {0.5, 7, 7, -1});
  const Mat V = matrix(2, 2, {0.3, 0, 0, 4}), prior = matrix(2, 2, {2, 0, 0, 0.25});
  const auto kl = [](double m, double v, double s) {
    return gaussian_mean([&](double x) {
      const double z = m + std::sqrt(v) * x;
      return -x * x / 2 - std::log(v) / 2 + z * z / (2 * s) + std::log(s) / 2;
    });
  };
  EXPECT_NEAR(upper(gaussian_kl(free, step, V, prior)), kl(0.5, 0.3, 2) + kl(-1, 4, 0.25), 1e-11);
  expect_ball(gaussian_kl(free, Mat(2, 2), matrix(2, 2, {2, 0, 0, 0.25}), prior), 0);
}

// Of equal eigenvalues s it is their cumulant, of others it is above.
TEST(Cumulants, RankAware) {
  const double lambda = 0.7, s = 1.3;
  const double one =
      std::log(gaussian_mean([&](double x) { return std::exp(lambda * s * (1 - x * x)); }));
  EXPECT_NEAR(upper(rank_aware(lambda, 4 * s * s, 4)), 4 * one, 1e-11);
  const double other =
      std::log(gaussian_mean([&](double x) { return std::exp(2 * lambda * s * (1 - x * x)); }));
  EXPECT_GT(lower(rank_aware(lambda, 5 * s * s, 2)), one + other);
  EXPECT_LT(upper(rank_aware(lambda, 5 * s * s, 2)), lambda * lambda * 5 * s * s);
}

// A law on -sqrt 3, 0, sqrt 3 has the first five moments of a normal number, and the quartic moment
// is of fourth order: a sum over 81 posterior draws is the expectation.
TEST(Cumulants, QuarticMomentIsTheMeanOverAllDraws) {
  const Mat M_0 = matrix(3, 2, {1, 0.2, -0.3, 0.8, 0.5, -0.4});
  const Mat S = matrix(3, 2, {0.7, 0.1, -0.2, 0.9, 0.3, 0.6});
  const std::vector<double> V = {0.5, 0.2, 0.9, 0.4};
  const Mat A = matrix(2, 2, {1, 0.3, 0.3, 0.6}), B = matrix(2, 2, {0.4, -0.1, -0.1, 2});
  double expected = 0;
  for (int k = 0; k < 81; ++k) {
    double share = 1;
    std::vector<double> Z;
    for (int i = 0, rest = k; i < 4; ++i, rest /= 3) {
      share *= rest % 3 == 1 ? 2.0 / 3 : 1.0 / 6;
      Z.push_back((rest % 3 - 1) * std::sqrt(3 * V[static_cast<size_t>(i)]));
    }
    const Mat M = M_0 + S * matrix(2, 2, Z), K = transpose(M) * M;
    expected += share * upper(trace(K * A * K * B));
  }
  const Mat P = transpose(S) * S, V_ = matrix(2, 2, V), a = transpose(V_) * diagonal(P);
  const Point point{transpose(M_0) * M_0 + diagonal_matrix(a), transpose(S) * M_0, entrywise(P, P),
                    V_};
  EXPECT_NEAR(upper(quartic(point, A, B)), expected, 1e-11 * expected);
  EXPECT_NEAR(upper(quartic(point, B, A)), expected, 1e-11 * expected);
}

// Two free entries of Z, of one input: L is a quadratic form of them, integrated on a grid.
TEST(Cumulants, LocalizedMomentIsTheIntegral) {
  const Mat M_0 = matrix(2, 2, {1, 0.2, -0.3, 0.8}), S = matrix(2, 1, {0.7, -0.2});
  const Mat second = matrix(2, 2, {1, 0.3, 0.3, 0.6}), V = matrix(1, 2, {0.2, 0.3});
  const Mat P = transpose(S) * S;
  const double lambda = 0.5;
  const double moment = gaussian_mean([&](double x) {
    return gaussian_mean([&](double y) {
      const double z[2] = {std::sqrt(0.2) * x, std::sqrt(0.3) * y};
      const double m[2][2] = {{1 + 0.7 * z[0], 0.2 + 0.7 * z[1]},
                              {-0.3 - 0.2 * z[0], 0.8 - 0.2 * z[1]}};
      double L = 0;
      for (const auto& row : m)
        L += row[0] * row[0] + 0.6 * row[0] * row[1] + 0.6 * row[1] * row[1];
      return std::exp(lambda * L);
    });
  });
  const Around rho{ones(1, 2), P, transpose(M_0) * M_0, transpose(S) * M_0, V};
  const auto at = [&](double l) { return localized_moment(rho, second, l); };
  EXPECT_NEAR(upper(at(lambda)), std::log(moment), 1e-10);
  EXPECT_THROW(at(50), TooWide);  // no such moment
}

// z = (1, w) of mean (1, 0.4), two free entries: the bound from its definition, with means over the
// draws of a law on three points that has five moments of a normal number; and the integral below.
TEST(Cumulants, JointCumulantIsItsDefinitionAndAboveTheIntegral) {
  const std::vector<double> M_0 = {1, 0.2, -0.3, 0.8}, S = {0.7, -0.2};
  const double v[2] = {0.2, 0.3}, mu[2] = {1, 0.4}, var = 0.6;
  const Mat M = matrix(2, 2, M_0), S_ = matrix(2, 1, S), P = transpose(S_) * S_;
  const Around rho{ones(1, 2), P, transpose(M) * M, transpose(S_) * M, matrix(1, 2, {0.2, 0.3})};
  const Mat mean = matrix(2, 1, {1, 0.4}), covariance = matrix(2, 2, {0, 0, 0, var});
  const auto cost = [&](const double* z, const double* w) {  // |M w|^2 at the entries z
    double sum = 0;
    for (size_t i = 0; i < 2; ++i) {
      const double y = (M_0[2 * i] + S[i] * z[0]) * w[0] + (M_0[2 * i + 1] + S[i] * z[1]) * w[1];
      sum += y * y;
    }
    return sum;
  };
  const auto risk = [&](const double* z) {  // its mean over w
    const double high[2] = {mu[0], mu[1] + std::sqrt(var)},
                 low[2] = {mu[0], mu[1] - std::sqrt(var)};
    return (cost(z, high) + cost(z, low)) / 2;
  };
  for (const double lambda : {0.05, 0.3}) {
    // E over z ~ N(0, v), w ~ N(mu, var) of e^{lambda (L - l)}
    const double joint = gaussian_mean([&](double x) {
      return gaussian_mean([&](double y) {
        const double z[2] = {std::sqrt(v[0]) * x, std::sqrt(v[1]) * y};
        // l = a + b e + c e^2 for w = mu + sqrt(var) e
        const double one[2] = {mu[0], mu[1] + std::sqrt(var)}, zero[2] = {mu[0], mu[1]},
                     minus[2] = {mu[0], mu[1] - std::sqrt(var)};
        const double a = cost(z, zero), b = (cost(z, one) - cost(z, minus)) / 2,
                     c = (cost(z, one) + cost(z, minus)) / 2 - a;
        const double l = lambda;
        return std::exp(l * (a + c) - l * a + l * l * b * b / (2 * (1 + 2 * l * c))) /
               std::sqrt(1 + 2 * l * c);
      });
    });
    // The tilted posterior from its own density: moments of z under N(0, v) e^{lambda L}.
    double Z = 0, m[2] = {0, 0}, C[3] = {0, 0, 0};
    for (int round = 0; round < 2; ++round)
      for (int i = -600; i <= 600; ++i)
        for (int k = -600; k <= 600; ++k) {
          const double z[2] = {i / 60.0, k / 60.0};
          const double share =
              std::exp(lambda * risk(z) - z[0] * z[0] / (2 * v[0]) - z[1] * z[1] / (2 * v[1]));
          if (round == 0) {
            Z += share;
            m[0] += share * z[0];
            m[1] += share * z[1];
            continue;
          }
          const double x = z[0] - m[0] / Z, y = z[1] - m[1] / Z;
          C[0] += share * x * x / Z;
          C[1] += share * x * y / Z;
          C[2] += share * y * y / Z;
        }
    const double log_moment = std::log(Z / 3600 / (2 * std::numbers::pi * std::sqrt(v[0] * v[1])));
    const double r = std::sqrt(C[0]), s = C[1] / r, t = std::sqrt(C[2] - s * s);
    const double at[3] = {-std::sqrt(3), 0, std::sqrt(3)}, weight[3] = {1.0 / 6, 2.0 / 3, 1.0 / 6};
    // Mean and variance over the tilted posterior of the cost at w.
    const auto moments = [&](const double* w) {
      double first = 0, second = 0;
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
          const double z[2] = {m[0] / Z + r * at[i], m[1] / Z + s * at[i] + t * at[k]};
          const double l = cost(z, w);
          first += weight[i] * weight[k] * l;
          second += weight[i] * weight[k] * l * l;
        }
      return std::pair(first, second - first * first);
    };
    const double rest = gaussian_mean([&](double x) {
      const double w[2] = {mu[0], mu[1] + std::sqrt(var) * x};
      const auto [first, variance] = moments(w);
      const double e = std::exp(-lambda * first);
      return e + lambda * lambda * variance * (e / 2 + 0.01);
    });
    const Ball bound = joint_cumulant(rho, mean, covariance, lambda);
    EXPECT_NEAR(upper(bound), log_moment + std::log(rest), 1e-7);
    EXPECT_GT(lower(bound), std::log(joint));
    EXPECT_LT(upper(bound), 0.5 * log_moment);
  }
  EXPECT_TRUE(is_admissible(rho, covariance + mean * transpose(mean), 2));
  EXPECT_FALSE(is_admissible(rho, covariance + mean * transpose(mean), 8));
}

}  // namespace
}  // namespace verify::testing
