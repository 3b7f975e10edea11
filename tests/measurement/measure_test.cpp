// Certificates from measured costs: against the kinds for logged trajectories, by coverage over
// random Gaussian loops, in other orders and units; what is refused.
#include "loopcert/measurement/measure.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>

#include "certificate/bernoulli.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/limits.hpp"
#include "certificate/premises.hpp"
#include "chance.hpp"
#include "input_error.hpp"
#include "loopcert/core/random.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "measurement/logged_episodes.hpp"
#include "measurement/measured_record.hpp"
#include "measurement/ratio_of_two.hpp"
#include "random_system.hpp"
#include "response/lqr.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

MeasureOptions of_kind(const std::string& kind, double delta = 0.05) {
  MeasureOptions options;
  options.kind = kind;
  options.delta = delta;
  return options;
}

MeasureOptions bounded(double J, double delta = 0.05) {
  MeasureOptions options;
  options.largest = J;
  options.delta = delta;
  return options;
}

// n costs of a Gaussian loop: sums of squares with these weights.
Vector gaussian_costs(const Vector& weights, Index n, std::uint64_t seed) {
  Matrix draws(weights.size(), n);
  fill_standard_normal(test_stream(seed, 9), 0, {draws.data(), static_cast<size_t>(draws.size())});
  return draws.cwiseAbs2().transpose() * weights;
}

TEST(Measure, AsHoldOutOnTheSameCosts) {
  const System system = double_integrator();
  const Response lqr = lqr_response(system);
  const Disturbances data = random_disturbances(system.sizes(), 30, 4);
  const WeightedResponse y = weighted_response(system.cost, system.sizes(), lqr);
  Vector costs(30);
  for (Index i = 0; i < 30; ++i) costs(i) = (y.M * data.w.row(i).transpose() + y.m).squaredNorm();
  Assumptions assumptions;
  assumptions.kurtosis = 3;
  for (const auto& [measured, hold_out] : {std::pair{"measured-chi-square", "hold-out-chi-square"},
                                           {"measured-scale-free", "hold-out-scale-free"},
                                           {"measured-fourth-moment", "hold-out-fourth-moment"}}) {
    assumptions.model = std::string(hold_out) == "hold-out-fourth-moment" ? "any" : "gaussian";
    const FixedResponseKind& kind = fixed_response_kind(hold_out);
    const Evidence evidence = evidence_of(data);
    const Certificate expected =
        kind.evaluate({system, lqr, assumptions, evidence, split_delta(kind.events, 0.05, {})});
    MeasureOptions options = of_kind(measured);
    options.kurtosis = 3;
    const Certificate found = measure(costs, options).certificate;
    EXPECT_NEAR(found.value, expected.value, 1e-12 * expected.value) << measured;
    EXPECT_EQ(found.confidence, expected.confidence);
    EXPECT_EQ(found.functional.id, "cost");
  }
}

TEST(Measure, NeitherOrderNorUnits) {
  Vector costs = gaussian_costs(Vector::LinSpaced(3, 0.1, 1), 40, 3);
  MeasureOptions options = bounded(50);
  options.gaussian = true;
  options.kurtosis = 4;
  const MeasureResult first = measure(costs, options);
  std::reverse(costs.begin(), costs.end());
  EXPECT_EQ(measure(costs, options).certificate.value, first.certificate.value);
  for (const double unit : {1e-9, 1e9}) {
    MeasureOptions other = options;
    other.largest = 50 * unit;
    EXPECT_NEAR(measure(costs * unit, other).certificate.value, first.certificate.value * unit,
                1e-12 * first.certificate.value * unit);
  }
}

