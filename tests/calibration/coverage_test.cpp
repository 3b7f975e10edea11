#include "calibration/coverage_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "calibration/true_violation.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/tails.hpp"
#include "chance.hpp"
#include "data/moments.hpp"
#include "input_error.hpp"
#include "loopcert/measurement/measure.hpp"
#include "seed.hpp"

namespace loopcert::testing {
namespace {

// P(Binomial(n, p) <= k), term by term.
double binomial_cdf(Index k, Index n, double p) {
  double sum = 0;
  for (Index i = 0; i <= k; ++i) {
    const auto a = static_cast<double>(i), b = static_cast<double>(n);
    sum += std::exp(std::lgamma(b + 1) - std::lgamma(a + 1) - std::lgamma(b - a + 1) +
                    a * std::log(p) + (b - a) * std::log1p(-p));
  }
  return sum;
}

TEST(Statistics, ClopperPearsonAgainstKnownValues) {
  const Interval none = clopper_pearson(0, 10, 0.95);  // 1 - 0.025^(1/10)
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.30849710781876083, 1e-12);
  const Interval all = clopper_pearson(10, 10, 0.95);
  EXPECT_NEAR(all.low, 0.69150289218123917, 1e-12);
  EXPECT_EQ(all.high, 1);
  const Interval half = clopper_pearson(5, 10, 0.95);
  EXPECT_NEAR(half.low, 0.1870860, 1e-7);
  EXPECT_NEAR(half.high, 0.8129140, 1e-7);
}

TEST(Statistics, ClopperPearsonPutsTheTailsWhereTheyBelong) {
  for (const auto& [k, n] : {std::pair<Index, Index>{1, 7}, {214, 5000}, {250, 5000}, {60, 300}})
    for (const double confidence : {0.95, 0.999}) {
      const Interval i = clopper_pearson(k, n, confidence);
      EXPECT_NEAR(1 - binomial_cdf(k - 1, n, i.low), (1 - confidence) / 2, 1e-9);
      EXPECT_NEAR(binomial_cdf(k, n, i.high), (1 - confidence) / 2, 1e-9);
    }
}

TEST(Statistics, AllowanceIsTheOnePercentQuantile) {
  EXPECT_EQ(violations_allowed(5000, 0.05), 214);
  EXPECT_NEAR(binomial_cdf(214, 5000, 0.05), 0.0094234, 1e-6);
  EXPECT_GT(binomial_cdf(215, 5000, 0.05), 0.01);
  EXPECT_EQ(violations_allowed(300, 0.05), 6);
  EXPECT_EQ(violations_allowed(90, 0.05), 0);
  EXPECT_EQ(violations_allowed(89, 0.05), -1);
}

bool expected(CoverageRule rule, Index violations, Index refused = 0, Index failed = 0) {
  return judge(rule, {5000, violations, refused, failed}, 0.05).expected;
}

TEST(Statistics, Rules) {
  using enum CoverageRule;
  EXPECT_TRUE(expected(below, 214));
  EXPECT_FALSE(expected(below, 215));
  for (const Index typical : {220, 250, 280}) {  // of a certificate that fails exactly with delta
    EXPECT_FALSE(expected(below, typical));
    EXPECT_TRUE(expected(exact, typical));
    EXPECT_TRUE(expected(at_most, typical));
    EXPECT_FALSE(expected(fails, typical));
  }
  EXPECT_FALSE(expected(exact, 150));
  EXPECT_TRUE(expected(at_most, 150));
  for (const CoverageRule rule : {below, exact, at_most}) EXPECT_FALSE(expected(rule, 330));
  EXPECT_TRUE(expected(fails, 330));
  EXPECT_TRUE(expected(fails, 330, 1000));
  EXPECT_FALSE(expected(below, 0, 1));
  EXPECT_FALSE(expected(below, 0, 0, 1));
  EXPECT_FALSE(expected(fails, 5000, 0, 1));
  EXPECT_TRUE(expected(refused, 0, 5000));
  EXPECT_FALSE(expected(refused, 0, 4999));
  for (const CoverageRule rule : {below, exact, at_most, fails, refused})
    EXPECT_EQ(coverage_rule(coverage_rule_name(rule)), rule);
  EXPECT_TRUE(contains(input_error([] { coverage_rule("belo"); }), "did you mean 'below'"));
}

// Mean and second moments over 160000 trajectories; the wildest entry (mixture, kurtosis 97) has a
// standard error of sqrt(96/160000) = 0.025 variances, and no variance exceeds 2.
TEST(Shapes, HaveTheMomentsOfTheLaw) {
  Law law{Vector(2), Matrix(2, 2)};
  law.mean << 1, -2;
  law.covariance << 2, 0.6, 0.6, 1;
  const Index N = 160000;
  for (const CoverageShape& shape : coverage_shapes()) {
    if (shape.name == "copies") continue;
    const Disturbances data = shape.draw(law, test_stream(5, 6), N, 0);
    const Moments m = sample_moments(data);
    EXPECT_LT((m.mean - law.mean).cwiseAbs().maxCoeff(), sigmas * std::sqrt(2.0 / 160000))
        << shape.name;
    EXPECT_LT((m.covariance() - law.covariance).cwiseAbs().maxCoeff(), sigmas * 0.05) << shape.name;
    const Disturbances later = shape.draw(law, test_stream(5, 6), 10, 70);
    EXPECT_TRUE(later.w.isApprox(data.w.middleRows(70, 10), 1e-13)) << shape.name;
  }
  const Disturbances copies = coverage_shape("copies").draw(law, test_stream(5, 6), 4, 0);
  EXPECT_EQ(copies.w.row(0), copies.w.row(3));
}

TEST(Plan, EveryKindHasACell) {
  const CoveragePlan plan = default_coverage_plan();
  EXPECT_EQ(kinds_without_cell(plan), std::vector<std::string>{});
  CoveragePlan less = plan;
  std::erase_if(less.cells, [](const CoverageCell& cell) { return cell.kind == "hold-out"; });
  EXPECT_EQ(kinds_without_cell(less), std::vector<std::string>{"hold-out"});
  std::erase_if(less.cells, [](const CoverageCell& cell) { return cell.kind == "limits-robust"; });
  EXPECT_EQ(kinds_without_cell(less), (std::vector<std::string>{"hold-out", "limits-robust"}));
  std::erase_if(less.cells, [](const CoverageCell& cell) { return cell.family == "measured"; });
  std::vector<std::string> missing = {"hold-out", "limits-robust"};
  for (const std::string& kind : measured_kind_names()) missing.push_back(kind);
  EXPECT_EQ(kinds_without_cell(less), missing);
  EXPECT_EQ(plan.sets, 5000);
  EXPECT_EQ(plan.delta, 0.05);
}

// How often y = m + a w leaves its limits: each row, and any of them.
struct Broken {
  Vector rows;
  double any = 0;
};

Broken broken_in_draws(const RowResponses& rows, const Disturbances& draws) {
  Broken broken{Vector::Zero(rows.m.size()), 0};
  const auto N = static_cast<double>(draws.n());
  for (Index i = 0; i < draws.n(); ++i) {
    const Vector y = rows.m + rows.a * draws.w.row(i).transpose();
    bool any = false;
    for (Index c = 0; c < y.size(); ++c) {
      const bool out = y(c) < rows.low(c) || y(c) > rows.high(c);
      broken.rows(c) += out / N;
      any = any || out;
    }
    broken.any += any / N;
  }
  return broken;
}

// Four rows of three numbers, one of which follows from others, against draws.
TEST(TrueViolation, AgreesWithDraws) {
  Law law{Vector(3), Matrix(3, 3)};
  law.mean << 0.2, -0.1, 0;
  law.covariance << 1, 0.5, 0.2, 0.5, 1, 0.4, 0.2, 0.4, 0.6;
  const double inf = std::numeric_limits<double>::infinity();
  RowResponses rows{Matrix(4, 3), Vector(4), Vector(4), Vector(4)};
  rows.a << 1, 0, 0, 0.3, 0.8, 0, 1, 0, 1, -2, 0, -2;
  rows.m << 0.1, 0, -0.2, 0;
  rows.low << -2, -inf, -2.5, -6;
  rows.high << 2.2, 1.9, inf, 6;
  Limits limits, each;
  each.each = true;
  const Index N = test_count(200000, 20000);
  for (const char* name : {"law", "mixture", "signs", "rare-signs"}) {
    const CoverageShape& shape = coverage_shape(name);
    const Broken found = broken_in_draws(rows, shape.draw(law, test_stream(9, 1), N, 0));
    const auto near = [&](double p, double seen) {
      EXPECT_NEAR(p, seen, sigmas * std::sqrt(p * (1 - p) / static_cast<double>(N)) + 1e-9) << name;
    };
    near(true_violation(limits, rows, shape.parts(law)), found.any);
    near(true_violation(each, rows, shape.parts(law)), found.rows.maxCoeff());
  }
}

// Rows that do not depend on each other, and rows that are all the same.
TEST(TrueViolation, KnownValues) {
  const auto out = [](double h, double sd) { return std::erfc(h / sd / std::sqrt(2.0)); };
  const std::vector<LawPart> white = {{1, Vector::Zero(4), 0.25 * Matrix::Identity(4, 4)}};
  const Vector h = Vector::LinSpaced(4, 0.6, 1.4);
  RowResponses rows{Matrix::Identity(4, 4), Vector::Zero(4), -h, h};
  double inside = 1;
  for (Index c = 0; c < 4; ++c) inside *= 1 - out(h(c), 0.5);
  EXPECT_NEAR(true_violation({}, rows, white), 1 - inside, 1e-11);
  rows.a.setZero();
  rows.a.col(1).setConstant(-2);
  EXPECT_NEAR(true_violation({}, rows, white), out(0.6, 1), 1e-11);
  RowResponses five{Matrix::Identity(5, 5), Vector::Zero(5), Vector::Constant(5, -1),
                    Vector::Constant(5, 1)};
  const std::vector<LawPart> more = {{1, Vector::Zero(5), Matrix::Identity(5, 5)}};
  EXPECT_TRUE(contains(input_error([&] { true_violation({}, five, more); }), "at most 4"));
  EXPECT_TRUE(contains(input_error([&] { true_violation({}, rows, {}); }), "Gaussian"));
}

// The PAC-Bayes kind of a cell; nullptr when it has none.
const PosteriorKind* kind_of(const CoverageCell& cell) {
  for (const PosteriorKind& kind : posterior_kinds())
    if (cell.family != "fixed" && kind.name == cell.kind) return &kind;
  return nullptr;
}

TEST(Plan, NoCertificateIsToldTheLawUnlessItMust) {
  for (const CoverageCell& cell : default_coverage_plan().cells) {
    if (cell.rule == CoverageRule::refused) continue;  // a file that contradicts itself
    const PosteriorKind* kind = kind_of(cell);
    EXPECT_EQ(cell.problem.disturbance.law.has_value(), kind && kind->oracle)
        << coverage_cell_name(cell);
  }
}

bool learns(const CoverageCell& cell) {
  return cell.family == "learn" || cell.family == "limits-learn" || cell.family == "limits-joint";
}

// The built-in cells that take milliseconds.
CoveragePlan quick_plan() {
  CoveragePlan plan = default_coverage_plan();
  plan.sets = 300;  // at most 6 violations
  std::erase_if(plan.cells, [](const CoverageCell& cell) {
    const bool slow = cell.problem.sizes().T > 3;
    return slow && cell.rule == CoverageRule::below;
  });
  return plan;
}

// judge() is wrong about one right cell in a thousand; a test must not be. So the counts
// themselves.
void expect_counts(const CoverageResult& r, double delta) {
  SCOPED_TRACE(coverage_cell_name(r.cell));
  const CoverageCounts& c = r.counts;
  EXPECT_EQ(c.failed, 0) << r.reason;
  if (r.cell.rule == CoverageRule::fails) {  // it may be refused, too
    EXPECT_GT(c.violations, delta * static_cast<double>(c.sets));
    return;
  }
  EXPECT_EQ(c.refused, r.cell.rule == CoverageRule::refused ? c.sets : 0) << r.reason;
  EXPECT_LE(c.violations, most_of(c.sets, delta));
  if (r.cell.rule == CoverageRule::exact) {
    EXPECT_GE(c.violations, least_of(c.sets, delta));
  }
}

void expect_moment(const PremiseResult& r) {
  SCOPED_TRACE(premise_cell_name(r.cell));
  const double error = (r.interval.high - r.interval.low) / (2 * 3.29);  // 99.9 % of a normal law
  if (r.cell.rule == CoverageRule::fails) {
    EXPECT_GT(r.mean, 1);
    return;
  }
  EXPECT_LT(r.mean, 1 + sigmas * error);
  if (r.cell.rule == CoverageRule::exact) {
    EXPECT_GT(r.mean, 1 - sigmas * error);
  }
}

TEST(Coverage, CountsAreAsExpected) {
  CoveragePlan learned = quick_plan(), others = quick_plan();
  std::erase_if(learned.cells, [](const CoverageCell& cell) { return !learns(cell); });
  std::erase_if(others.cells, learns);
  learned.premises.clear();
  learned.sets = test_count(learned.sets, 90);
  others.sets = test_count(1000, 90);
  std::set<std::string> verdicts;
  Index below = 0, of = 0;  // violations of certificates that are not exact, of so many
  for (const CoveragePlan& plan : {learned, others}) {
    const CoverageReport report = run_coverage(plan, {test_seed(1), 2, {}});
    for (const PremiseResult& r : report.premises) expect_moment(r);
    for (const CoverageResult& r : report.cells) {
      expect_counts(r, plan.delta);
      verdicts.insert(r.verdict.text);
      if (r.cell.rule != CoverageRule::below) continue;
      below += r.counts.violations;
      of += r.counts.sets;
    }
  }
  EXPECT_LT(static_cast<double>(below), 0.01 * static_cast<double>(of));
  for (const char* verdict : {"below delta", "fails", "refused"})
    EXPECT_TRUE(verdicts.contains(verdict)) << verdict;
}

TEST(Coverage, DoesNotDependOnThreadsNorOnOtherCells) {
  CoveragePlan plan = quick_plan();
  plan.sets = 90;
  plan.cells.resize(6);
  plan.premises.resize(2);
  const nlohmann::json one = coverage_to_json(run_coverage(plan, {test_seed(7), 1, {}}));
  EXPECT_EQ(one, coverage_to_json(run_coverage(plan, {test_seed(7), 3, {}})));
  plan.cells.erase(plan.cells.begin(), plan.cells.begin() + 3);
  const nlohmann::json rest = coverage_to_json(run_coverage(plan, {test_seed(7), 2, {}}));
  EXPECT_EQ(one["cells"][4], rest["cells"][1]);
  EXPECT_NE(one["cells"][4],
            coverage_to_json(run_coverage(plan, {test_seed(8), 2, {}}))["cells"][1]);
}

// A broken assumption that nobody announced is noticed.
TEST(Coverage, ASurpriseIsASurprise) {
  CoveragePlan plan = quick_plan();
  std::erase_if(plan.cells,
                [](const CoverageCell& cell) { return cell.rule != CoverageRule::fails; });
  plan.premises.clear();
  ASSERT_GE(plan.cells.size(), 6u);
  for (CoverageCell& cell : plan.cells) cell.rule = CoverageRule::below;
  const CoverageReport report = run_coverage(plan, {test_seed(1), 2, {}});
  EXPECT_EQ(report.unexpected(), static_cast<Index>(plan.cells.size()));
}

TEST(Coverage, TheSameCellTwiceAndTooFewSetsAreRefused) {
  CoveragePlan plan = quick_plan();
  plan.cells.push_back(plan.cells.front());
  EXPECT_TRUE(contains(input_error([&] { run_coverage(plan, {}); }), "occurs twice"));
  plan = quick_plan();
  plan.sets = 89;
  EXPECT_TRUE(contains(input_error([&] { run_coverage(plan, {}); }), "expected at least 90"));
}

// value >= truth is counted with room for rounding: sigma_bar^2 ||M||^2 may be the cost itself.
// Measured costs are those of logged states and inputs, the truth is the trace formula's.
TEST(Coverage, RatiosAreThoseOfTheCertificates) {
  int cells = 0;
  for (const CoverageCell& cell : default_coverage_plan().cells) {
    const bool fixed = cell.kind == "hold-out-scale-free" && cell.n == 10;
    const bool measured = cell.kind == "measured-scale-free" && cell.n == 20;
    if (cell.problem.name != "white" || !(fixed || measured)) continue;
    const CoverageResult r = run_coverage_cell(cell, 2000, 0.05, {test_seed(3), 2, {}});
    // E Lhat / x over L is 1/x; the standard error of Lhat/L is at most sqrt(2/10/2000) = 0.01.
    EXPECT_NEAR(r.mean_value / r.mean_truth * scale_free_factor(cell.n, 0.05), 1, sigmas * 0.01);
    ++cells;
  }
  EXPECT_EQ(cells, 2);
}

TEST(Coverage, AComparisonOfLqrWithItselfIsRefused) {
  for (CoverageCell cell : default_coverage_plan().cells) {
    if (cell.kind != "measured-ratio" || cell.problem.name != "white") continue;
    cell.response = "lqr";
    EXPECT_TRUE(contains(input_error([&] { run_coverage_cell(cell, 90, 0.05, {}); }), "response"));
    return;
  }
  FAIL() << "no such cell";
}

}  // namespace
}  // namespace loopcert::testing
