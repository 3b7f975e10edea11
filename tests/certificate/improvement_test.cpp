// Certified differences of two costs.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>

#include "certificate/fixed_response.hpp"
#include "certificate/premises.hpp"
#include "chance.hpp"
#include "core/linalg.hpp"
#include "data/moments.hpp"
#include "input_error.hpp"
#include "learning/minimizers.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

struct Example {
  System system = double_integrator();
  Response baseline = lqr_response(system);
  ResponseSpace space = make_response_space(system, {});
  Response response = response_at(system, space.coordinates,
                                  0.1 * random_coordinates(space.coordinates.pattern, 3));
  Assumptions assumptions;

  Certificate certificate(const std::string& name, const Evidence& e,
                          const Matrix* metric = nullptr, double delta = 0.05) const {
    const FixedResponseKind& kind = fixed_response_kind(name);
    return kind.evaluate(
        {system, response, assumptions, e, split_delta(kind.events, delta, {}), &baseline, metric});
  }
  WeightedResponse weighted(const Response& r) const {
    return weighted_response(system.cost, system.sizes(), r);
  }
  Matrix form() const {
    const Matrix M = weighted(response).M, M_0 = weighted(baseline).M;
    return M.transpose() * M - M_0.transpose() * M_0;
  }
  double difference(const Law& law) const {
    return response_risk(system, response, law_moments(law)) -
           response_risk(system, baseline, law_moments(law));
  }
  // What a learner makes of other data: the minimizer under a shrunk covariance.
  void learn(const Disturbances& data, double shrink) {
    const Matrix S = sample_moments(data).second;
    const Index d = S.rows();
    const Matrix shrunk =
        (1 - shrink) * S + shrink * S.trace() / static_cast<double>(d) * Matrix::Identity(d, d);
    response = response_at(system, space.coordinates, minimize_risk(space.cost, shrunk).Z);
  }
};

// mean of w'D_+w and w'D_-w over the rows, by symmetric roots of the metric.
std::pair<double, double> parts(const Matrix& D, const Matrix& metric, const Disturbances& data) {
  const Matrix root = symmetric_sqrt(metric), inverse = root.inverse();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(root * D * root));
  double P = 0, N = 0;
  for (Index i = 0; i < data.n(); ++i) {
    const Vector c = eigen.eigenvectors().transpose() * Vector(inverse * data.w.row(i).transpose());
    for (Index j = 0; j < c.size(); ++j) {
      const double e = eigen.eigenvalues()(j) * c(j) * c(j);
      (e > 0 ? P : N) += std::abs(e);
    }
  }
  return {P / static_cast<double>(data.n()), N / static_cast<double>(data.n())};
}