TEST(Measure, SharesOfThePortfolio) {
  const Vector costs = gaussian_costs(Vector::Ones(2), 30, 5);
  MeasureOptions options = bounded(100, 0.06);
  options.gaussian = true;
  options.kurtosis = 3;
  const Certificate best = measure(costs, options).certificate;
  EXPECT_EQ(best.kind, "measured-best");
  EXPECT_NEAR(best.confidence, 0.94, 1e-15);
  std::map<std::string, Candidate> rows;
  for (const Candidate& row : best.all) rows[row.kind] = row;
  EXPECT_EQ(rows["measured-scale-free"].status, "dominated");
  EXPECT_NEAR(rows["measured-chi-square"].delta, 0.04, 1e-15);
  for (const auto& [kind, delta] : {std::pair{"measured-chi-square", 0.04},
                                    {"measured-bounded", 0.01},
                                    {"measured-fourth-moment", 0.01}}) {
    MeasureOptions alone = options;
    alone.kind = kind;
    alone.delta = rows[kind].delta;
    EXPECT_NEAR(alone.delta, delta, 1e-15);
    EXPECT_EQ(*rows[kind].value, measure(costs, alone).certificate.value) << kind;
    EXPECT_LE(best.value, *rows[kind].value);
  }
}

// The share of a kind alone is too small for these few costs: it is kept, whatever they are.
TEST(Measure, AShareThatIsTooSmallIsKept) {
  MeasureOptions options = bounded(100, 0.05);
  options.kurtosis = 3;
  const Vector costs = gaussian_costs(Vector::Ones(2), 8, 5);
  const Certificate best = measure(costs, options).certificate;
  EXPECT_EQ(best.chosen, "measured-bounded");
  EXPECT_EQ(best.events.back().id, "kept");
  EXPECT_NEAR(best.confidence, 0.95, 1e-15);
}

TEST(Measure, FactorsOfTwoMeans) {
  for (const double delta : {0.01, 0.05, 0.5})
    for (const Index a : {1, 3, 10, 60})
      for (const Index b : {1, 4, 25, 200}) {
        const double p = static_cast<double>(a) / 2, q = static_cast<double>(b) / 2;
        const double any = scale_free_ratio_of_two(a, b, delta);
        EXPECT_NEAR(p * std::log(any) - (p + q) * std::log((any * p + q) / (p + q)),
                    std::log(delta), 1e-9 * (p + q));
        const double centred = centred_ratio_of_two(a, b, delta);
        EXPECT_GE(centred, any);
        if (a < 3) continue;
        const boost::math::fisher_f F(2 * p, 2 * q);
        const double most = (1 - 1 / p) / (1 + 1 / q);
        const double quantile = boost::math::quantile(F, delta);
        EXPECT_NEAR(centred, std::max(any, std::min(quantile, most)), 1e-10 * centred);
      }
}

// Failures among random spectra, and among single chi-squares, where the bound is exact.
TEST(Measure, RatiosCover) {
  const Index sets = test_count(1500, 300);
  struct Case {
    Vector a, b;
    Index n_a, n_b;
  };
  Vector spread = Vector::LinSpaced(5, 0.05, 1);
  for (const Case& c : {Case{Vector::Ones(1), Vector::Ones(1), 6, 15},
                        Case{spread, Vector::Ones(1), 4, 3}, Case{Vector::Ones(1), spread, 20, 5},
                        Case{spread, spread, 3, 30}, Case{Vector::Ones(1), spread, 1, 2}})
    for (const double delta : {0.05, 0.5}) {
      const double truth = c.a.sum() / c.b.sum();
      Index fails = 0, fails_any = 0;
      for (Index i = 0; i < sets; ++i) {
        const auto seed = static_cast<std::uint64_t>(2 * i + 1000);
        const Vector a = gaussian_costs(c.a, c.n_a, seed), b = gaussian_costs(c.b, c.n_b, seed + 1);
        fails += measure(a, b, of_kind("measured-ratio", delta)).certificate.value < truth;
        fails_any +=
            measure(a, b, of_kind("measured-ratio-any-mean", delta)).certificate.value < truth;
      }
      EXPECT_LE(fails, most_of(sets, delta)) << c.n_a << " " << c.n_b << " " << delta;
      EXPECT_LE(fails_any, fails);
      if (c.a.size() == 1 && c.b.size() == 1 && delta == 0.05) {  // exact there
        EXPECT_GE(fails, least_of(sets, delta));
      }
    }
}

