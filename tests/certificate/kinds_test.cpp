// Every certificate recomputed from the paper's formulas on dense tensors M_k.
#include "certificate/kinds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "certificate/fixed_response.hpp"
#include "certificate/premises.hpp"
#include "dense_bound.hpp"
#include "loopcert/core/error.hpp"
#include "problem/names.hpp"
#include "random_system.hpp"
#include "response/space.hpp"
#include "risk/risk.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

class RandomCertificate : public ::testing::TestWithParam<int> {
 protected:
  RandomCertificate() : seed(static_cast<std::uint64_t>(GetParam())), shape(random_shape(seed)) {
    shape.T = std::min<Index>(shape.T, 3);
    shape.n_u = std::min<Index>(shape.n_u, 2);
    system = random_system(shape, seed);
    space = make_response_space(system, {.affine = (seed % 2) == 0});
    data = random_disturbances(system.sizes(), 9, seed);
    evidence = evidence_of(data);
    prior = {0.1 * random_coordinates(space.coordinates.pattern, seed + 1), 0.7};
    posterior.mean = 0.5 * random_coordinates(space.coordinates.pattern, seed + 2);
    posterior.variance = 0.2 * random_coordinates(space.coordinates.pattern, seed + 3).cwiseAbs2();
    const Index d = system.sizes().d_w();
    const Matrix root = random_matrix(d, d, seed + 4);
    assumptions.scale_bound = 1.7;
    law =
        Law{0.3 * random_matrix(d, 1, seed + 5), root * root.transpose() / static_cast<double>(d)};
    form = dense_form(system, space);
    mean = pack(space.coordinates.pattern, posterior.mean);
    variance = pack(space.coordinates.pattern, posterior.variance);
  }

  Certificate certificate(const std::string& name) {
    const PosteriorKind& kind = posterior_kind(name);
    assumptions.law = kind.oracle ? std::optional(law) : std::nullopt;
    const Setting setting{system, space, assumptions, evidence, deltas(name)};
    return evaluate_certificate(kind, setting, prior, posterior);
  }
  Deltas deltas(const std::string& name) const {
    Deltas d;
    double value = 0.02;  // all different: a swapped delta shows
    for (const std::string& event : posterior_kind(name).events) d[event] = value += 0.01;
    return d;
  }

  // --- the paper's ingredients, dense -----------------------------------------------------------
  double kl() const {
    const Vector center = pack(space.coordinates.pattern, prior.center);
    double sum = 0;
    for (Index k = 0; k < mean.size(); ++k) {
      const double ratio = variance(k) / 0.49, shift = mean(k) - center(k);
      sum += 0.5 * (ratio + shift * shift / 0.49 - 1 - std::log(ratio));
    }
    return sum;
  }
  double rate(double delta) const { return (kl() + std::log(9 / delta)) / 8; }
  Matrix extended(const Matrix& on_w) const {
    const Index d = space.coordinates.pattern.cols();
    Matrix full = Matrix::Zero(d, d);
    full.bottomRightCorner(on_w.rows(), on_w.cols()) = on_w;
    return full;
  }
  Vector z(Index i) const {  // trajectory i, with the constant in front where there is one
    Vector row(space.coordinates.pattern.cols());
    if (space.coordinates.pattern.constant)
      row << 1, data.w.row(i).transpose();
    else
      row = data.w.row(i);
    return row;
  }
  double empirical(const Matrix& M) const {
    double sum = 0;
    for (Index i = 0; i < data.n(); ++i) sum += (M * z(i)).squaredNorm();
    return sum / 9;
  }
  double empirical_mean() const { return empirical(dense_M(form, mean)); }
  // tr(Ghat Sigma_rho) = sum_k v_k (1/n) sum_i ||M_k z_i||^2
  double empirical_spread() const {
    double sum = 0;
    for (size_t k = 0; k < form.M.size(); ++k)
      sum += variance(static_cast<Index>(k)) * empirical(form.M[k]);
    return sum;
  }
  // tr(Sigma_rho M_G) over the columns of w
  double trace_M_G() const {
    double sum = 0;
    for (size_t k = 0; k < form.M.size(); ++k)
      sum +=
          variance(static_cast<Index>(k)) * form.M[k].rightCols(system.sizes().d_w()).squaredNorm();
    return sum;
  }
  double phi(const Matrix& U, const Matrix& B) const {
    return dense_quartic(form, mean, variance, U, U) +
           2 * dense_quartic(form, mean, variance, U, B);
  }
  Matrix unit_constant() const {
    Matrix B = Matrix::Zero(space.coordinates.pattern.cols(), space.coordinates.pattern.cols());
    if (space.coordinates.pattern.constant) B(0, 0) = 1;
    return B;
  }
  Matrix second() const {
    Matrix sum = Matrix::Zero(data.w.cols(), data.w.cols());
    for (Index i = 0; i < data.n(); ++i) sum += data.w.row(i).transpose() * data.w.row(i) / 9;
    return sum;
  }
  double radius(double delta, Index n) const {
    const double a = std::sqrt(static_cast<double>(data.w.cols()) / static_cast<double>(n)) +
                     std::sqrt(2 * std::log(2 / delta) / static_cast<double>(n));
    return 1.7 * (2 * a + a * a);
  }

