// Certificates under an envelope, and the self-bounding one, recomputed on dense tensors M_k with
// infima by trisection.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

#include "certificate/envelope.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"
#include "certificate/wishart.hpp"
#include "data/moments.hpp"
#include "gamma_chance.hpp"
#include "loopcert/core/error.hpp"
#include "random_bound.hpp"
#include "response/lqr.hpp"
#include "response/space.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

class EnvelopeKinds : public RandomBound {
 protected:
  EnvelopeKinds() : RandomBound(30) {
    assumptions.white = true;
    assumptions.covariance_bound = root * root.transpose();
    S = data.w.transpose() * data.w / n;
  }

  Certificate certificate(const std::string& name) {
    Deltas delta;
    double value = 0.02;  // all different: a swapped delta shows
    for (const std::string& event : posterior_kind(name).events) delta[event] = value += 0.01;
    return evaluate(name, delta);
  }
  double rate() const { return RandomBound::rate(0.03); }
  double empirical() const { return RandomBound::empirical(dense_M(form, mean)); }
  // sum_k v_k ||M_k diag(t)^1/2||^2 over the columns of w
  double spread(const Vector& t) const {
    double sum = 0;
    for (size_t k = 0; k < form.M.size(); ++k)
      sum += variance(static_cast<Index>(k)) *
             form.M[k].rightCols(d).colwise().squaredNorm().dot(t.transpose());
    return sum;
  }
  // The rank-aware certificate with this matrix above the covariance and Jensen's spread.
  double under(const Matrix& U_w) const {
    const Index d_z = space.coordinates.pattern.cols();
    Matrix U = Matrix::Zero(d_z, d_z), B = Matrix::Zero(d_z, d_z);
    U.bottomRightCorner(d, d) = U_w;
    double offset = 0;
    if (space.coordinates.pattern.constant) {
      B(0, 0) = 1;
      offset = 2 * dense_quartic(form, mean, variance, U, B);
    }
    const double C = dense_quartic(form, mean, variance, U, U), r = static_cast<double>(d);
    return empirical() + spread(S.diagonal()) + infimum(rate(), [&](double lambda) {
                                                  return r * f(lambda * std::sqrt(C / r)) +
                                                         lambda * lambda * offset;
                                                }).value;
  }

  Matrix S;
};

TEST_P(EnvelopeKinds, AreTheDenseFormula) {
  SCOPED_TRACE(shape_text(shape));
  const Matrix I = Matrix::Identity(d, d);
  const auto expect = [&](const std::string& name, const Matrix& U, size_t events) {
    const Certificate c = certificate(name);
    const double value = under(U);
    EXPECT_NEAR(c.value, value, 1e-8 * value) << name;
    EXPECT_EQ(c.events.size(), events) << name;
    EXPECT_NEAR(c.confidence, events == 1 ? 0.97 : 0.93, 1e-12) << name;
  };
  expect("scale", 1.3 * I, 1);
  expect("known-covariance", *assumptions.covariance_bound, 1);
  const double q = wishart_floor(d, 30, 0.04);
  expect("relative", S / q, 2);
  expect("one-sided", S + 1.3 * (1 - q) * I, 2);
  const Index n_x = system.sizes().n_x, T = system.sizes().T;
  Matrix blocks = Matrix::Zero(d, d), shared = Matrix::Zero(d, d), pooled = Matrix::Zero(n_x, n_x);
  const double each = wishart_floor(n_x, 30, 0.04 / static_cast<double>(T + 1));
  for (Index i = 0; i < 30; ++i)
    for (Index t = 1; t <= T; ++t) {
      const Vector w = data.w.row(i).segment(t * n_x, n_x);
      pooled += w * w.transpose() / (n * static_cast<double>(T));
    }
  for (Index t = 0; t <= T; ++t) {
    blocks.block(t * n_x, t * n_x, n_x, n_x) = S.block(t * n_x, t * n_x, n_x, n_x) / each;
    shared.block(t * n_x, t * n_x, n_x, n_x) = pooled / wishart_floor(n_x, 30 * T, 0.02);
  }
  shared.topLeftCorner(n_x, n_x) = S.topLeftCorner(n_x, n_x) / wishart_floor(n_x, 30, 0.02);
  expect("white", blocks, 2);
  assumptions.stationary = true;
  expect("white", shared, 2);
}

