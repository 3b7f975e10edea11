#include "inspection/inspection.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "chance.hpp"
#include "loopcert/data/law.hpp"
#include "random_system.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

using CheckFunction = Check (*)(const PreparedData&);

// d_w = (T + 1) n_x. Assumes everything there is to assume, and N(0, Sigma) obeys it.
Problem assuming_all(Index n_x, Index T) {
  Problem problem;
  problem.system = random_system({.n_x = n_x, .n_u = 1, .T = T}, 5);
  const Index d = problem.sizes().d_w();
  problem.disturbance.white = true;
  problem.disturbance.stationary = true;
  problem.disturbance.scale_bound = 1;
  problem.disturbance.covariance_bound = Matrix::Identity(d, d);
  problem.disturbance.kurtosis = 3;
  return problem;
}

Matrix normal(Index n, Index d, std::uint64_t seed) {
  return standard_normal_rows(test_stream(seed, 77), 0, n, d);
}

Check run(CheckFunction check, const Problem& problem, const Matrix& w) {
  const Disturbances data{w};
  return check(prepare_data(problem, data));
}

double number(const Check& check, const std::string& name) {
  for (const Check::Number& n : check.numbers)
    if (n.name == name) return n.value;
  ADD_FAILURE() << name;
  return NAN;
}

// Honest data fail a check of level 0.01 now and then: of 20 data sets, make(k) for k = 0 … 19, as
// many must pass as 0.02 each leave (the level, and what an approximation of it may be off).
template <class Passes>
void expect_mostly(Passes passes) {
  Index count = 0;
  for (std::uint64_t k = 0; k < 20; ++k) count += passes(100 + k) ? 1 : 0;
  EXPECT_GE(count, least_of(20, 0.98));
}

void expect_mostly_ok(CheckFunction check, const Problem& problem,
                      const std::function<Matrix(std::uint64_t)>& make) {
  expect_mostly(
      [&](std::uint64_t k) { return run(check, problem, make(k)).verdict == Verdict::ok; });
}

// Data sets of N(0, I), which obeys every assumption at its edge, flagged at level 0.01.
Index flagged(CheckFunction check, Index n, Index n_x, Index T, Index sets) {
  const Problem problem = assuming_all(n_x, T);
  Index count = 0;
  for (Index k = 0; k < sets; ++k) {
    const Check result =
        run(check, problem, normal(n, problem.sizes().d_w(), static_cast<std::uint64_t>(1000 + k)));
    EXPECT_TRUE(result.p_value) << result.name;
    count += *result.p_value < 0.01;
  }
  return count;
}

TEST(Inspection, FlagsHonestDataNoMoreOftenThanItSays) {
  const Index sets = test_count(1000);
  for (const CheckFunction check :
       {inspect_mean, inspect_scale_bound, inspect_covariance_bound, inspect_whiteness,
        inspect_stationarity, inspect_duplicates, inspect_order}) {
    for (const auto& [n, n_x, T] : {std::array<Index, 3>{10, 2, 3}, {60, 2, 3}, {12, 3, 4}})
      EXPECT_LE(flagged(check, n, n_x, T, sets), most_of(sets, 0.01))
          << "n = " << n << ", n_x = " << n_x;
  }
  EXPECT_LE(flagged(inspect_kurtosis, 60, 2, 3, sets), most_of(sets, 0.01));
}

// The p-value of skewness and kurtosis comes from one simulated null, so the level given that null
// is 0.01 only on average; 0.015 covers it.
TEST(Inspection, FlagsGaussianDataNoMoreOftenThanItSays) {
  const Index sets = test_count(300), most = most_of(sets, 0.015);
  EXPECT_LE(flagged(inspect_gaussian, 12, 2, 3, sets), most);  // d_w = 8
  EXPECT_LE(flagged(inspect_gaussian, 40, 2, 3, sets), most);
  EXPECT_LE(flagged(inspect_gaussian, 9, 3, 4, sets), most);  // fewer rows than columns
}

TEST(Inspection, CorrelatedGaussianDataAreStillGaussian) {
  const Problem problem = assuming_all(2, 3);
  const Matrix map = random_matrix(8, 8, 3);
  Matrix w = normal(60, 8, 9);
  const Check plain = run(inspect_gaussian, problem, w);
  const Check mapped = run(inspect_gaussian, problem, w * map.transpose());
  // Skewness and kurtosis do not see the map.
  EXPECT_NEAR(number(plain, "multivariate p-value"), number(mapped, "multivariate p-value"), 1e-12);
  expect_mostly_ok(inspect_gaussian, problem,
                   [&](std::uint64_t k) -> Matrix { return normal(60, 8, k) * map.transpose(); });
}