  std::uint64_t seed;
  Shape shape;
  System system;
  ResponseSpace space;
  Disturbances data;
  Evidence evidence;
  Prior prior;
  Posterior posterior;
  Assumptions assumptions;
  Law law;  // given to oracle kinds only
  DenseForm form;
  Vector mean, variance;
};

TEST_P(RandomCertificate, DataDriven) {
  SCOPED_TRACE(shape_text(shape));
  const double eps = radius(0.04, 9);
  const Matrix I = Matrix::Identity(data.w.cols(), data.w.cols());
  const double comp =
      2 * std::sqrt(phi(extended(second() + eps * I), unit_constant()) * rate(0.03));
  const Certificate c = certificate("data-driven");
  const double value = empirical_mean() + comp + eps * trace_M_G();
  EXPECT_NEAR(c.value, value, 1e-9 * value);
  EXPECT_NEAR(c.confidence, 1 - 0.07, 1e-12);
  EXPECT_NEAR(*c.kl, kl(), 1e-10 * kl());
  const Certificate randomized = certificate("data-driven-randomized");
  const double average = empirical_mean() + empirical_spread() + comp;
  EXPECT_NEAR(randomized.value, average, 1e-9 * average);
  EXPECT_LE(certificate("data-driven-rank-aware").value, c.value * (1 + 1e-12));
}

TEST_P(RandomCertificate, UnknownMean) {
  SCOPED_TRACE(shape_text(shape));
  const Index d = data.w.cols();
  const Matrix I = Matrix::Identity(d, d);
  const double eps = radius(0.04, 8);
  const double r = std::sqrt(1.7) *
                   (std::sqrt(static_cast<double>(d) / 9) + std::sqrt(2 * std::log(1 / 0.05) / 9));
  const Vector wbar = data.w.colwise().mean();
  const Matrix centred = data.w.rowwise() - wbar.transpose();
  const Matrix S = centred.transpose() * centred / 8;
  Vector zhat = Vector::Ones(space.coordinates.pattern.cols());
  zhat.tail(d) = wbar;
  const bool constant = space.coordinates.pattern.cols() > d;
  const double c = r / std::sqrt(wbar.squaredNorm() + (constant ? 1.7 : 0));
  const Matrix B = (1 + c) * zhat * zhat.transpose() + extended((1 + 1 / c) * r * r * I);
  const double comp = 2 * std::sqrt(phi(extended(S + eps * I), B) * rate(0.03));
  Vector a = Vector::Zero(d);  // A_rho = sum_k v_k M_k'M_k is diagonal
  for (size_t k = 0; k < form.M.size(); ++k)
    a += variance(static_cast<Index>(k)) *
         form.M[k].rightCols(d).colwise().squaredNorm().transpose();
  const double mismatch = eps * a.sum() + 2 * r * a.cwiseProduct(wbar).norm();
  const double value = empirical_mean() + comp + mismatch;
  EXPECT_NEAR(certificate("data-driven-mean").value, value, 1e-9 * value);
}

TEST_P(RandomCertificate, Oracle) {
  SCOPED_TRACE(shape_text(shape));
  Vector mu = Vector::Ones(space.coordinates.pattern.cols());
  mu.tail(law.mean.size()) = law.mean;
  const Matrix S_2 = extended(law.covariance) + mu * mu.transpose();
  const double comp =
      2 * std::sqrt(phi(extended(law.covariance), mu * mu.transpose()) * rate(0.03));
  double population_spread = 0;  // tr(G Sigma_rho)
  for (size_t k = 0; k < form.M.size(); ++k)
    population_spread +=
        variance(static_cast<Index>(k)) * (form.M[k] * S_2 * form.M[k].transpose()).trace();
  const double value = empirical_mean() + comp + empirical_spread() - population_spread;
  const Certificate c = certificate("oracle");
  EXPECT_NEAR(c.value, value, 1e-9 * (value + 2 * population_spread));  // it may cancel the others
  EXPECT_TRUE(c.oracle);
  const double average = empirical_mean() + empirical_spread() + comp;
  EXPECT_NEAR(certificate("oracle-randomized").value, average, 1e-9 * average);
}