// min(eps, Sigma_hat_jj) in place of Jensen's spread, and Sigma_hat + eps I.
TEST_P(EnvelopeKinds, RadiiByTraceAndAsStated) {
  SCOPED_TRACE(shape_text(shape));
  const Matrix I = Matrix::Identity(d, d);
  const auto with_radius = [&](double eps) {
    return under(S + eps * I) - spread(S.diagonal()) + spread(S.diagonal().cwiseMin(eps));
  };
  double sum = 0;  // of the squares, and 0.02 of chi-squares with 30 degrees of freedom are below
  for (Index i = 0; i < 30; ++i) sum += data.w.row(i).squaredNorm();
  const double quantile = boost::math::quantile(boost::math::chi_squared(30), 0.02);
  const double trace = std::min(sum / quantile, 1.3 * static_cast<double>(d));
  const double sigma = std::sqrt(1.3), t = std::sqrt(2 * std::log(100.0));
  const double off = (std::sqrt(trace) + 0.75 * sigma + t * sigma) / std::sqrt(30.0);
  const double eps = (sigma + off) * (sigma + off) - 1.3;
  const Certificate by_trace = certificate("data-driven-effective-rank");
  EXPECT_NEAR(by_trace.value, with_radius(eps), 1e-8 * by_trace.value);
  EXPECT_NEAR(by_trace.events[1].statement.parameters.at("eps"), eps, 1e-10 * eps);
  EXPECT_NEAR(by_trace.confidence, 0.93, 1e-12);

  assumptions.scale_bound.reset();
  assumptions.covariance_radius = 0.37;
  assumptions.covariance_radius_delta = 0.011;
  const Certificate given = certificate("data-driven-given-radius");
  EXPECT_NEAR(given.value, with_radius(0.37), 1e-8 * given.value);
  EXPECT_EQ(given.events[1].delta, 0.011);
  EXPECT_NEAR(given.confidence, 1 - 0.03 - 0.011, 1e-12);
  assumptions.covariance_radius.reset();
  EXPECT_THROW(certificate("data-driven-given-radius"), InputError);
}

TEST_P(EnvelopeKinds, BoundedSelfIsTheDenseFormula) {
  SCOPED_TRACE(shape_text(shape));
  assumptions.model = "bounded";
  const double W = 1.5 * evidence.largest_norm;
  assumptions.radius = W;
  const bool constant = space.coordinates.pattern.constant;
  const Index d_z = space.coordinates.pattern.cols();
  const double reach = constant ? 2 * W * W : W * W;
  Vector D = Vector::Ones(d_z);
  if (constant) D(0) = 1 / W;
  const Matrix D2 = D.cwiseAbs2().asDiagonal();
  Matrix V = Matrix::Zero(d_z, d_z);  // second moment of v = D^-1 z
  for (Index i = 0; i < data.n(); ++i) {
    Vector v = Vector::Constant(d_z, W);
    v.tail(d) = data.w.row(i);
    V += v * v.transpose() / n;
  }
  const double c = 2 * reach * std::log(static_cast<double>(d_z) / 0.04) / n;
  const double norm = Eigen::SelfAdjointEigenSolver<Matrix>(V).eigenvalues().maxCoeff();
  const double eps = (c + std::sqrt(c * c + 4 * c * norm)) / 2;
  const auto value = [&](const Matrix& above) {
    const Matrix B = D.asDiagonal() * above * D.asDiagonal();
    const double phi = 0.5 * reach * dense_quartic(form, mean, variance, D2, B);
    return empirical() + spread(S.diagonal()) + 2 * std::sqrt(phi * rate());
  };
  const Matrix I = Matrix::Identity(d_z, d_z);
  Matrix above = V + eps * I;
  if (above.trace() > (reach * I).trace()) above = reach * I;
  assumptions.scale_bound.reset();
  EXPECT_NEAR(certificate("bounded-self").value, value(above), 1e-9 * value(above));
  EXPECT_EQ(certificate("bounded-self").assumptions.size(), 4u);
  // With a scale bound and zero mean there is one more candidate, taken when its trace is smaller.
  assumptions.scale_bound = 1e-3 * reach;
  Vector assumed = Vector::Constant(d_z, *assumptions.scale_bound);
  if (constant) assumed(0) = W * W;
  if (assumed.sum() < above.trace()) above = assumed.asDiagonal();
  EXPECT_NEAR(certificate("bounded-self").value, value(above), 1e-9 * value(above));
  EXPECT_EQ(certificate("bounded-self").assumptions.size(), 6u);
  assumptions.zero_mean = false;
  EXPECT_EQ(certificate("bounded-self").assumptions.size(), 4u);
  assumptions.radius = 0.5 * evidence.largest_norm;
  EXPECT_THROW(certificate("bounded-self"), InputError);  // the data refute the assumption
  assumptions.model = "gaussian";
  EXPECT_THROW(certificate("bounded-self"), InputError);
}