TEST(Improvement, IsRatioTimesScale) {
  Example x;
  const Law law{Vector::Zero(22), ar1_covariance(x.system.sizes(), 0.8, 0.1)};
  x.learn(sample_disturbances(law, test_stream(3, 0), 50), 0.3);
  const Disturbances data = sample_disturbances(law, test_stream(3, 1), 50);
  const Matrix identity = Matrix::Identity(22, 22);
  const Matrix other = sample_moments(sample_disturbances(law, test_stream(3, 2), 60)).second;
  const boost::math::chi_squared chi(50);
  const boost::math::fisher_f f(50, 50);
  for (const Matrix* metric : {static_cast<const Matrix*>(nullptr), &other}) {
    const auto [P, N] = parts(x.form(), metric ? *metric : identity, data);
    const double k = P / N / boost::math::quantile(f, 0.05);
    const double N_low = 50 * N / boost::math::quantile(complement(chi, 0.05));
    const double P_high = 50 * P / boost::math::quantile(chi, 0.05);
    const Certificate c = x.certificate("improvement", evidence_of(data), metric);
    EXPECT_NEAR(c.value, k < 1 ? -(1 - k) * N_low : (1 - 1 / k) * P_high, 1e-9 * (P + N));
    EXPECT_NEAR(c.terms[0].value, P - N, 1e-9 * (P + N));
    EXPECT_TRUE(is_difference(c));
    const double q = std::sqrt(1 - std::pow(0.05, 2.0 / 50));
    const double k_any = P / N * (1 + q) / (1 - q);
    const Certificate any = x.certificate("improvement-mean", evidence_of(data), metric);
    EXPECT_GT(any.value, c.value);
    if (k_any > 0.999) continue;                     // nothing is shown, for few data sets
    const double up = any.value / -(N - N * k_any);  // 1/x of the upper tail
    EXPECT_NEAR(1 / up - 1 + std::log(up), 2 * std::log(1 / 0.05) / 50, 1e-9 / (1 - k_any));
  }
  // Seen from the other side the same difference is a deterioration.
  std::swap(x.response, x.baseline);
  const auto [P, N] = parts(x.form(), identity, data);
  const double k = P / N / boost::math::quantile(f, 0.05);
  ASSERT_GT(k, 1);
  EXPECT_NEAR(x.certificate("improvement", evidence_of(data)).value,
              (1 - 1 / k) * 50 * P / boost::math::quantile(chi, 0.05), 1e-8 * P);
}

TEST(Improvement, TheSameControllerTwice) {
  Example x;
  x.response = x.baseline;
  x.assumptions.scale_bound = 1.0;
  const Evidence e = evidence_of(random_disturbances(x.system.sizes(), 5, 1));
  // Not better, and worse by no more than what is kept for rounding.
  const double cost = response_risk(x.system, x.baseline, e.moments);
  for (const char* kind : {"improvement", "improvement-mean", "improvement-scale"}) {
    EXPECT_GT(x.certificate(kind, e).value, 0) << kind;
    EXPECT_LT(x.certificate(kind, e).value, 3e-12 * cost) << kind;
  }
  Matrix singular = Matrix::Zero(22, 22);
  EXPECT_NE(input_error([&] { x.certificate("improvement", e, &singular); }).find("metric"),
            std::string::npos);
}

// Lambda from determinants and solves, at the lambda of the record; no other lambda is better.
TEST(ImprovementScale, IsTheExactCumulant) {
  for (const bool offset : {false, true}) {
    Shape shape;
    shape.offset = offset;
    Example x;
    x.system = random_system(shape, 7);
    x.baseline = lqr_response(x.system);
    ResponseOptions options;
    options.affine = offset;
    x.space = make_response_space(x.system, options);
    x.response = response_at(x.system, x.space.coordinates,
                             0.2 * random_coordinates(x.space.coordinates.pattern, 3));
    x.assumptions.scale_bound = 0.7;
    const Index d = x.system.sizes().d_w();
    const Disturbances data = random_disturbances(x.system.sizes(), 15, 2);
    const Certificate c = x.certificate("improvement-scale", evidence_of(data));
    const Matrix D = x.form(), I = Matrix::Identity(d, d);
    const WeightedResponse y = x.weighted(x.response), y_0 = x.weighted(x.baseline);
    const Vector g = y.M.transpose() * y.m - y_0.M.transpose() * y_0.m;
    const auto cumulant = [&](double lambda, const Matrix& Sigma) {
      const Matrix A = I + 2 * lambda * Sigma * D;
      return lambda * (D * Sigma).trace() - 0.5 * std::log(A.determinant()) +
             2 * lambda * lambda * g.dot(A.partialPivLu().solve(Matrix(Sigma * g)).col(0));
    };
    double mean = 0;
    for (Index i = 0; i < 15; ++i) {
      const Vector w = data.w.row(i);
      mean += ((y.M * w + y.m).squaredNorm() - (y_0.M * w + y_0.m).squaredNorm()) / 15;
    }
    EXPECT_NEAR(c.terms[0].value, mean, 1e-9 * std::abs(mean));
    const double rate = std::log(20.0) / 15, lambda = *c.lambda;
    const auto bound = [&](double l) { return mean + (rate + cumulant(l, 0.7 * I)) / l; };
    EXPECT_NEAR(c.value, bound(lambda), 1e-8 * std::abs(c.value));
    EXPECT_LE(c.value, bound(0.99 * lambda) + 1e-9);
    EXPECT_LE(c.value, bound(1.001 * lambda) + 1e-9);
    // A covariance below the bound has a smaller cumulant.
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Matrix X = random_matrix(d, d, seed + 50);
      const Matrix Sigma = 0.7 * X * X.transpose() / std::pow(X.operatorNorm(), 2);
      EXPECT_LE(cumulant(lambda, Sigma), cumulant(lambda, 0.7 * I) + 1e-12);
    }
  }
}