// Costs of two coins: all outcomes of n and n episodes, or of n pairs.
TEST(Measure, DifferencesCoverCoins) {
  const Index n = 6;
  for (const double delta : {0.05, 0.5}) {
    Matrix bounds(n + 1, n + 1);
    const auto coins = [&](Index k) {
      Vector x = Vector::Zero(n);
      x.head(k).setOnes();
      return x;
    };
    for (Index i = 0; i <= n; ++i)
      for (Index j = 0; j <= n; ++j)
        bounds(i, j) = measure(coins(i), coins(j), bounded(1, delta)).certificate.value;
    for (const double p : {0.05, 0.3, 0.5, 0.9})
      for (const double q : {0.1, 0.5, 0.95}) {
        const boost::math::binomial P(static_cast<double>(n), p), Q(static_cast<double>(n), q);
        double fails = 0;
        for (Index i = 0; i <= n; ++i)
          for (Index j = 0; j <= n; ++j)
            if (bounds(i, j) < p - q)
              fails += pdf(P, static_cast<double>(i)) * pdf(Q, static_cast<double>(j));
        EXPECT_LE(fails, delta);
      }
  }
}

TEST(Measure, PairsAreDifferencesInAnInterval) {
  const Vector a = gaussian_costs(Vector::Ones(1), 30, 1).cwiseMin(5.0),
               b = gaussian_costs(Vector::Ones(1), 30, 2).cwiseMin(5.0);
  MeasureOptions options = bounded(5);
  options.paired = true;
  const MeasureResult pairs = measure(a, b, options);
  EXPECT_EQ(pairs.certificate.kind, "measured-paired");
  EXPECT_EQ(pairs.certificate.functional.id, "cost-difference");
  const Vector shifted = (a - b).array() + 5;  // costs in [0, 10]
  EXPECT_NEAR(pairs.certificate.value, measure(shifted, bounded(10)).certificate.value - 5, 1e-11);
  options.paired = false;
  EXPECT_GT(measure(a, b, options).certificate.value, a.mean() - b.mean());
  // The same costs on both sides, in pairs: zero differences show that they are close.
  options.paired = true;
  EXPECT_LT(measure(a, a, options).certificate.value,
            measure(a, b, options).certificate.value - (a.mean() - b.mean()));
}

TEST(Measure, PlansWithinReason) {
  const Vector a = (gaussian_costs(Vector::Ones(4), 40, 1) / 40).cwiseMin(1.0);
  const MeasureResult measured = measure(a, bounded(1));
  const Index n = episodes_for(measured, 0.05).value();
  EXPECT_GT(n, 0);
  EXPECT_GT(episodes_for(measured, 0.02).value(), n);
  EXPECT_LT(episodes_for(measured, 0.02).value(), 8 * n);
  const Index sets = 40;  // of so many episodes: most of them show it
  Index shown = 0;
  for (Index i = 0; i < sets; ++i) {
    const Vector more =
        (gaussian_costs(Vector::Ones(4), n, static_cast<std::uint64_t>(100 + i)) / 40)
            .cwiseMin(1.0);
    shown += measure(more, bounded(1)).certificate.value <= 0.1 + 0.05 * 1.3;
  }
  EXPECT_GE(shown, sets / 2);
  const Vector b = gaussian_costs(Vector::Ones(4), 25, 2);
  const MeasureResult ratio = measure(a, b, of_kind("measured-ratio"));
  const Index of_each = episodes_for(ratio, 0.2).value();
  // n_b = n_a: at worst F variables; four of five are below (1 - 0.2) F-quantile there.
  const boost::math::fisher_f F(static_cast<double>(of_each), static_cast<double>(of_each));
  EXPECT_EQ(ratio.against.size(), 25);
  EXPECT_GT(of_each, 20);
  EXPECT_FALSE(episodes_for(measured, 1e-9));
}

