#include "learning/minimizers.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "conditioning.hpp"
#include "data/moments.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/law.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

// The dense normal equations in alpha: G by columns through apply_G, g. Checked against the paper's
// definition in risk_test.
struct Dense {
  Matrix G;
  Vector g;
};

Dense dense(const ResponseSpace& space, const Matrix& Sigma) {
  const Index p = space.coordinates.p();
  Dense d{Matrix(p, p), pack(space.coordinates.pattern, linear_term(space.cost, Sigma))};
  for (Index k = 0; k < p; ++k)
    d.G.col(k) =
        pack(space.coordinates.pattern,
             apply_G(space.cost, Sigma, unpack(space.coordinates.pattern, Vector::Unit(p, k))));
  return d;
}

// What it may do to the minimizer; g = N_0 Sigma may cancel.
double rounding(const ResponseSpace& space, const Matrix& Sigma, const Conditioning& G,
                const Vector& alpha) {
  return G.relative_error() * (alpha.norm() + space.cost.N_0.norm() * Sigma.norm() / G.largest);
}

// The same without squares: the risk is ||J alpha + e||^2 + const, and G = J'J.
struct LeastSquares {
  Matrix J;
  Vector e;
};

class RandomMinimizer : public ::testing::TestWithParam<int> {
 protected:
  RandomMinimizer() : seed(static_cast<std::uint64_t>(GetParam())), shape(random_shape(seed)) {
    system = random_system(shape, seed);
    space = make_response_space(system, {.affine = (seed % 3) == 0});
  }
  Matrix moment(Index n) const {
    return moment_matrix(sample_moments(random_disturbances(system.sizes(), n, seed)),
                         space.coordinates.pattern.constant);
  }
  // P = R R' and Sigma = W W', the columns of W trajectories: J alpha = R'Z W, e = R^-1 N_0 W.
  LeastSquares least_squares(Index n) const {
    const Disturbances data = random_disturbances(system.sizes(), n, seed);
    Matrix W = Matrix::Ones(space.coordinates.pattern.cols(), n);
    W.bottomRows(data.w.cols()) = data.w.transpose();
    W /= std::sqrt(static_cast<double>(n));
    const Matrix R = space.cost.P.llt().matrixL();
    const Matrix E = R.triangularView<Eigen::Lower>().solve(Matrix(space.cost.N_0 * W));
    LeastSquares fit{Matrix(E.size(), space.coordinates.p()), E.reshaped()};
    for (Index k = 0; k < space.coordinates.p(); ++k)
      fit.J.col(k) = (R.transpose() *
                      unpack(space.coordinates.pattern, Vector::Unit(space.coordinates.p(), k)) * W)
                         .reshaped();
    return fit;
  }
  std::uint64_t seed;
  Shape shape;
  System system;
  ResponseSpace space;
};

TEST_P(RandomMinimizer, ErmBeatsEveryRandomFeasibleZ) {
  SCOPED_TRACE(shape_text(shape));
  for (const Index n : {Index{3}, Index{60}}) {
    const Matrix Sigma = moment(n);
    const Minimizer best = minimize_risk(space.cost, Sigma);
    const double least = risk(space.cost, Sigma, best.Z);
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Matrix Z = random_coordinates(space.coordinates.pattern, seed + 100 + i);
      EXPECT_LE(least, risk(space.cost, Sigma, Z) + 1e-10);
      EXPECT_LE(least, risk(space.cost, Sigma, best.Z + 1e-3 * Z) + 1e-10);
    }
  }
}

TEST_P(RandomMinimizer, FactorizationSolvesTheDenseNormalEquations) {
  SCOPED_TRACE(shape_text(shape));
  const Matrix Sigma = moment(60);
  const Minimizer best = minimize_risk(space.cost, Sigma);
  EXPECT_TRUE(best.determined);
  const Dense d = dense(space, Sigma);
  const Vector alpha = -d.G.ldlt().solve(d.g);
  EXPECT_LT((pack(space.coordinates.pattern, best.Z) - alpha).norm(),
            rounding(space, Sigma, conditioning(d.G), alpha));
}