// At delta = 0.05.
TEST(Improvement, Covers) {
  Example x;
  const Law law{Vector::Zero(22), ar1_covariance(x.system.sizes(), 0.8, 0.1)};
  Law shifted = law;
  shifted.mean.setConstant(0.2);
  x.assumptions.scale_bound = 0.87;
  x.learn(sample_disturbances(law, test_stream(3, 0), 12), 0.1);
  // The worst case of both events: one direction that is better and one that is worse.
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(x.form());
  const Matrix V = eigen.eigenvectors();
  const Matrix two = V.col(0) * V.col(0).transpose() / -eigen.eigenvalues()(0) +
                     0.3 * V.col(21) * V.col(21).transpose() / eigen.eigenvalues()(21);
  const Law worst{Vector::Zero(22), two};
  const Index sets = test_count(2000, 1500);
  int failed = 0, failed_worst = 0, failed_shifted = 0, failed_scale = 0;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(sets); ++i) {
    const Evidence e = evidence_of(sample_disturbances(law, test_stream(i, 4), 8));
    const Evidence e_worst = evidence_of(sample_disturbances(worst, test_stream(i, 5), 8));
    const Evidence e_shifted = evidence_of(sample_disturbances(shifted, test_stream(i, 6), 8));
    failed += x.certificate("improvement", e).value < x.difference(law);
    failed_worst += x.certificate("improvement", e_worst).value < x.difference(worst);
    failed_shifted += x.certificate("improvement-mean", e_shifted).value < x.difference(shifted);
    failed_scale += x.certificate("improvement-scale", e).value < x.difference(law);
  }
  const Index most = most_of(sets, 0.05);
  EXPECT_LE(failed, most);
  EXPECT_LE(failed_worst, most);
  EXPECT_GT(failed_worst, 0);
  EXPECT_LE(failed_shifted, most);
  EXPECT_LE(failed_scale, most);
}

// The claim of the page: 25 trajectories to learn from and 25 to certify on show the learned
// controller to be better than LQR for most seeds, 50 and 50 for nearly all.
TEST(Improvement, IsCertifiedEarly) {
  Example x;
  const Law law{Vector::Zero(22), ar1_covariance(x.system.sizes(), 0.8, 0.1)};
  constexpr int sets = 100;
  int certified_50 = 0, certified_100 = 0;
  for (std::uint64_t seed = 0; seed < sets; ++seed) {
    x.learn(sample_disturbances(law, test_stream(seed, 0), 25), 0.3);
    certified_50 += x.certificate("improvement",
                                  evidence_of(sample_disturbances(law, test_stream(seed, 1), 25)))
                        .value < 0;
    x.learn(sample_disturbances(law, test_stream(seed, 0), 50), 0.3);
    certified_100 += x.certificate("improvement",
                                   evidence_of(sample_disturbances(law, test_stream(seed, 1), 50)))
                         .value < 0;
  }
  EXPECT_GE(certified_50, 50);
  EXPECT_GE(certified_100, 85);
}

}  // namespace
}  // namespace loopcert::testing