TEST(Inspection, SeesThatUniformAndHeavyTailedDataAreNotGaussian) {
  const Problem problem = assuming_all(2, 3);
  const Law law{Vector::Zero(8), Matrix::Identity(8, 8), LawShape::uniform};
  const Matrix uniform = sample_disturbances(law, test_stream(1, 0), 300).w;
  EXPECT_EQ(run(inspect_gaussian, problem, uniform).verdict, Verdict::contradicted);
  // One common random scale per row: every coordinate alone is only mildly heavy-tailed.
  Matrix heavy = normal(200, 8, 4);
  const Matrix scale = normal(200, 1, 5);
  for (Index i = 0; i < 200; ++i) heavy.row(i) *= std::exp(0.5 * scale(i, 0));
  const Check check = run(inspect_gaussian, problem, heavy);
  EXPECT_EQ(check.verdict, Verdict::contradicted);
  EXPECT_GT(number(check, "kurtosis over that of a Gaussian law"), 1.2);
  // Rows of standard deviation 1 or 3, in turn: kurtosis 3 * 41 / 25 = 4.92.
  Matrix mixed = normal(1000, 8, 6);
  for (Index i = 0; i < 1000; i += 2) mixed.row(i) *= 3;
  EXPECT_EQ(run(inspect_kurtosis, problem, mixed).verdict, Verdict::contradicted);
  Problem generous = problem;
  generous.disturbance.kurtosis = 6;
  EXPECT_EQ(run(inspect_kurtosis, generous, mixed).verdict, Verdict::ok);
  Problem any = problem;
  any.disturbance.model = "any";
  EXPECT_EQ(run(inspect_gaussian, any, uniform).verdict, Verdict::not_assumed);
}

TEST(Inspection, MeanIsHotellingsTest) {
  const Problem problem = assuming_all(2, 3);
  const Matrix w =  // the map is far from singular
      normal(30, 8, 6) * (5 * Matrix::Identity(8, 8) + 0.5 * random_matrix(8, 8, 7));
  const Check check = run(inspect_mean, problem, w);
  const Vector mean = w.colwise().mean();
  const Matrix centred = w.rowwise() - mean.transpose();
  const Matrix S = centred.transpose() * centred / 29;
  const double T2 = 30 * mean.dot(S.ldlt().solve(mean));
  const boost::math::fisher_f F(8, 22);
  EXPECT_NEAR(number(check, "p-value of T^2"), cdf(complement(F, 22.0 / (8 * 29) * T2)), 1e-9);

  Matrix shifted = normal(100, 8, 8);
  shifted.col(3).array() += 1;
  EXPECT_EQ(run(inspect_mean, problem, shifted).verdict, Verdict::contradicted);
  EXPECT_NE(run(inspect_mean, problem, shifted).advice.find("zero_mean = false"),
            std::string::npos);
  Matrix constant = normal(10, 8, 8);
  constant.col(2).setConstant(0.5);  // a coordinate that is never anything but 0.5
  EXPECT_EQ(run(inspect_mean, problem, constant).verdict, Verdict::contradicted);
}