// Few data: the pseudo-inverse gives the minimizer of smallest norm.
TEST_P(RandomMinimizer, SingularCaseIsTheMinimumNormMinimizer) {
  SCOPED_TRACE(shape_text(shape));
  const Index free_columns =
      space.coordinates.pattern.end_free_column() - space.coordinates.pattern.first_free_column();
  for (Index n = 1; n <= std::min<Index>(4, free_columns - 1); ++n) {
    const Matrix Sigma = moment(n);
    const Minimizer best = minimize_risk(space.cost, Sigma);
    EXPECT_FALSE(best.determined);
    EXPECT_LE(best.rank, n);
    const LeastSquares fit = least_squares(n);
    Eigen::JacobiSVD<Matrix> svd(fit.J, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(1e-12);
    const Vector values = svd.singularValues().head(svd.rank()).cwiseAbs2();
    const Conditioning G{values(0), values(values.size() - 1), space.coordinates.p()};
    // Trajectories that are nearly dependent are so to the library, which sees Sigma = W W'.
    if (G.number() > 1e10) continue;
    const Vector alpha = -svd.solve(fit.e);
    EXPECT_LT((pack(space.coordinates.pattern, best.Z) - alpha).norm(),
              rounding(space, Sigma, G, alpha));
  }
}

// Singular although data are plenty: a component of x_0 that is always zero.
TEST_P(RandomMinimizer, KnownInitialStateIsSingularToo) {
  SCOPED_TRACE(shape_text(shape));
  Disturbances data = random_disturbances(system.sizes(), 80, seed);
  data.w.leftCols(shape.n_x).setZero();
  const Matrix Sigma = moment_matrix(sample_moments(data), space.coordinates.pattern.constant);
  const Minimizer best = minimize_risk(space.cost, Sigma);
  EXPECT_FALSE(best.determined);
  EXPECT_LT(risk_gradient(space.cost, Sigma, best.Z).norm(), 1e-7 * (1 + Sigma.norm()));
}

TEST_P(RandomMinimizer, RidgeSolvesTheDenseNormalEquations) {
  SCOPED_TRACE(shape_text(shape));
  for (const Index n : {Index{2}, Index{50}}) {
    const Matrix Sigma = moment(n);
    for (const double gamma : {1e-6, 1e-2, 10.0}) {
      const RidgeResult result = ridge(space.cost, Sigma, gamma);
      EXPECT_TRUE(result.converged) << "gamma " << gamma << " " << result.relative_residual;
      Dense d = dense(space, Sigma);
      d.G.diagonal().array() += gamma;
      const Vector alpha = -d.G.ldlt().solve(d.g);
      // What conjugate gradients leave, ||A x + g|| <= 1e-12 ||g||, and rounding.
      const Conditioning c = conditioning(d.G);
      EXPECT_LT((pack(space.coordinates.pattern, result.Z) - alpha).norm(),
                RidgeOptions{}.relative_residual * d.g.norm() / c.smallest +
                    rounding(space, Sigma, c, alpha));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, RandomMinimizer, ::testing::Range(1, 25));

TEST(Ridge, IterationsDoNotGrowWithTheHorizon) {
  System system = double_integrator();
  int last = 0;
  for (const Index T : {10, 40}) {
    system.plant.T = T;
    const ResponseSpace space = make_response_space(system, {});
    const Law law{Vector::Zero(2 * T + 2), ar1_covariance(system.sizes(), 0.8, 0.1)};
    const Matrix Sigma =
        moment_matrix(sample_moments(sample_disturbances(law, test_stream(3, 0), 15)), false);
    const RidgeResult result = ridge(space.cost, Sigma, 0.01);
    EXPECT_TRUE(result.converged);
    EXPECT_LT(result.iterations, 60);
    last = result.iterations;
  }
  EXPECT_GT(last, 1);
}

TEST(Ridge, RefusesANegativeWeight) {
  const ResponseSpace space = make_response_space(double_integrator(), {});
  EXPECT_THROW(ridge(space.cost, Matrix::Identity(22, 22), -1), InputError);
  EXPECT_THROW(ridge(space.cost, Matrix::Identity(22, 22), 0), InputError);
}

// Cross-validation recomputed by hand with another solver, and its choice is the smallest.
TEST(CrossValidation, ChoosesTheSmallestHeldOutCost) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, {});
  const Law law{Vector::Zero(22), ar1_covariance(system.sizes(), 0.8, 0.1)};
  const Disturbances data = sample_disturbances(law, test_stream(11, 0), 30);
  Index calls = 0;
  const CrossValidation cv =
      cross_validate_ridge(space.cost, data, 5, [&](Index, Index) { ++calls; });
  EXPECT_EQ(calls, 5 * static_cast<Index>(cv.gamma.size()));
  const size_t probe = 6;
  double sum = 0;
  for (Index fold = 0; fold < 5; ++fold) {
    Matrix train = Matrix::Zero(22, 22), held_out = Matrix::Zero(22, 22);
    for (Index i = 0; i < 30; ++i) {
      const Vector w = data.w.row(i);
      (i % 5 == fold ? held_out : train) += w * w.transpose() / (i % 5 == fold ? 6.0 : 24.0);
    }
    Dense d = dense(space, train);
    d.G.diagonal().array() += cv.gamma[probe];
    sum += risk(space.cost, held_out, unpack(space.coordinates.pattern, -d.G.ldlt().solve(d.g)));
  }
  EXPECT_NEAR(cv.cost[probe], sum / 5, 1e-5);
  const auto best = std::find(cv.gamma.begin(), cv.gamma.end(), cv.best_gamma);
  EXPECT_EQ(cv.cost[static_cast<size_t>(best - cv.gamma.begin())],
            *std::min_element(cv.cost.begin(), cv.cost.end()));
  EXPECT_THROW(cross_validate_ridge(space.cost, select_rows(data, {0}), 5), InputError);
}

}  // namespace
}  // namespace loopcert::testing
