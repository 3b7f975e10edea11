// docs/theory/chi-square.md, item 4: the worst spectrum under bounds on its sums, against exact
// probabilities.
#include "certificate/filled_spectrum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "certificate/gamma_sum.hpp"
#include "certificate/tails.hpp"
#include "chance.hpp"
#include "gamma_chance.hpp"
#include "loopcert/core/random.hpp"
#include "random_system.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

Vector sums_of(const Vector& s) {
  Vector c(s.size());
  double sum = 0;
  for (Index i = 0; i < s.size(); ++i) c(i) = sum += s(i);
  return c;
}

TEST(FilledSpectrum, FillsFromTheFirstOn) {
  const Vector caps = Eigen::Vector3d(3, 5, 6);
  EXPECT_EQ(filled_spectrum(caps, 2), Vector::Constant(1, 2));
  EXPECT_EQ(filled_spectrum(caps, 4), Vector(Eigen::Vector2d(3, 1)));
  EXPECT_EQ(filled_spectrum(caps, 5.5), Vector(Eigen::Vector3d(3, 2, 0.5)));
  EXPECT_EQ(filled_spectrum(caps, 7), Vector(Eigen::Vector3d(3, 2, 1)));  // there is no more
}

// One cap that says nothing is the single chi-square, and no caps make it larger.
TEST(FilledSpectrum, IsNeverAboveTheSingleChiSquare) {
  const double single = 2 / centred_factor(20, 0.01);
  EXPECT_EQ(filled_bound(Vector::Constant(1, 1e9), 2, 20, 0.01).value, single);
  double before = single;
  for (const double first : {1e3, 2.0, 1.0, 0.3, 0.1}) {
    const Vector caps = Vector::LinSpaced(200, first, 200 * first);
    const double value = filled_bound(caps, 2, 20, 0.01).value;
    EXPECT_LE(value, before);
    EXPECT_GT(value, 2);
    before = value;
  }
  EXPECT_LT(before, 0.75 * single);
  // What all eigenvalues add up to is a bound by itself.
  EXPECT_NEAR(filled_bound(Vector::Constant(1, 2.2), 2, 20, 0.01).value, 2.2, 1e-9);
  EXPECT_EQ(filled_bound(Vector::Constant(1, 2.2), 0, 20, 0.01).value, 0);
}

// At the value the chance of the filled spectrum is delta.
TEST(FilledSpectrum, ValueIsWhereTheChanceIsDelta) {
  for (const double delta : {0.3, 0.01, 1e-4}) {
    const Vector caps = sums_of(Eigen::Vector4d(0.5, 0.3, 0.3, 2));
    const FilledBound found = filled_bound(caps, 0.8, 40, delta);
    const double chance = chance_below(filled_spectrum(caps, found.value), 20, 20 * 0.8);
    EXPECT_NEAR(chance, delta, 1e-6 * delta);
    EXPECT_NEAR(log_chance_below(filled_spectrum(caps, found.value), 20, 16, found.lambda),
                std::log(delta), 1e-6);
  }
}

// Random spectra below random caps, of this cost and of larger ones.
TEST(FilledSpectrum, NoSpectrumBelowTheCapsIsWorse) {
  for (std::uint64_t k = 0; k < 40; ++k) {
    const std::uint64_t seed = test_seed(900 + k);
    const Index d = 2 + static_cast<Index>(k % 4);
    Vector s = random_matrix(d, 1, seed).cwiseAbs2();
    std::sort(s.begin(), s.end(), std::greater<>());
    const Vector more = random_matrix(d, 1, seed + 1).cwiseAbs();
    Vector larger = s.cwiseProduct(Vector::Ones(d) + more);
    std::sort(larger.begin(), larger.end(), std::greater<>());
    const double shape = 2.5 * static_cast<double>(1 + k % 3), V = s.sum();
    const Vector filled = filled_spectrum(sums_of(larger), V);
    const double latest = shape * V - filled(0);
    for (const double part : {0.4, 0.8, 1.0}) {
      const double worst = chance_below(filled, shape, part * latest);
      EXPECT_LE(chance_below(s, shape, part * latest), worst * (1 + 1e-5) + 1e-9);
      const double grown = std::min(1.0 + more.minCoeff(), 1.2);
      EXPECT_LE(chance_below(grown * s, shape, part * latest), worst * (1 + 1e-5) + 1e-9);
    }
  }
}

// How often the expectation is above the bound, where the caps are tight.
TEST(FilledSpectrum, FailsAsOftenAsItMay) {
  const Index sets = test_count(4000, 1000), n = 12;
  const Eigen::Vector2d s(0.6, 0.4);
  const Vector caps = Eigen::Vector3d(0.6, 1.2, 1.8);
  Index failed = 0;
  for (Index i = 0; i < sets; ++i) {
    const Matrix g =
        standard_normal_rows(test_stream(4712, static_cast<std::uint64_t>(i)), 0, n, 2);
    const double mean = (g.cwiseAbs2() * s).mean();
    failed += filled_bound(caps, mean, n, 0.1).value < 1;
  }
  EXPECT_LE(failed, most_of(sets, 0.1));
  EXPECT_GE(failed, least_of(sets, 0.1));
}

}  // namespace
}  // namespace loopcert::testing
