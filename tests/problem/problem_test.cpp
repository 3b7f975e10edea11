#include "loopcert/problem/problem.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/memory.hpp"
#include "example.hpp"
#include "input_error.hpp"
#include "problem/problem_json.hpp"
#include "problem/tree_file.hpp"
#include "temp_folder.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::full_problem;
using testing::input_error;
using testing::small_problem;
using testing::TempFolder;

Problem from_toml(const std::string& text) { return problem_from_json(tree_from_toml(text)); }

Matrix rows(std::initializer_list<std::initializer_list<double>> values) {
  Matrix matrix(static_cast<Index>(values.size()), static_cast<Index>(values.begin()->size()));
  Index i = 0;
  for (const auto& row : values) {
    Index j = 0;
    for (const double value : row) matrix(i, j++) = value;
    ++i;
  }
  return matrix;
}

TEST(ReadProblem, TakesEveryKeyOfTheExample) {
  const TempFolder folder;
  const Problem problem = read_problem(folder.write("problem.toml", full_problem));
  EXPECT_EQ(problem.name, "double integrator");
  const Sizes s = problem.sizes();
  EXPECT_EQ(s.T, 10);
  EXPECT_EQ(s.n_x, 2);
  EXPECT_EQ(s.n_u, 1);
  const Plant& plant = problem.system.plant;
  ASSERT_EQ(plant.A.size(), 1u);
  EXPECT_EQ(plant.A[0], rows({{1, 1}, {0, 1}}));
  EXPECT_EQ(plant.B.at(0), rows({{0.5}, {1}}));
  EXPECT_EQ(plant.d, Matrix::Zero(2, 10));
  EXPECT_EQ(problem.system.cost.Q.at(0), rows({{1, 0}, {0, 0.1}}));
  EXPECT_EQ(problem.system.cost.R.at(0), rows({{0.5}}));
  EXPECT_EQ(problem.system.cost.P, rows({{2, 0}, {0, 0.2}}));
  EXPECT_FALSE(problem.response.affine);
  EXPECT_EQ(problem.response.start, Start::min_norm);
  EXPECT_EQ(problem.response.basis, Basis::orthonormal);
  EXPECT_EQ(problem.disturbance.model, "gaussian");
  EXPECT_EQ(problem.disturbance.scale_bound, 0.1);
  EXPECT_EQ(problem.disturbance.radius, 3.0);
  EXPECT_FALSE(problem.disturbance.white);
  ASSERT_TRUE(problem.disturbance.law);
  EXPECT_EQ(problem.disturbance.law->covariance, 0.1 * Matrix::Identity(22, 22));
  EXPECT_EQ(problem.disturbance.law->mean, Vector::Zero(22));
  EXPECT_EQ(problem.learning.method, "pac-bayes");
  EXPECT_EQ(problem.learning.gamma, 0.01);
  EXPECT_EQ(problem.learning.prior_center, "start");
  EXPECT_EQ(problem.learning.prior_scale, 1.0);
  EXPECT_EQ(problem.certificate.kind, "data-driven");
  EXPECT_FALSE(problem.certificate.delta);
  const std::vector<std::pair<std::string, double>> parts = {{"pac_bayes", 0.025},
                                                             {"covariance", 0.025}};
  EXPECT_EQ(problem.certificate.parts, parts);
}

TEST(ReadProblem, TakesTheSameKeysAsJson) {
  const TempFolder folder;
  const nlohmann::json tree = tree_from_toml(full_problem);
  const auto json = folder.write("problem.json", tree.dump(2));
  const auto upper = folder.write("PROBLEM.TOML", full_problem);
  EXPECT_EQ(problem_to_json(read_problem(json)), problem_to_json(read_problem(upper)));
}

