#include "inspection/model_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "../../src/inspection/assumed_checks.hpp"
#include "logged_plant.hpp"

namespace loopcert::testing {
namespace {

constexpr Index T = 12;
constexpr double level = 1e-3;

bool contradicts(const Problem& problem, const Rollouts& logs) {
  return check_model(problem, logs, 0).contradicted_at(level);  // 0: no search for causes
}

// White, coloured, nearly integrated, of full and of low rank. At level 1e-3 six or more of 400
// have probability below 1e-5.
TEST(ModelCheck, ARightModelIsNotContradicted) {
  const Problem problem = logged_problem(T);
  int count = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const double colour : {0.0, 0.6, 0.9, 0.99}) {
      const Index n = seed % 3 == 0 ? 20 : 60;
      count += contradicts(
          problem,
          logged_episodes(problem,
                          {.n = n, .colour = colour, .low_rank = seed % 2 == 0, .seed = seed}));
    }
  EXPECT_LT(count, 6);
}

// What a wrong model looks like, seed by seed.
int found(const std::function<void(Problem&, Rollouts&)>& spoil, const std::string& cause) {
  int count = 0, named = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Problem problem = logged_problem(T);
    Rollouts logs =
        logged_episodes(problem, {.excitation = 0.6, .low_rank = false, .seed = 100 + seed});
    spoil(problem, logs);
    const ModelCheck check = check_model(problem, logs, level);
    count += check.contradicted_at(level);
    named += check.cause.find(cause) != std::string::npos;
  }
  EXPECT_GE(named, 15) << cause;
  return count;
}

TEST(ModelCheck, FindsWhatPeopleGetWrong) {
  EXPECT_GE(
      found([](Problem& p, Rollouts&) { p.system.plant.B[0] *= 1.3; }, "times as strongly as in B"),
      19);
  EXPECT_GE(found([](Problem&, Rollouts& logs) { logs.u *= -1; }, "the other sign"), 19);
  EXPECT_GE(found(
                [](Problem&, Rollouts& logs) {
                  for (Index t = 0; t <= T; ++t) logs.x.col(2 * t + 1) *= 180 / M_PI;
                },
                "degrees and radians"),
            19);
  EXPECT_GE(found(
                [](Problem&, Rollouts& logs) {
                  logs.u.leftCols(T - 1) = logs.u.rightCols(T - 1).eval();
                  logs.u.col(T - 1).setZero();
                },
                "too early"),
            19);
  EXPECT_GE(found(
                [](Problem&, Rollouts& logs) {
                  logs.u.rightCols(T - 1) = logs.u.leftCols(T - 1).eval();
                  logs.u.col(0).setZero();
                },
                "too late"),
            19);
  EXPECT_GE(found(
                [](Problem& p, Rollouts&) {
                  const Matrix A = p.system.plant.A[0];
                  p.system.plant.B[0] += A * p.system.plant.B[0];
                  p.system.plant.A[0] = A * A;
                },
                "sampling time 1/2"),
            19);
}

// The right entry, within its standard error.
TEST(ModelCheck, NamesTheEntryThatDisagrees) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Problem problem = logged_problem(T);
    const Rollouts logs = logged_episodes(problem, {.n = 120, .seed = 200 + seed});
    const double right = problem.system.plant.B[0](1, 0);
    problem.system.plant.B[0](1, 0) = 0.8;
    const ModelCheck check = check_model(problem, logs, level);
    ASSERT_FALSE(check.entries.empty());
    EXPECT_EQ(check.entries[0].name, "B[1,0]");
    EXPECT_NEAR(check.entries[0].fitted, right, 5 * check.entries[0].error);
    EXPECT_LT(check.entries[0].error, 0.05);
    const std::string text = model_warning(check, problem);
    EXPECT_NE(text.find("instead of 0.8"), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
}

TEST(ModelCheck, WithoutExcitationNothingIsSaid) {
  const Problem problem = logged_problem(T);
  EXPECT_FALSE(check_model(problem, logged_episodes(problem, {.excitation = 0}), level).tested);
  EXPECT_FALSE(check_model(problem, logged_episodes(problem, {.n = 5}), level).tested);
}

// States, inputs in other units: the same answer in those units.
TEST(ModelCheck, UnitsDoNotMatter) {
  for (const double wrong : {1.0, 1.3}) {
    Problem problem = logged_problem(T);
    const Rollouts logs = logged_episodes(problem, {.seed = 7});
    problem.system.plant.B[0] *= wrong;
    Problem scaled = problem;
    Rollouts other = logs;
    const Vector sx = (Vector(2) << 1e5, 3e-4).finished();
    const double su = 7e3;
    for (Index t = 0; t <= T; ++t)
      for (Index i = 0; i < 2; ++i) other.x.col(2 * t + i) *= sx(i);
    other.u *= su;
    scaled.system.plant.A[0] =
        sx.asDiagonal() * problem.system.plant.A[0] * sx.cwiseInverse().asDiagonal();
    scaled.system.plant.B[0] = sx.asDiagonal() * problem.system.plant.B[0] / su;
    const ModelCheck a = check_model(problem, logs, level), b = check_model(scaled, other, level);
    EXPECT_NEAR(std::log(a.p_value), std::log(b.p_value), 1e-6 * (1 - std::log(a.p_value)));
    EXPECT_NEAR(a.gain, b.gain, 1e-6);
    EXPECT_EQ(a.cause, b.cause);
    ASSERT_EQ(a.entries.size(), b.entries.size());
    for (size_t k = 0; k < a.entries.size(); ++k) EXPECT_EQ(a.entries[k].name, b.entries[k].name);
  }
}

TEST(States, AreToldFromDisturbances) {
  const Problem problem = logged_problem(T);
  for (const double colour : {0.0, 0.5, 0.9, 0.99}) {
    const Rollouts logs = logged_episodes(problem, {.colour = colour});
    const Disturbances w = reconstruct_disturbances(problem.system.plant, logs);
    EXPECT_FALSE(looks_like_states(problem.system.plant, w)) << colour;
  }
  int found = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    found += looks_like_states(problem.system.plant,
                               {logged_episodes(problem, {.colour = 0.5, .seed = seed}).x});
  EXPECT_GE(found, 18);
}

}  // namespace
}  // namespace loopcert::testing