TEST(Inspection, ScaleBoundTooSmallAndTooLarge) {
  Problem problem = assuming_all(2, 3);
  const Matrix w = normal(100, 8, 11);
  const Check right = run(inspect_scale_bound, problem, w);
  expect_mostly_ok(inspect_scale_bound, problem, [](std::uint64_t k) { return normal(100, 8, k); });
  const Matrix centred = w.rowwise() - w.colwise().mean();
  const double largest =
      Eigen::SelfAdjointEigenSolver<Matrix>(centred.transpose() * centred / 99).eigenvalues()(7);
  EXPECT_NEAR(number(right, "largest sample eigenvalue over the bound"), largest, 1e-12);
  expect_mostly([&](std::uint64_t k) {
    const Check check = run(inspect_scale_bound, problem, normal(100, 8, k));
    return number(check, "true one at least") < 1 && number(check, "true one at most") > 1;
  });
  problem.disturbance.scale_bound = 0.25;
  EXPECT_EQ(run(inspect_scale_bound, problem, w).verdict, Verdict::contradicted);
  problem.disturbance.scale_bound = 10;
  EXPECT_NE(run(inspect_scale_bound, problem, w).advice.find("too large"), std::string::npos);
  problem.disturbance.scale_bound.reset();
  EXPECT_EQ(run(inspect_scale_bound, problem, w).verdict, Verdict::not_assumed);
  // One direction too long, in a matrix that bounds each its own way.
  Vector variances = Vector::LinSpaced(8, 1, 8);
  problem.disturbance.covariance_bound = Matrix(variances.asDiagonal());
  const Matrix scaled = w * variances.cwiseSqrt().asDiagonal();
  expect_mostly_ok(inspect_covariance_bound, problem, [&](std::uint64_t k) -> Matrix {
    return normal(100, 8, k) * variances.cwiseSqrt().asDiagonal();
  });
  Matrix longer = scaled;
  longer.col(1) *= 3;
  EXPECT_EQ(run(inspect_covariance_bound, problem, longer).verdict, Verdict::contradicted);
  // The same in units in which that direction is small beside the others.
  Vector units = Vector::Constant(8, 1e4);
  units(1) = 1e-4;
  Problem other = problem;
  other.disturbance.covariance_bound =
      Matrix(units.cwiseAbs2().cwiseProduct(variances).asDiagonal());
  EXPECT_EQ(run(inspect_covariance_bound, other, longer * units.asDiagonal()).verdict,
            Verdict::contradicted);
  problem.disturbance.covariance_bound->row(1).setZero();
  problem.disturbance.covariance_bound->col(1).setZero();
  EXPECT_EQ(run(inspect_covariance_bound, problem, scaled).verdict, Verdict::contradicted);
}

TEST(Inspection, RadiusIsSharp) {
  Problem problem = assuming_all(2, 3);
  const Matrix w = normal(20, 8, 12);
  EXPECT_EQ(run(inspect_radius, problem, w).verdict, Verdict::not_assumed);
  problem.disturbance.model = "bounded";
  problem.disturbance.radius = w.rowwise().norm().maxCoeff() * (1 + 1e-12);  // sums round
  EXPECT_EQ(run(inspect_radius, problem, w).verdict, Verdict::ok);
  *problem.disturbance.radius *= 1 - 1e-9;
  EXPECT_EQ(run(inspect_radius, problem, w).verdict, Verdict::contradicted);
}

TEST(Inspection, ColouredNoiseIsNotWhite) {
  Problem problem = assuming_all(2, 6);
  const Law law{Vector::Zero(14), ar1_covariance(problem.sizes(), 0.5, 1)};
  const Matrix w = sample_disturbances(law, test_stream(3, 0), 600).w;
  EXPECT_EQ(run(inspect_whiteness, problem, w).verdict, Verdict::contradicted);
  problem.disturbance.white = false;
  const Check check = run(inspect_whiteness, problem, w);
  EXPECT_EQ(check.verdict, Verdict::not_assumed);
  EXPECT_NE(check.advice.find("beat LQR"), std::string::npos);
  const Disturbances data{w};
  const LagCorrelations lags = lag_correlations(prepare_data(problem, data));
  ASSERT_EQ(lags.mean.size(), 5);
  EXPECT_NEAR(lags.mean(0), 0.5, 0.1);
  EXPECT_NEAR(lags.mean(1), 0.25, 0.12);
  // White noise: nothing to see, and the advice says what granting it would bring.
  expect_mostly([&](std::uint64_t k) {
    const Check white = run(inspect_whiteness, problem, normal(60, 14, k));
    return white.advice.find("white = true") != std::string::npos;
  });
  // Correlation inside a step is not correlation in time.
  problem.disturbance.white = true;
  expect_mostly_ok(inspect_whiteness, problem, [](std::uint64_t k) {
    Matrix inside = normal(60, 14, k);
    for (Index t = 0; t <= 6; ++t) inside.col(2 * t + 1) += 3 * inside.col(2 * t);
    return inside;
  });
}

TEST(Inspection, StepsThatGrowAreNotStationary) {
  Problem problem = assuming_all(2, 5);
  expect_mostly_ok(inspect_stationarity, problem, [](std::uint64_t k) {
    Matrix honest = normal(80, 12, k);
    if (k % 2 == 0) honest.leftCols(2) *= 5;  // x_0 may differ
    return honest;
  });
  Matrix w = normal(80, 12, 14);
  for (Index t = 1; t <= 5; ++t) w.col(2 * t) *= 0.2 + 0.6 * static_cast<double>(t);
  EXPECT_EQ(run(inspect_stationarity, problem, w).verdict, Verdict::contradicted);
  const Disturbances data{w};
  EXPECT_EQ(step_deviations(prepare_data(problem, data)).rows(), 6);
}