TEST(ReadProblem, HasDefaults) {
  const Problem problem = from_toml(small_problem);
  EXPECT_EQ(problem.name, "");
  EXPECT_EQ(problem.system.plant.d.size(), 0);
  EXPECT_EQ(problem.system.cost.P, problem.system.cost.Q[0]);
  EXPECT_FALSE(problem.disturbance.law);
  EXPECT_FALSE(problem.disturbance.scale_bound);
  EXPECT_FALSE(problem.disturbance.radius);
  EXPECT_EQ(problem.learning.method, "pac-bayes");
  EXPECT_EQ(problem.certificate.kind, "data-driven");
  EXPECT_FALSE(problem.certificate.delta);
  EXPECT_TRUE(problem.certificate.parts.empty());
}

TEST(ReadProblem, TakesWordsForNumbersLeftOpen) {
  const Problem problem = from_toml(small_problem + R"(
[learning]
method = "ridge"
gamma = "cv"
prior = { scale = "grid", center = "split" }
[certificate]
delta = 0.05
kind = "best"
[response]
start = "zero-input"
basis = "input"
affine = true
[disturbance]
model = "bounded"
white = true
)");
  EXPECT_EQ(problem.learning.method, "ridge");
  EXPECT_FALSE(problem.learning.gamma);
  EXPECT_FALSE(problem.learning.prior_scale);
  EXPECT_EQ(problem.learning.prior_center, "split");
  EXPECT_EQ(problem.certificate.delta, 0.05);
  EXPECT_EQ(problem.certificate.kind, "best");
  EXPECT_EQ(problem.response.start, Start::zero_input);
  EXPECT_EQ(problem.response.basis, Basis::input);
  EXPECT_TRUE(problem.response.affine);
  EXPECT_EQ(problem.disturbance.model, "bounded");
  EXPECT_TRUE(problem.disturbance.white);
}

TEST(ReadProblem, TakesAMatrixForEachStep) {
  const Problem problem = from_toml(R"(horizon = 2
system.A = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
system.B = [[[1], [2]], [[3], [4]]]
system.d = [[1, 2], [3, 4]]
cost.Q = [[[1, 0], [0, 1]], [[2, 0], [0, 3]]]
cost.R = [[[1]], [[2]]]
)");
  const System& system = problem.system;
  ASSERT_EQ(system.plant.A.size(), 2u);
  EXPECT_EQ(system.plant.A_at(1), rows({{5, 6}, {7, 8}}));
  EXPECT_EQ(system.plant.B_at(1), rows({{3}, {4}}));
  EXPECT_EQ(system.plant.d, rows({{1, 3}, {2, 4}}));  // column t is d_t
  EXPECT_EQ(system.cost.Q_at(0, 2), rows({{1, 0}, {0, 1}}));
  EXPECT_EQ(system.cost.R_at(1), rows({{2}}));
  EXPECT_EQ(system.cost.P, rows({{2, 0}, {0, 3}}));  // the last Q
}

TEST(ReadProblem, TakesADiagonalAsAList) {
  const Problem problem = from_toml(R"(horizon = 4
system = { A = [[1, 1], [0, 1]], B = [[1, 0], [0, 1]], d = [1, 2] }
cost = { Q = [1, 0], R = [2, 3], P = [4, 5] }
)");
  EXPECT_EQ(problem.system.cost.Q[0], rows({{1, 0}, {0, 0}}));
  EXPECT_EQ(problem.system.cost.R[0], rows({{2, 0}, {0, 3}}));
  EXPECT_EQ(problem.system.cost.P, rows({{4, 0}, {0, 5}}));
  EXPECT_EQ(problem.system.plant.d, rows({{1, 1, 1, 1}, {2, 2, 2, 2}}));
}

Law law_of(const std::string& disturbance) {
  return from_toml(small_problem + "[disturbance]\n" + disturbance).disturbance.law.value();
}