TEST_P(RandomCertificate, Bounded) {
  SCOPED_TRACE(shape_text(shape));
  assumptions.model = "bounded";
  const double W = 1.5 * data.w.rowwise().norm().maxCoeff();
  assumptions.radius = W;
  const Index d = space.coordinates.pattern.cols();
  Vector D = Vector::Ones(d);
  if (space.coordinates.pattern.constant) D(0) = 1 / (W * W);
  const Matrix D2 = D.asDiagonal();
  const double reach = space.coordinates.pattern.constant ? 2 * W * W : W * W;
  const double b2 = reach * reach * dense_quartic(form, mean, variance, D2, D2);
  const double value = empirical_mean() + empirical_spread() + 2 * std::sqrt(b2 / 8 * rate(0.03));
  EXPECT_NEAR(certificate("bounded").value, value, 1e-9 * value);
  // E_rho b^2 dominates the largest loss of any admissible trajectory, draw by draw.
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Matrix Z = sample_posterior(posterior, test_stream(seed, 3), i);
    const Matrix M = dense_M(form, pack(space.coordinates.pattern, Z));
    Vector w = random_matrix(data.w.cols(), 1, seed + i);
    w *= W / w.norm();
    Vector full = Vector::Ones(d);
    full.tail(w.size()) = w;
    const Matrix K = M.transpose() * M;
    EXPECT_LE((M * full).squaredNorm(),
              reach * (D.cwiseSqrt().asDiagonal() * K * D.cwiseSqrt().asDiagonal()).norm());
  }
  assumptions.radius = 0.5 * data.w.rowwise().norm().maxCoeff();
  EXPECT_THROW(certificate("bounded"), InputError);  // the data refute the assumption
}

// Gradients of every smooth bound by extrapolated differences along random directions.
TEST_P(RandomCertificate, Gradients) {
  SCOPED_TRACE(shape_text(shape));
  for (const PosteriorKind& kind : posterior_kinds()) {
    if (!kind.setup) continue;
    assumptions.model = kind.name.starts_with("bounded") ? "bounded" : "gaussian";
    assumptions.radius = 2 * evidence.largest_norm;
    assumptions.white = true;
    assumptions.covariance_bound = law.covariance;
    assumptions.law = kind.oracle ? std::optional(law) : std::nullopt;
    const Setting setting{system, space, assumptions, evidence, deltas(kind.name)};
    if (kind.needs(premises_of(setting))) continue;  // too few trajectories for some
    const BoundSetup setup = kind.setup(setting);
    MomentGradient gradient;
    const double value =
        evaluate_bound(space.cost, setup.inputs, prior, posterior, &gradient).value;
    const Matrix dZ = random_coordinates(space.coordinates.pattern, seed + 20);
    const Matrix dV =
        posterior.variance.cwiseProduct(random_coordinates(space.coordinates.pattern, seed + 21));
    const auto slope = [&](double h) {
      const Posterior up{posterior.mean + h * dZ, posterior.variance + h * dV};
      const Posterior down{posterior.mean - h * dZ, posterior.variance - h * dV};
      return (evaluate_bound(space.cost, setup.inputs, prior, up).value -
              evaluate_bound(space.cost, setup.inputs, prior, down).value) /
             (2 * h);
    };
    const double numeric = (4 * slope(1e-4) - slope(2e-4)) / 3;
    const double exact =
        gradient.d_mean.cwiseProduct(dZ).sum() + gradient.d_variance.cwiseProduct(dV).sum();
    EXPECT_NEAR(exact, numeric, 1e-6 * (std::abs(numeric) + std::abs(value))) << kind.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, RandomCertificate, ::testing::Range(1, 17));

TEST(Kinds, AreRefusedWithoutTheirAssumptions) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, {});
  const Evidence evidence = evidence_of(random_disturbances(system.sizes(), 5, 1));
  const Assumptions nothing;
  const auto setup = [&](const std::string& name, const Assumptions& assumptions) {
    Deltas delta;
    for (const std::string& event : posterior_kind(name).events) delta[event] = 0.01;
    return posterior_kind(name).setup({system, space, assumptions, evidence, delta});
  };
  EXPECT_THROW(setup("data-driven", nothing), InputError);  // no scale bound
  EXPECT_THROW(setup("oracle", nothing), InputError);       // no law
  EXPECT_THROW(setup("bounded", nothing), InputError);
  Assumptions not_zero_mean;
  not_zero_mean.scale_bound = 1;
  not_zero_mean.zero_mean = false;
  EXPECT_THROW(setup("data-driven", not_zero_mean), InputError);
  EXPECT_NO_THROW(setup("data-driven-mean", not_zero_mean));
  // A law in the same file that breaks the assumption.
  Assumptions contradiction;
  contradiction.scale_bound = 0.5;
  contradiction.law = Law{Vector::Zero(22), 0.5 * Matrix::Identity(22, 22)};
  EXPECT_NO_THROW(setup("data-driven", contradiction));
  contradiction.law->covariance(3, 3) = 0.6;
  EXPECT_THROW(setup("data-driven", contradiction), InputError);
  contradiction.law->covariance(3, 3) = 0.1;
  contradiction.law->mean(0) = 0.1;
  EXPECT_THROW(setup("data-driven", contradiction), InputError);
  EXPECT_NO_THROW(setup("data-driven-mean", contradiction));
  Assumptions bounded;
  bounded.model = "bounded";
  bounded.scale_bound = 1;
  EXPECT_THROW(setup("data-driven", bounded), InputError);
  EXPECT_THROW(posterior_kind("data-drivn"), InputError);
}

