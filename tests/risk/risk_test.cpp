#include "risk/risk.hpp"

#include <gtest/gtest.h>

#include "data/moments.hpp"
#include "learning/minimizers.hpp"
#include "loopcert/data/law.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"
#include "risk/cost_parts.hpp"

namespace loopcert::testing {
namespace {

class RandomRisk : public ::testing::TestWithParam<int> {
 protected:
  RandomRisk() : seed(static_cast<std::uint64_t>(GetParam())), shape(random_shape(seed)) {
    system = random_system(shape, seed);
    space = make_response_space(system, {.affine = (seed % 3) == 0});
    data = random_disturbances(system.sizes(), 40, seed);
    Sigma = moment_matrix(sample_moments(data), space.coordinates.pattern.constant);
    Z = random_coordinates(space.coordinates.pattern, seed + 9);
  }
  std::uint64_t seed;
  Shape shape;
  System system;
  ResponseSpace space;
  Disturbances data;
  Matrix Sigma;
  Matrix Z;
};

// Lhat = mean of ||M w_i + m||^2, trajectory by trajectory.
TEST_P(RandomRisk, IsTheMeanOfTheLosses) {
  SCOPED_TRACE(shape_text(shape));
  const Response response = response_at(system, space.coordinates, Z);
  const auto y = weighted_response(system.cost, system.sizes(), response);
  double sum = 0;
  for (Index i = 0; i < data.n(); ++i) sum += (y.M * data.w.row(i).transpose() + y.m).squaredNorm();
  const double mean = sum / static_cast<double>(data.n());
  EXPECT_NEAR(risk(space.cost, Sigma, Z), mean, 1e-10 * (1 + mean));
  EXPECT_NEAR(response_risk(system, response, sample_moments(data)), mean, 1e-10 * (1 + mean));
}

// Signal by signal and step by step, by the trajectories themselves.
TEST_P(RandomRisk, HasParts) {
  SCOPED_TRACE(shape_text(shape));
  const Response response = response_at(system, space.coordinates, Z);
  const Sizes s = system.sizes();
  const CostParts parts = cost_parts(system, response, sample_moments(data));
  Matrix states = Matrix::Zero(s.n_x, s.T + 1), inputs = Matrix::Zero(s.n_u, s.T);
  const auto n = static_cast<double>(data.n());
  for (Index i = 0; i < data.n(); ++i) {
    const Vector w = data.w.row(i);
    const Vector e = tracking_error(system.cost, response.Phi_x * w + response.phi_x);
    const Vector u = response.Phi_u * w + response.phi_u;
    for (Index t = 0; t <= s.T; ++t) {
      const Vector now = e.segment(t * s.n_x, s.n_x);
      states.col(t) += now.cwiseProduct(system.cost.Q_at(t, s.T) * now) / n;
    }
    for (Index t = 0; t < s.T; ++t) {
      const Vector now = u.segment(t * s.n_u, s.n_u);
      inputs.col(t) += now.cwiseProduct(system.cost.R_at(t) * now) / n;
    }
  }
  const double total = response_risk(system, response, sample_moments(data));
  EXPECT_NEAR((parts.states - states).cwiseAbs().maxCoeff(), 0, 1e-9 * (1 + total));
  EXPECT_NEAR((parts.inputs - inputs).cwiseAbs().maxCoeff(), 0, 1e-9 * (1 + total));
  EXPECT_NEAR(parts.states.sum() + parts.inputs.sum(), total, 1e-9 * (1 + total));
}

// The gradient of a quadratic is exact in central differences, up to rounding.
TEST_P(RandomRisk, GradientMatchesCentralDifferences) {
  const Vector gradient = pack(space.coordinates.pattern, risk_gradient(space.cost, Sigma, Z));
  for (Index k = 0; k < space.coordinates.p(); ++k) {
    const Matrix step = unpack(space.coordinates.pattern, Vector::Unit(space.coordinates.p(), k));
    const double slope =
        0.5 * (risk(space.cost, Sigma, Z + step) - risk(space.cost, Sigma, Z - step));
    EXPECT_NEAR(gradient(k), slope, 1e-9 * (1 + risk(space.cost, Sigma, Z)));
  }
}

// alpha'G alpha + 2 g'alpha + c against the paper's G and g built from the features A(w).
TEST_P(RandomRisk, OperatorsEqualThePapersMatrices) {
  if (space.coordinates.p() > 120) return;
  const Index p = space.coordinates.p();
  const Matrix zero = Matrix::Zero(Z.rows(), Z.cols());
  const auto y_of = [&](const Matrix& coordinates) {
    return weighted_response(system.cost, system.sizes(),
                             response_at(system, space.coordinates, coordinates));
  };
  const auto y_0 = y_of(zero);
  std::vector<WeightedResponse> y_k;
  for (Index k = 0; k < p; ++k)
    y_k.push_back(y_of(unpack(space.coordinates.pattern, Vector::Unit(p, k))));
  Matrix G = Matrix::Zero(p, p);
  Vector g = Vector::Zero(p);
  double c = 0;
  for (Index i = 0; i < data.n(); ++i) {
    const Vector w = data.w.row(i);
    const Vector a_0 = y_0.M * w + y_0.m;
    Matrix A(a_0.size(), p);
    for (Index k = 0; k < p; ++k) {
      const auto& y = y_k[static_cast<size_t>(k)];
      A.col(k) = y.M * w + y.m - a_0;
    }
    G += A.transpose() * A;
    g += A.transpose() * a_0;
    c += a_0.squaredNorm();
  }
  const auto n = static_cast<double>(data.n());
  const Vector alpha = pack(space.coordinates.pattern, Z);
  const double scale = 1 + G.norm() / n;
  EXPECT_LT((pack(space.coordinates.pattern, apply_G(space.cost, Sigma, Z)) - G * alpha / n).norm(),
            1e-9 * scale * alpha.norm());
  EXPECT_LT((pack(space.coordinates.pattern, linear_term(space.cost, Sigma)) - g / n).norm(),
            1e-9 * (1 + g.norm() / n));
  EXPECT_NEAR(constant_term(space.cost, Sigma), c / n, 1e-9 * (1 + c / n));
  EXPECT_LT(
      (pack(space.coordinates.pattern, curvature_diagonal(space.cost, Sigma)) - G.diagonal() / n)
          .norm(),
      1e-9 * scale);
}

TEST_P(RandomRisk, SensitivityIsTheSquaredFrobeniusNorm) {
  const Response response = response_at(system, space.coordinates, Z);
  const Matrix M = weighted_response(system.cost, system.sizes(), response).M;
  const Matrix covariance = sample_moments(data).covariance();
  const double direct = (M * covariance * M.transpose()).squaredNorm();
  EXPECT_NEAR(response_sensitivity(system, response, covariance), direct, 1e-9 * (1 + direct));
  if (!space.coordinates.pattern.constant) {
    EXPECT_NEAR(sensitivity(space.cost, covariance, Z), direct, 1e-9 * (1 + direct));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, RandomRisk, ::testing::Range(1, 25));

struct KnownNumbers : ::testing::Test {
  System system = double_integrator();
  ResponseSpace space = make_response_space(system, {});
  Matrix zero = Matrix::Zero(space.coordinates.pattern.rows(), space.coordinates.pattern.cols());
};

TEST_F(KnownNumbers, WhiteNoise) {
  const Matrix Sigma = 0.1 * Matrix::Identity(22, 22);
  EXPECT_NEAR(risk(space.cost, Sigma, zero), 3.381036600426, 1e-10);
  EXPECT_NEAR(risk(space.cost, Sigma, minimize_risk(space.cost, Sigma).Z), 3.117638784350, 1e-10);
  EXPECT_NEAR(response_risk(system, lqr_response(system), {Vector::Zero(22), Sigma}),
              3.117638784350, 1e-10);
}

TEST_F(KnownNumbers, ColouredNoise) {
  const Matrix Sigma = ar1_covariance(system.sizes(), 0.8, 0.1);
  EXPECT_NEAR(response_risk(system, lqr_response(system), {Vector::Zero(22), Sigma}),
              4.531609907648, 1e-10);
  EXPECT_NEAR(risk(space.cost, Sigma, minimize_risk(space.cost, Sigma).Z), 2.658665553730, 1e-10);
}

// Every basis and start parametrizes the same responses: one optimum.
TEST_F(KnownNumbers, OptimumDoesNotDependOnTheParametrization) {
  const Matrix Sigma = ar1_covariance(system.sizes(), 0.8, 0.1);
  for (const Basis basis : {Basis::orthonormal, Basis::input})
    for (const Start start : {Start::min_norm, Start::lqr, Start::zero_input}) {
      const ResponseSpace other = make_response_space(system, {false, start, basis});
      EXPECT_NEAR(risk(other.cost, Sigma, minimize_risk(other.cost, Sigma).Z), 2.658665553730,
                  1e-10);
    }
}

TEST(ScalarAffine, KnownOptimum) {
  System system;
  system.plant.T = 10;
  system.plant.A = {Matrix{{0.8}}};
  system.plant.B = {Matrix{{0.1}}};
  system.cost = {{Matrix{{0.5}}}, {Matrix{{0.0003}}}, Matrix{{0.0}}};
  Law law{Vector::Constant(11, 0.3), 0.09 * Matrix::Identity(11, 11)};
  law.mean(0) = 2.3;
  const ResponseSpace space = make_response_space(system, {.affine = true});
  const Matrix Sigma = moment_matrix(law_moments(law), true);
  EXPECT_NEAR(risk(space.cost, Sigma, minimize_risk(space.cost, Sigma).Z), 3.262541, 5e-7);
  // LQR does not know the mean.
  EXPECT_LT(risk(space.cost, Sigma, minimize_risk(space.cost, Sigma).Z),
            response_risk(system, lqr_response(system), law_moments(law)));
}

}  // namespace
}  // namespace loopcert::testing