TEST(ReadProblem, TakesTheLawInEveryForm) {
  const Sizes s = state_feedback(2, 1, 3);  // d_w = 8
  Vector expected(8);
  expected << 1, 2, 3, 4, 5, 6, 7, 8;
  EXPECT_EQ(law_of("covariance = [1, 2, 3, 4, 5, 6, 7, 8]").covariance,
            Matrix(expected.asDiagonal()));
  EXPECT_EQ(law_of("covariance = 2\nmean = [1, 2, 3, 4, 5, 6, 7, 8]").mean, expected);
  EXPECT_EQ(law_of("covariance = 0\nmean = -1").mean, Vector::Constant(8, -1));
  EXPECT_EQ(law_of("covariance = { ar1 = 0.8, variance = 0.1 }").covariance,
            ar1_covariance(s, 0.8, 0.1));

  EXPECT_EQ(law_of("covariance = 2").shape, LawShape::gaussian);
  EXPECT_EQ(law_of("covariance = 2\ndistribution = \"gaussian\"").shape, LawShape::gaussian);
  EXPECT_EQ(law_of("covariance = 2\ndistribution = \"uniform\"").shape, LawShape::uniform);
  EXPECT_TRUE(contains(
      input_error([] { law_of("distribution = \"uniform\""); }),
      "disturbance.covariance: found nothing, expected one in addition to the distribution"));
  EXPECT_TRUE(contains(input_error([] { law_of("covariance = 2\ndistribution = \"cauchy\""); }),
                       "disturbance.distribution"));

  const Law blocks = law_of(
      "covariance = { x0 = 0.09, w = [4, 5] }\n"
      "mean = { x0 = [2.3, 0], w = 0.3 }");
  expected << 0.09, 0.09, 4, 5, 4, 5, 4, 5;
  EXPECT_EQ(blocks.covariance, Matrix(expected.asDiagonal()));
  expected << 2.3, 0, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3;
  EXPECT_EQ(blocks.mean, expected);

  const Matrix coupled = law_of("covariance = { x0 = 0, w = [[2, 1], [1, 3]] }").covariance;
  EXPECT_EQ(coupled.block(0, 0, 2, 2), Matrix::Zero(2, 2));
  EXPECT_EQ(coupled.block(4, 4, 2, 2), rows({{2, 1}, {1, 3}}));
  EXPECT_EQ(coupled.block(2, 4, 2, 2), Matrix::Zero(2, 2));

  std::string dense = "covariance = [";
  for (int i = 0; i < 8; ++i) {
    dense += i > 0 ? ", [" : "[";
    for (int j = 0; j < 8; ++j) dense += (j > 0 ? ", " : "") + std::to_string(i == j ? 3 : 1);
    dense += "]";
  }
  EXPECT_EQ(law_of(dense + "]").covariance, Matrix::Ones(8, 8) + 2 * Matrix::Identity(8, 8));
}

TEST(PredictedMemory, IsTheSumOfItsMatrices) {
  const Sizes s = state_feedback(3, 2, 5);  // d_w = 18, d_u = 10
  EXPECT_EQ(predicted_memory(s, false), 8.0 * (12 * 18 * 18 + 60 * 10 * 18 + 8 * 10 * 10));
  EXPECT_EQ(predicted_memory(s, true), 8.0 * (12 * 19 * 19 + 60 * 10 * 19 + 8 * 10 * 10));
}

// A horizon that cannot fit is refused before anything of its size is made, whatever form the rest
// of the file has: this test would run out of memory otherwise.
TEST(ReadProblem, RefusesAHorizonThatDoesNotFit) {
  for (const std::string horizon : {"1000000", "1000000000000", "9223372036854775807"}) {
    std::string text = small_problem + "[disturbance]\ncovariance = { ar1 = 0.5, variance = 1 }\n";
    text.replace(text.find("= 3"), 3, "= " + horizon);
    text.replace(text.find("[cost]"), 0, "d = [1, 1]\n");
    const std::string message = input_error([&] { from_toml(text); });
    EXPECT_TRUE(contains(message, "horizon: " + horizon + " steps of 2 states and 1 inputs"));
    EXPECT_TRUE(contains(message, "out of memory: it needs about"));
  }
}

TEST(LearningMethods, AreAllAccepted) {
  for (const std::string& method : learning_methods())
    EXPECT_EQ(from_toml(small_problem + "[learning]\nmethod = \"" + method + "\"").learning.method,
              method);
}

}  // namespace
}  // namespace loopcert