TEST(Inspection, FindsCopies) {
  const Problem problem = assuming_all(2, 3);
  Matrix w = normal(30, 8, 15);
  expect_mostly_ok(inspect_duplicates, problem, [](std::uint64_t k) { return normal(30, 8, k); });
  Matrix near = w;
  near.row(20) = near.row(4) + 1e-3 * near.row(5);
  EXPECT_EQ(run(inspect_duplicates, problem, near).verdict, Verdict::contradicted);
  w.row(17) = w.row(4);
  const Check check = run(inspect_duplicates, problem, w);
  EXPECT_EQ(check.verdict, Verdict::contradicted);
  EXPECT_NE(check.meaning.find("numbers 5 and 18"), std::string::npos) << check.meaning;
}

// Against all 8! orders of the same rows.
TEST(Inspection, OrderIsComparedWithEveryOrder) {
  const Problem problem = assuming_all(2, 1);
  const Matrix w = normal(8, 4, 16);
  const double z = number(run(inspect_order, problem, w),
                          "correlation of successive trajectories, in standard deviations");
  const Disturbances data{w};
  const PreparedData prepared = prepare_data(problem, data);
  const Matrix G = prepared.z * prepared.z.transpose();
  std::vector<Index> order(8);
  std::iota(order.begin(), order.end(), Index{0});
  const auto sum = [&] {
    double total = 0;
    for (size_t i = 0; i + 1 < 8; ++i) total += G(order[i], order[i + 1]);
    return total;
  };
  const double observed = sum();
  double mean = 0, square = 0, count = 0;
  do {
    const double s = sum();
    mean += s;
    square += s * s;
    ++count;
  } while (std::next_permutation(order.begin(), order.end()));
  mean /= count;
  EXPECT_NEAR(z, (observed - mean) / std::sqrt(square / count - mean * mean), 1e-9);
}

TEST(Inspection, SeesDependentAndDriftingTrajectories) {
  const Problem problem = assuming_all(2, 3);
  const Matrix e = normal(100, 8, 17);
  Matrix dependent = e;
  for (Index i = 1; i < 100; ++i) dependent.row(i) = 0.5 * dependent.row(i - 1) + e.row(i);
  EXPECT_EQ(run(inspect_order, problem, dependent).verdict, Verdict::contradicted);
  Matrix drifting = e, growing = e;
  for (Index i = 0; i < 100; ++i) {
    drifting.row(i).array() += 0.02 * static_cast<double>(i);
    growing.row(i) *= 0.3 + 0.03 * static_cast<double>(i);
  }
  EXPECT_EQ(run(inspect_order, problem, drifting).verdict, Verdict::contradicted);
  EXPECT_EQ(run(inspect_order, problem, growing).verdict, Verdict::contradicted);
}

// Few rows, constant columns, huge and tiny numbers: an answer without NaN, whatever it is.
TEST(Inspection, AnswersWhateverTheData) {
  const Problem problem = assuming_all(2, 3);
  for (const Index n : {1, 2, 3, 4, 5, 7, 9, 10, 12}) {
    Matrix constant = Matrix::Constant(n, 8, 0.5), half = normal(n, 8, 18);
    half.rightCols(4).setZero();
    for (const Matrix& w : {constant, half, Matrix(Matrix::Zero(n, 8)),
                            Matrix(1e140 * normal(n, 8, 1)), Matrix(1e-140 * normal(n, 8, 1))}) {
      const nlohmann::json record = inspection_to_json(inspect(problem, {w}));
      EXPECT_EQ(record["checks"].size(), 12u);
      EXPECT_EQ(record.dump().find("null,null,null"), std::string::npos);
      for (const nlohmann::json& check : record["checks"]) {
        if (check["verdict"] != "not tested") {
          EXPECT_FALSE(check["meaning"].empty());
        }
        for (const auto& [name, value] : check["numbers"].items())
          EXPECT_TRUE(value.is_number() && std::isfinite(value.get<double>()))
              << check["name"] << ", " << name << ", n = " << n;
        if (check["p_value"].is_number()) {
          EXPECT_GE(check["p_value"].get<double>(), 0) << check["name"];
          EXPECT_LE(check["p_value"].get<double>(), 1) << check["name"];
        }
      }
    }
  }
}

}  // namespace
}  // namespace loopcert::testing