// The inequalities behind it, with the data as the law: E l^2 <= reach tr(K D^2 K E zz'), and the
// cumulant below lambda^2 E l^2 / 2, for draws of the posterior.
TEST_P(EnvelopeKinds, BoundedSelfDominatesTheCumulant) {
  const double W = evidence.largest_norm;
  const bool constant = space.coordinates.pattern.constant;
  const double reach = constant ? 2 * W * W : W * W;
  Vector D = Vector::Ones(space.coordinates.pattern.cols());
  if (constant) D(0) = 1 / W;
  const Matrix zz = moment_matrix(evidence.moments, constant);
  for (std::uint64_t i = 0; i < 10; ++i) {
    const Matrix M = dense_M(form, pack(space.coordinates.pattern,
                                        sample_posterior(posterior, test_stream(seed, 4), i)));
    const Matrix K = M.transpose() * M;
    Vector loss(data.n());
    for (Index k = 0; k < data.n(); ++k) {
      Vector z = Vector::Ones(space.coordinates.pattern.cols());
      z.tail(d) = data.w.row(k);
      loss(k) = z.dot(K * z);
    }
    const double second = loss.cwiseAbs2().mean();
    EXPECT_LE(second, reach * (K * D.cwiseAbs2().asDiagonal() * K * zz).trace() * (1 + 1e-9));
    for (const double x : {0.1, 1.0, 10.0}) {
      const double lambda = x / loss.mean();
      const double cgf = lambda * loss.mean() + std::log((-lambda * loss).array().exp().mean());
      EXPECT_LE(cgf, lambda * lambda * second / 2 * (1 + 1e-9));
    }
  }
}

// Block diagonal, the squares of its blocks those of K.
Matrix block_root(const Matrix& K, Index size) {
  Matrix root = Matrix::Zero(K.rows(), K.cols());
  for (Index k = 0; k < K.rows(); k += size)
    root.block(k, k, size, size) =
        Eigen::SelfAdjointEigenSolver<Matrix>(K.block(k, k, size, size)).operatorSqrt();
  return root;
}