TEST(Measure, LoggedEpisodes) {
  const System system = double_integrator();
  const Disturbances data = random_disturbances(system.sizes(), 12, 6);
  const Response lqr = lqr_response(system);
  const Sizes s = system.sizes();
  Problem problem;
  problem.system = system;
  Rollouts logs{data.w * lqr.Phi_x.transpose(), data.w * lqr.Phi_u.transpose()};
  Limits limits;
  limits.rows = {{"u0", Vector::Zero(s.n_x), Vector::Ones(s.n_u), -0.5, 0.5, 0, s.T - 1},
                 {"x0", Vector::Unit(s.n_x, 0), Vector::Zero(s.n_u), -INFINITY, 0.6, 1, s.T}};
  limits.delta = 0.1;
  problem.limits = limits;
  const MeasureResult measured = measure(problem, logs, of_kind("measured-chi-square"));
  Index broken = 0;
  for (Index i = 0; i < 12; ++i) {
    double cost = 0;
    bool any = false;
    for (Index t = 0; t <= s.T; ++t) {
      const Vector x = logs.x.row(i).segment(t * s.n_x, s.n_x);
      cost += x.dot(system.cost.Q_at(t, s.T) * x);
      any = any || (t >= 1 && x(0) > 0.6);
      if (t == s.T) continue;
      const Vector u = logs.u.row(i).segment(t * s.n_u, s.n_u);
      cost += u.dot(system.cost.R_at(t) * u);
      any = any || std::abs(u(0)) > 0.5;
    }
    EXPECT_NEAR(measured.costs(i), cost, 1e-12 * (1 + cost));
    broken += any;
  }
  ASSERT_TRUE(measured.limits);
  EXPECT_EQ(measured.limits->value, binomial_upper(broken, 12, 0.1));
  EXPECT_EQ(measured.limits->functional.id, "violation");
  EXPECT_NEAR(measured.limits->confidence, 0.9, 1e-15);
  // With a setpoint: what Q weighs is the distance from it.
  problem.system.cost.reference = Matrix::Random(s.n_x, s.T + 1);
  const MeasureResult tracked = measure(problem, logs, of_kind("measured-scale-free"));
  for (Index i = 0; i < 12; ++i) {
    double cost = 0;
    for (Index t = 0; t <= s.T; ++t) {
      const Vector e = logs.x.row(i).segment(t * s.n_x, s.n_x).transpose() -
                       problem.system.cost.reference.col(t);
      cost += e.dot(system.cost.Q_at(t, s.T) * e);
      if (t == s.T) continue;
      const Vector u = logs.u.row(i).segment(t * s.n_u, s.n_u);
      cost += u.dot(system.cost.R_at(t) * u);
    }
    EXPECT_NEAR(tracked.costs(i), cost, 1e-12 * (1 + cost));
  }
  Problem unseen = problem;
  unseen.system.plant.G_x = Matrix::Zero(s.d_x(), s.d_u());
  unseen.system.plant.C = {Matrix::Identity(s.n_x, s.n_x)};  // the cost weighs states
  EXPECT_TRUE(contains(input_error([&] { measure(unseen, logs, of_kind("measured-scale-free")); }),
                       "no log has states"));
  problem.limits->each = true;
  const MeasureResult each = measure(problem, logs, of_kind("measured-chi-square"));
  EXPECT_EQ(
      each.limits->value,
      binomial_upper(static_cast<Index>(each.violations.colwise().sum().maxCoeff()), 12, 0.1));
}

TEST(Measure, ARowHasTwoSides) {
  Limits limits;
  limits.rows = {{"u0", Vector::Zero(1), Vector::Ones(1), -0.5, 0.5, 0, 0}};
  const Rollouts logs{Matrix::Zero(3, 2), (Matrix(3, 1) << -0.6, 0.6, 0.5).finished()};
  EXPECT_EQ(logged_violations(limits, state_feedback(1, 1, 1), logs),
            (Matrix(3, 1) << 1, 1, 0).finished());
}