TEST(Kinds, HaveEventsThatAProblemFileCanName) {
  std::set<std::string> used;
  for (const PosteriorKind& kind : posterior_kinds())
    used.insert(kind.events.begin(), kind.events.end());
  for (const FixedResponseKind& kind : fixed_response_kinds())
    used.insert(kind.events.begin(), kind.events.end());
  EXPECT_EQ(used, std::set<std::string>(event_names().begin(), event_names().end()));
}

TEST(Kinds, AUniformLawBreaksTheGaussianModelAndASmallRadius) {
  const System system = double_integrator();
  const ResponseSpace space = make_response_space(system, {});
  const Law law{Vector::Zero(22), 0.1 * Matrix::Identity(22, 22), LawShape::uniform};
  const Evidence evidence = evidence_of(sample_disturbances(law, test_stream(1, 0), 20));
  const auto missing = [&](const std::string& name, const Assumptions& assumptions) {
    const auto m = posterior_kind(name).needs({assumptions, system.sizes(), 20, false});
    return m ? m->place + ": " + m->found : std::string();
  };
  Assumptions assumptions;
  assumptions.scale_bound = 0.1;
  assumptions.law = law;
  for (const char* name : {"data-driven", "data-driven-mean", "oracle", "oracle-randomized"})
    EXPECT_EQ(missing(name, assumptions),
              "disturbance.model: 'gaussian' with distribution = 'uniform'")
        << name;
  EXPECT_TRUE(
      fixed_response_kind("hold-out-scale-free").needs({assumptions, system.sizes(), 20, false}));
  EXPECT_EQ(missing("posterior-localized", assumptions), "");  // moments are all it takes
  // The farthest corner: sqrt(22 * 3 * 0.1) = 2.569.
  assumptions.model = "bounded";
  assumptions.radius = 2.57;
  EXPECT_EQ(missing("bounded", assumptions), "");
  EXPECT_NO_THROW(posterior_kind("bounded").setup(
      {system, space, assumptions, evidence, {{"pac_bayes", 0.05}}}));
  assumptions.radius = 2.56;
  EXPECT_EQ(missing("bounded", assumptions), "disturbance.radius: 2.56");
  assumptions.law->shape = LawShape::gaussian;  // no contradiction is looked for: as before
  EXPECT_EQ(missing("bounded", assumptions), "");
}

TEST(SplitDelta, SharesATotalOrTakesTheParts) {
  const std::vector<std::string> events = {"pac_bayes", "covariance"};
  EXPECT_DOUBLE_EQ(split_delta(events, 0.05, {}).at("pac_bayes"), 0.025);
  EXPECT_DOUBLE_EQ(split_delta(events, {}, {}).at("covariance"), 0.025);
  const Deltas parts = split_delta(events, {}, {{"pac_bayes", 0.01}, {"covariance", 0.03}});
  EXPECT_DOUBLE_EQ(parts.at("pac_bayes"), 0.01);
  EXPECT_DOUBLE_EQ(parts.at("covariance"), 0.03);
  EXPECT_THROW(split_delta(events, {}, {{"pac_bayes", 0.01}}), InputError);
  EXPECT_THROW(split_delta(events, 1.5, {}), InputError);
  EXPECT_THROW(split_delta(events, {}, {{"pac_bayes", 0.6}, {"covariance", 0.6}}), InputError);
}

TEST(Posterior, IsCheckedAgainstThePattern) {
  const ResponseSpace space = make_response_space(double_integrator(), {});
  Posterior posterior{Matrix::Zero(10, 22), unpack(space.coordinates.pattern, Vector::Ones(110))};
  EXPECT_NO_THROW(check_posterior(posterior, space.coordinates.pattern));
  posterior.variance(0, 0) = 0;
  EXPECT_THROW(check_posterior(posterior, space.coordinates.pattern), InputError);
  posterior.variance(0, 0) = NAN;
  EXPECT_THROW(check_posterior(posterior, space.coordinates.pattern), InputError);
  posterior.variance(0, 0) = 1;
  posterior.mean(0, 5) = 1;  // not causal
  EXPECT_THROW(check_posterior(posterior, space.coordinates.pattern), InputError);
}

}  // namespace
}  // namespace loopcert::testing
