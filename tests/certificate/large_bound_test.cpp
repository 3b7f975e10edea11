// Sizes at which matrices are cut into tiles and panels: the closed form of q(A, B) once more with
// whole dense matrices, slopes by differences, and the same bits for any number of threads.
#include <gtest/gtest.h>

#include "certificate/bound.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"

namespace loopcert::testing {
namespace {

double dot(const Matrix& A, const Matrix& B) { return A.cwiseProduct(B).sum(); }

// The moments of K = M'M by Isserlis' formula, term by term, M = M_0 + S Z.
double whole_moment(const ResponseSpace& space, const Posterior& posterior, const Matrix& A,
                    const Matrix& B) {
  const Matrix &Z = posterior.mean, &V = posterior.variance, &P = space.cost.P;
  const Matrix K = gram(space.cost, Z), H = space.cost.N_0 + P * Z;
  const Vector p = P.diagonal(), a = V.transpose() * p;
  const Vector d_A = V * A.diagonal(), d_B = V * B.diagonal();
  const Matrix PP = P.cwiseAbs2(), AB = A.cwiseProduct(B);
  const Matrix spread = 2 * p * Matrix(A * K * B).diagonal().transpose() +
                        2 * Matrix(H * A).cwiseProduct(H * B) +
                        Matrix(H * A * H.transpose()).diagonal() * B.diagonal().transpose() +
                        Matrix(H * B * H.transpose()).diagonal() * A.diagonal().transpose();
  return (K * A * K * B).trace() + dot(V, spread) + a.dot(AB * a) + dot(PP * V, V * AB) +
         d_A.dot(PP * d_B);
}

struct Large {
  explicit Large(bool affine) : space(make_response_space(system, {.affine = affine})) {
    const Index d_z = space.coordinates.pattern.cols();
    const Matrix root = random_matrix(d_z, d_z, 3), other = random_matrix(d_z, d_z, 4);
    A = root * root.transpose() / static_cast<double>(d_z);
    B = other * other.transpose() / static_cast<double>(d_z);
    posterior.mean = 0.3 * random_coordinates(space.coordinates.pattern, 5);
    posterior.variance = 0.1 * random_coordinates(space.coordinates.pattern, 6).cwiseAbs2();
    project_causal(space.coordinates.pattern, posterior.variance);
    prior = {0.1 * random_coordinates(space.coordinates.pattern, 7), 0.7};
    inputs.n = 100;
    inputs.delta = 0.05;
    inputs.Sigma_hat = B;
    inputs.scale = 0.8;
    inputs.spread = random_matrix(d_z, 1, 8).cwiseAbs();
  }

  System system = random_system({6, 3, 40}, 2);  // 120 x 246 entries: many panels
  ResponseSpace space;
  Matrix A, B;
  Posterior posterior;
  Prior prior;
  BoundInputs inputs;
};

TEST(LargeBound, MomentsAreThoseOfWholeMatrices) {
  for (const bool affine : {false, true}) {
    const Large large(affine);
    const double mixed = whole_moment(large.space, large.posterior, large.A, large.B);
    EXPECT_NEAR(quartic_moment(large.space.cost, large.posterior, large.A, large.B), mixed,
                1e-11 * mixed);
    const double same = whole_moment(large.space, large.posterior, large.A, large.A);
    EXPECT_NEAR(quartic_moment(large.space.cost, large.posterior, large.A, large.A), same,
                1e-11 * same);
  }
}

// U anything, U = alpha Sigma_hat + beta I, and each with a mean term.
std::vector<BoundInputs> variants(const Large& large) {
  std::vector<BoundInputs> all;
  for (const bool near_data : {false, true})
    for (const bool mean_term : {false, true}) {
      BoundInputs inputs = large.inputs;
      const Matrix I = Matrix::Identity(large.A.rows(), large.A.cols());
      inputs.U = near_data ? Matrix(1.3 * inputs.Sigma_hat + 0.2 * I) : large.A;
      if (mean_term) inputs.B = large.A;
      all.push_back(inputs);
    }
  return all;
}

TEST(LargeBound, IsMadeOfThoseMoments) {
  for (const bool affine : {false, true}) {
    const Large large(affine);
    for (const BoundInputs& inputs : variants(large)) {
      const BoundValue bound =
          evaluate_bound(large.space.cost, inputs, large.prior, large.posterior);
      const double empirical = dot(gram(large.space.cost, large.posterior.mean), inputs.Sigma_hat);
      EXPECT_NEAR(bound.empirical, empirical, 1e-11 * empirical);
      const double C = whole_moment(large.space, large.posterior, inputs.U, inputs.U);
      EXPECT_NEAR(bound.C, C, 1e-11 * C);
      if (inputs.B.size() == 0) continue;
      const double mean = 2 * whole_moment(large.space, large.posterior, inputs.U, inputs.B);
      EXPECT_NEAR(bound.mean_term, mean, 1e-11 * mean);
    }
  }
}

TEST(LargeBound, SlopesAreDifferences) {
  const Large large(true);
  Posterior direction{random_coordinates(large.space.coordinates.pattern, 9),
                      large.posterior.variance.cwiseProduct(
                          random_coordinates(large.space.coordinates.pattern, 10).cwiseAbs2())};
  for (const BoundInputs& inputs : variants(large)) {
    MomentGradient slopes;
    evaluate_bound(large.space.cost, inputs, large.prior, large.posterior, &slopes);
    const double h = 1e-4;
    const auto at = [&](double t) {
      const Posterior moved{large.posterior.mean + t * direction.mean,
                            large.posterior.variance + t * direction.variance};
      return evaluate_bound(large.space.cost, inputs, large.prior, moved).value;
    };
    // fourth-order central difference
    const double difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    const double slope =
        dot(slopes.d_mean, direction.mean) + dot(slopes.d_variance, direction.variance);
    EXPECT_NEAR(slope, difference, 1e-7 * std::abs(difference));
  }
}

TEST(LargeBound, HasTheSameBitsForAnyNumberOfThreads) {
  const Large large(true);
  for (const BoundInputs& inputs : variants(large)) {
    MomentGradient one, more;
    const BoundValue value =
        evaluate_bound(large.space.cost, inputs, large.prior, large.posterior, &one);
    for (const int threads : {2, 4}) {
      Team team(threads);
      BoundEvaluator evaluator(large.space.cost, inputs, large.prior, team);
      EXPECT_EQ(evaluator.evaluate(large.posterior, &more).value, value.value);
      EXPECT_TRUE(more.d_mean == one.d_mean);
      EXPECT_TRUE(more.d_variance == one.d_variance);
    }
  }
}

}  // namespace
}  // namespace loopcert::testing
