// loopcert/delivery/paper.hpp as its users see it, against the paper's formulas on dense matrices.
#include "loopcert/delivery/paper.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "certificate/record_arrays.hpp"
#include "dense_bound.hpp"
#include "input_error.hpp"
#include "random_system.hpp"
#include "seed.hpp"
#include "temp_folder.hpp"

namespace loopcert::testing {
namespace {

class PaperDoor : public ::testing::Test {
 protected:
  PaperDoor() {
    problem.name = "paper";
    problem.system = random_system({.n_x = 2, .n_u = 1, .T = 3}, test_seed(11));
    const Index d_w = problem.sizes().d_w();
    const Matrix root = 0.2 * random_matrix(d_w, d_w, test_seed(12));
    law = Law{Vector::Zero(d_w), root * root.transpose() + 0.01 * Matrix::Identity(d_w, d_w)};
    problem.disturbance.law = law;
    problem.disturbance.scale_bound =
        1.1 * Eigen::SelfAdjointEigenSolver<Matrix>(law.covariance).eigenvalues().maxCoeff();
    data = sample_disturbances(law, test_stream(13, 0), 20);
    const ResponseSpace space = make_response_space(problem.system, problem.response);
    const CausalPattern& pattern = space.coordinates.pattern;
    rho.mean = 0.2 * random_coordinates(pattern, test_seed(14));
    rho.variance =
        0.01 * unpack(pattern, Vector::Ones(pattern.count()) +
                                   random_matrix(pattern.count(), 1, test_seed(15)).cwiseAbs());
    dense = dense_form(problem.system, space);
    mean = pack(pattern, rho.mean);
    variance = pack(pattern, rho.variance);
  }
  double kl(double center, double scale) const {
    double sum = 0;
    for (Index k = 0; k < mean.size(); ++k) {
      const double v = variance(k) / (scale * scale), m = (mean(k) - center) / scale;
      sum += 0.5 * (v + m * m - 1 - std::log(v));
    }
    return sum;
  }
  Problem problem;
  Law law;
  Disturbances data;
  paper::Posterior rho;
  DenseForm dense;
  Vector mean, variance;
};

TEST_F(PaperDoor, OracleBoundByItsFormula) {
  const auto found = paper::bounds(problem, data, rho, "oracle");
  ASSERT_EQ(found.size(), 1U);
  const Certificate& c = found[0].certificate.value();
  const double rate = (kl(0, 1) + std::log(20 / 0.05)) / 19;
  const double C = dense_quartic(dense, mean, variance, law.covariance, law.covariance);
  const Matrix M = dense_M(dense, mean), Sigma_hat = data.w.transpose() * data.w / 20.0;
  double value = (M * Sigma_hat * M.transpose()).trace() + 2 * std::sqrt(rate * C);
  for (Index k = 0; k < mean.size(); ++k) {
    const Matrix& M_k = dense.M[static_cast<size_t>(k)];
    value += variance(k) * (M_k * (Sigma_hat - law.covariance) * M_k.transpose()).trace();
  }
  EXPECT_NEAR(c.value, value, 1e-9 * value);
  EXPECT_NEAR(found[0].C.value(), C, 1e-9 * C);
  EXPECT_NEAR(found[0].rate, rate, 1e-9 * rate);
  EXPECT_NEAR(found[0].psi, rate, 1e-9 * rate);  // at the best lambda both halves are equal
}

TEST_F(PaperDoor, OwnPriorAndLambda) {
  const Matrix one = (rho.variance.array() > 0).cast<double>();
  const paper::Prior prior{0.1 * one, 0.5};
  const auto found = paper::bounds(problem, data, rho, "oracle", prior, 0.4);
  EXPECT_NEAR(found[0].certificate->kl.value(), kl(0.1, 0.5), 1e-9 * kl(0.1, 0.5));
  EXPECT_EQ(found[0].certificate->lambda, 0.4);
  EXPECT_NEAR(found[0].psi, 0.16 * found[0].C.value(), 1e-9 * found[0].psi);
  EXPECT_TRUE(contains(
      input_error([&] { paper::bounds(problem, data, rho, "oracle", prior, -1.0); }), "lambda"));
  EXPECT_TRUE(contains(
      input_error([&] { paper::bounds(problem, data, rho, "posterior-localized", prior, 1.0); }),
      "lambda"));
}

TEST_F(PaperDoor, AllKindsOrWhyNot) {
  for (const paper::Bound& bound : paper::bounds(problem, data, rho)) {
    SCOPED_TRACE(bound.kind);
    EXPECT_NE(bound.certificate.has_value(), !bound.missing.empty());
    if (!bound.certificate) continue;
    for (const Term& term : bound.certificate->terms)
      if (term.id == "complexity") {
        EXPECT_NEAR(term.value, (bound.rate + bound.psi) / *bound.certificate->lambda,
                    1e-9 * term.value);
      }
  }
  EXPECT_TRUE(
      contains(input_error([&] { paper::bounds(problem, data, rho, "bounded"); }), "radius"));
  EXPECT_TRUE(contains(input_error([&] { paper::bounds(problem, data, rho, "none"); }), "none"));
}

TEST_F(PaperDoor, CumulantByDeterminant) {
  const Response response = paper::response_at(problem, rho.mean);
  EXPECT_LT((paper::coordinates_of(problem, response) - rho.mean).norm(), 1e-9);
  Law shifted = law;
  shifted.mean = random_matrix(law.mean.size(), 1, test_seed(16));
  const paper::TrajectoryLaw y = paper::trajectory_law(problem, response, shifted);
  const Matrix M = dense_M(dense, mean), Sigma_y = M * law.covariance * M.transpose();
  const Vector mu = M * shifted.mean;
  EXPECT_NEAR(y.risk, Sigma_y.trace() + mu.squaredNorm(), 1e-9 * y.risk);
  const double phi = Sigma_y.squaredNorm() + 2 * mu.dot(Sigma_y * mu);
  for (const double lambda : {0.1, 1.0, 10.0}) {
    const Matrix I = Matrix::Identity(mu.size(), mu.size());
    const Eigen::FullPivLU<Matrix> inflated(I + 2 * lambda * Sigma_y);
    const double exact = lambda * y.risk - 0.5 * std::log(inflated.determinant()) -
                         lambda * mu.dot(inflated.solve(mu));  // eq:exact-gaussian-cgf
    EXPECT_NEAR(paper::cumulant(y, lambda), exact, 1e-8 * exact);
    EXPECT_NEAR(paper::quadratic_bound(y, lambda), lambda * lambda * phi,
                1e-9 * lambda * lambda * phi);
    EXPECT_LE(paper::cumulant(y, lambda), paper::quadratic_bound(y, lambda));
  }
  EXPECT_FALSE(input_error([&] { paper::cumulant(y, 0); }).empty());
  const double norm = Eigen::SelfAdjointEigenSolver<Matrix>(Sigma_y).eigenvalues().maxCoeff();
  EXPECT_NEAR(paper::pointwise_radius(problem, rho.mean, law.covariance), 1 / (2 * norm),
              1e-9 / norm);
}

TEST_F(PaperDoor, IntervalOfLambda) {
  Matrix G(mean.size(), mean.size());
  for (Index k = 0; k < mean.size(); ++k)
    for (Index l = 0; l < mean.size(); ++l)
      G(k, l) =
          std::sqrt(variance(k) * variance(l)) * (dense.M[static_cast<size_t>(k)] * law.covariance *
                                                  dense.M[static_cast<size_t>(l)].transpose())
                                                     .trace();
  const double largest = Eigen::SelfAdjointEigenSolver<Matrix>(G).eigenvalues().maxCoeff();
  EXPECT_NEAR(paper::lambda_end(problem, rho).value(), 1 / (2 * largest), 1e-9 / largest);
  Problem without = problem;
  without.disturbance.law.reset();
  EXPECT_TRUE(contains(input_error([&] { paper::lambda_end(without, rho); }), "covariance"));
}

TEST_F(PaperDoor, DrawsAreClosedLoops) {
  const auto draws = paper::draw(problem, rho, 3, 4, data);
  ASSERT_EQ(draws.size(), 4U);
  for (const paper::Draw& d : draws) {
    EXPECT_LT((d.controller.K * d.response.Phi_x - d.response.Phi_u).norm(),
              1e-9 * (1 + d.response.Phi_u.norm()));
    EXPECT_LT((paper::coordinates_of(problem, d.response) - d.Z).norm(), 1e-9 * (1 + d.Z.norm()));
    EXPECT_FALSE(input_error([&] { certify(problem, d.controller, data); }).empty());
  }
  EXPECT_NE(draws[0].Z, draws[1].Z);
  EXPECT_FALSE(input_error([&] { paper::draw(problem, rho, 3, 0); }).empty());
}

TEST_F(PaperDoor, LearnedPosteriorAndItsGlobalMinimum) {
  const LearnResult learned = learn(problem, data);
  const auto posterior = paper::posterior_of(learned);
  ASSERT_TRUE(posterior);
  const auto found = paper::bounds(problem, data, *posterior, "data-driven");
  EXPECT_EQ(found[0].certificate->value, learned.certificate->value);
  const paper::GlobalMinimum least = paper::global_minimum(problem, data);
  EXPECT_NEAR(least.value, learned.certificate->value, 1e-4 * least.value);
  const auto there = paper::bounds(problem, data, least.posterior, "data-driven", {}, least.lambda);
  EXPECT_NEAR(there[0].certificate->value, least.value, 1e-9 * least.value);
  EXPECT_FALSE(
      input_error([&] { paper::global_minimum(problem, data, "data-driven-mean"); }).empty());
  const TempFolder folder;
  write_run(folder / "run", problem, data, learned);
  EXPECT_EQ(paper::read_posterior((folder / "run") / "posterior.npz").mean, posterior->mean);
  problem.learning.method = "lqr";
  EXPECT_FALSE(paper::posterior_of(learn(problem, data)));
}

}  // namespace
}  // namespace loopcert::testing