TEST(Measure, Warnings) {
  Vector costs = gaussian_costs(Vector::Ones(3), 200, 7);
  EXPECT_TRUE(measure(costs, of_kind("measured-chi-square")).warnings.empty());
  const Vector rising = costs + Vector::LinSpaced(200, 0, 6);
  const std::vector<Warning> drift = measure(rising, of_kind("measured-chi-square")).warnings;
  ASSERT_FALSE(drift.empty());
  EXPECT_EQ(drift[0].id, "drift");
  Vector slow = costs;
  for (Index i = 1; i < 200; ++i) slow(i) = 0.9 * slow(i - 1) + 0.1 * slow(i);
  bool memory = false;
  for (const Warning& w : measure(slow, of_kind("measured-chi-square")).warnings)
    memory = memory || w.id == "memory";
  EXPECT_TRUE(memory);
  costs(17) = 500;
  const std::vector<Warning> outlier = measure(costs, of_kind("measured-chi-square")).warnings;
  ASSERT_EQ(outlier.size(), 1);
  EXPECT_EQ(outlier[0].id, "outlier");
  EXPECT_TRUE(measure(costs, bounded(1000)).warnings.empty());  // any law
  const Vector twice = gaussian_costs(Vector::Ones(3), 8, 7).replicate(2, 1);
  const std::vector<Warning> repeated = measure(twice, of_kind("measured-chi-square")).warnings;
  ASSERT_EQ(repeated.size(), 1);
  EXPECT_EQ(repeated[0].id, "repeated");
  EXPECT_TRUE(contains(repeated[0].text, "8 of the costs"));
  EXPECT_TRUE(measure(Vector::Ones(15), of_kind("measured-chi-square")).warnings.empty());
}

TEST(Measure, Refusals) {
  const Vector costs = Vector::LinSpaced(5, 1, 3);
  const auto says = [&](const Vector& given, const MeasureOptions& options) {
    return input_error([&] { measure(given, options); });
  };
  EXPECT_TRUE(contains(says(costs, {}), "assumptions"));
  EXPECT_TRUE(contains(says(costs, bounded(2.9)), "number 5"));
  Vector bad = costs;
  bad(2) = -1e-3;
  EXPECT_TRUE(contains(says(bad, bounded(9)), "number 3"));
  bad(2) = NAN;
  EXPECT_TRUE(contains(says(bad, bounded(9)), "number 3"));
  EXPECT_TRUE(contains(says(Vector(), bounded(9)), "costs"));
  EXPECT_TRUE(contains(says(costs, of_kind("measured-bounded")), "largest"));
  EXPECT_TRUE(contains(says(costs, of_kind("measured-bouded")), "measured-bounded"));
  EXPECT_TRUE(contains(says(costs, of_kind("measured-ratio")), "one controller"));
  EXPECT_TRUE(contains(says(costs, of_kind("measured-chi-square", 1.5)), "delta"));
  MeasureOptions options = of_kind("measured-chi-square");
  options.any_mean = true;
  EXPECT_TRUE(contains(says(costs, options), "any-mean"));
  options = of_kind("measured-fourth-moment");
  options.kurtosis = 3;
  EXPECT_TRUE(contains(says(costs, options), "at least 8"));
  options.kurtosis = 1;
  EXPECT_TRUE(contains(says(costs, options), "above 1"));
  const auto compares = [&](const Vector& other, const MeasureOptions& how) {
    return input_error([&] { measure(costs, other, how); });
  };
  EXPECT_TRUE(contains(compares(Vector::Zero(5), of_kind("measured-ratio")), "zero"));
  EXPECT_TRUE(contains(compares(costs, of_kind("measured-bounded")), "compares"));
  options = bounded(9);
  options.paired = true;
  EXPECT_TRUE(contains(compares(Vector::Ones(4), options), "5"));
}

TEST(Measure, OptionsInARecord) {
  MeasureOptions options = bounded(0.1 + 0.2, 0.07);
  options.kind = "measured-bounded";
  options.any_mean = true;
  const MeasureOptions back = measure_options_from_json(measure_options_to_json(options));
  EXPECT_EQ(back.kind, options.kind);
  EXPECT_EQ(back.delta, options.delta);
  EXPECT_EQ(back.largest, options.largest);
  EXPECT_EQ(back.kurtosis, options.kurtosis);
  EXPECT_TRUE(back.any_mean);
  EXPECT_FALSE(back.gaussian || back.paired);
}

}  // namespace
}  // namespace loopcert::testing