TEST_P(EnvelopeKinds, HoldOutUnderAnEnvelope) {
  SCOPED_TRACE(shape_text(shape));
  const Response response = response_at(system, space.coordinates, posterior.mean);
  const WeightedResponse y = weighted_response(system.cost, system.sizes(), response);
  const Deltas delta = {{"chernoff", 0.03}, {"covariance", 0.04}};
  for (const char* name : {"hold-out-relative", "hold-out-white", "hold-out-known"}) {
    const FixedResponseKind& kind = fixed_response_kind(name);
    const Certificate c = kind.evaluate({system, response, assumptions, evidence, delta});
    const Envelope envelope = make_envelope(envelope_kind(kind.name.substr(9)), assumptions,
                                            evidence, system.sizes(), delta);
    const bool averaged = kind.name == "hold-out-white" && y.m.isZero(0.0);
    Matrix M = y.M;
    if (averaged) M = block_root(M.transpose() * M, system.sizes().n_x);
    double mean_cost = 0;  // of the cost that is certified, whose expectation is the same
    for (Index i = 0; i < data.n(); ++i)
      mean_cost += (M * data.w.row(i).transpose() + (averaged ? Vector::Zero(M.rows()) : y.m))
                       .squaredNorm() /
                   n;
    const Matrix Sigma = M * envelope.U * M.transpose();
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Sigma);
    const Vector s = eigen.eigenvalues().cwiseMax(0.0);
    const Vector mu =
        averaged ? Vector::Zero(s.size()) : Vector(eigen.eigenvectors().transpose() * y.m);
    const double margin =
        infimum(std::log(1 / 0.03) / n, [&](double lambda) {
          double sum = 0;
          for (Index i = 0; i < s.size(); ++i)
            sum += f(lambda * s(i)) + lambda * mu(i) * mu(i) * (1 - 1 / (1 + 2 * lambda * s(i)));
          return sum;
        }).value;
    // Smaller where the quantile is, or the risk under U; the quantile needs a cost without offset.
    const bool centred = y.m.isZero(0.0), given = envelope.events.empty();
    const double risk = s.sum() + y.m.squaredNorm();
    const double least = given ? mean_cost + margin : std::min(mean_cost + margin, risk);
    EXPECT_LE(c.value, least * (1 + 1e-7)) << kind.name;
    if (!centred) {
      EXPECT_NEAR(c.value, least, 1e-7 * c.value) << kind.name;
    } else if (c.value < least * (1 - 1e-7)) {
      const double t = c.value - mean_cost, largest = s.maxCoeff();  // its margin
      const double half = 0.5 * n;
      const Vector all = s.cwiseMax(1e-9 * largest);
      if (t > largest / half * (1 + 1e-9)) {
        EXPECT_NEAR(chance_below(all, half, half * (s.sum() - t)), 0.03, 1e-5) << kind.name;
      }
    }
    EXPECT_EQ(c.events.size(), kind.events.size());
    EXPECT_TRUE(kind.needs({assumptions, system.sizes(), 0, false}).has_value()) << kind.name;
    EXPECT_FALSE(kind.needs({assumptions, system.sizes(), 30, false}).has_value()) << kind.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, EnvelopeKinds, ::testing::Range(1, 9));

// With few trajectories the paper's radius exceeds the scale bound it is made from.
TEST(Scale, IsBelowTheAdditiveEnvelopeWhenDataAreFew) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, {});
  const Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  Assumptions assumptions;
  assumptions.scale_bound = 0.1;
  const Deltas delta = {{"pac_bayes", 0.025}, {"covariance", 0.025}};
  const Prior prior{Matrix::Zero(10, 22), 1.0};
  const Posterior posterior{prior.center,
                            unpack(space.coordinates.pattern, Vector::Constant(110, 0.1))};
  for (const Index n : {10, 100, 400}) {
    ASSERT_GE(n == 400 ? 0.1 : covariance_radius(0.1, 22, n, 0.025), 0.1);
    const Evidence e = evidence_of(sample_disturbances(law, test_stream(1, 0), n));
    const Setting setting{system, space, assumptions, e, delta};
    const auto value = [&](const std::string& name) {
      return evaluate_certificate(posterior_kind(name), setting, prior, posterior).value;
    };
    EXPECT_LT(value("scale"), value("data-driven-rank-aware")) << n;
  }
}

// hold-out-known with the scale bound as its matrix is hold-out.
TEST(HoldOutKnown, AgreesWithHoldOutUnderAScaleBound) {
  const System system = double_integrator();
  const Response lqr = lqr_response(system);
  const Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22)};
  const Evidence e = evidence_of(sample_disturbances(law, test_stream(2, 0), 25));
  Assumptions assumptions;
  assumptions.scale_bound = 0.1;
  assumptions.covariance_bound = law.covariance;
  const FixedSetting setting{system, lqr, assumptions, e, {{"chernoff", 0.05}}};
  const double known = fixed_response_kind("hold-out-known").evaluate(setting).value;
  EXPECT_NEAR(known, fixed_response_kind("hold-out").evaluate(setting).value, 1e-12 * known);
}

}  // namespace
}  // namespace loopcert::testing
