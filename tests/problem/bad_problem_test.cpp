// Wrong problem files, each one edit away from a good one, and what is said about them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "example.hpp"
#include "input_error.hpp"
#include "loopcert/problem/problem.hpp"
#include "problem/problem_json.hpp"
#include "problem/tree_file.hpp"
#include "temp_folder.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;

struct Edit {
  std::string from;  // in the small problem; "" appends
  std::string to;
  std::string message;  // part of it
};

std::string error_after(const Edit& edit) {
  std::string text = testing::small_problem;
  if (edit.from.empty()) {
    text += edit.to + "\n";
  } else {
    const size_t at = text.find(edit.from);
    EXPECT_NE(at, text.npos) << edit.from;
    text.replace(at, edit.from.size(), edit.to);
  }
  return input_error([&] { problem_from_json(tree_from_toml(text)); });
}

void expect_messages(const std::vector<Edit>& edits) {
  for (const Edit& edit : edits)
    EXPECT_TRUE(contains(error_after(edit), edit.message)) << edit.from << " -> " << edit.to;
}

const std::string A = "A = [[1, 1], [0, 1]]\n";
const std::string B = "B = [[0.5], [1]]\n";
const std::string Q = "Q = [[1, 0], [0, 0.1]]\n";
const std::string R = "R = [[0.5]]\n";
const std::string horizon = "horizon = 3\n";
const std::string disturbance = "[disturbance]\n";
const std::string learning = "[learning]\n";
const std::string certificate = "[certificate]\n";

TEST(BadProblem, UnknownAndMissingKeys) {
  expect_messages({
      {"horizon", "hroizon",
       "hroizon: found an unknown key (did you mean 'horizon'?), expected one of name, horizon"},
      {horizon, "", "horizon: found nothing, expected the number of steps T"},
      {"[system]", "[sytem]", "sytem: found an unknown key (did you mean 'system'?)"},
      {A, "", "system.A: found nothing, expected a matrix"},
      {B, "", "system.B: found nothing, expected a matrix"},
      {A, A + "C = 1\n", "system.C: found 1, expected a matrix"},
      {A, A + "D = 1\n", "system.D: not supported: nothing passes through to the outputs"},
      {A, A + "dt = 0.1\n", "system.dt: only together with system.continuous = true"},
      {A, A + "Ts = 0.1\n", "system.Ts: A and B are in discrete time, or"},
      {A, A + "u_max = 1\n", "system.u_max: limits are a section of their own: [limits]"},
      {A, A + "x0 = [1, 1]\n", "system.x0: not supported: x_0 is a part of every recorded"},
      {R, R + "x_ref = [1, 0]\n", "cost.x_ref: is called reference here"},
      {R, R + "N = [[1], [0]]\n", "cost.N: not supported: no weight on products"},
      {R, R + "S = [[1], [0]]\n", "cost.S: not supported: no weight on products"},
      {R, R + "Qf = [1, 1]\n", "cost.Qf: is called P here"},
      {"", "[constraints]\nu_max = 1\n",
       "constraints: limits are a section of their own: [limits]"},
      {"", "[limits]\n", "limits: found no row, expected u, x, y or rows"},
      {"", certificate + "confidence = 0.95",
       "certificate.confidence: is called certificate.delta"},
      {Q, "", "cost.Q: found nothing"},
      {R, "", "cost.R: found nothing"},
      {R, R + "p = [[1, 0], [0, 1]]\n", "cost.p: found an unknown key"},
      {"[cost]\n" + Q + R, "", "cost: found nothing, expected a table with Q and R"},
      {"", "[disturbances]", "disturbances: found an unknown key (did you mean 'disturbance'?)"},
      {"", disturbance + "scale = 1", "disturbance.scale: found an unknown key"},
      {"", "[response]\nafine = true",
       "response.afine: found an unknown key (did you mean 'affine'"},
      {"", learning + "prior = { centre = 'lqr' }",
       "learning.prior.centre: found an unknown key (did"},
      {"", certificate + "delta = { pac_baye = 0.1 }",
       "certificate.delta.pac_baye: found an unknown"},
      {"", certificate + "\"k\\u0000\\u00e9\" = 1", "certificate.k???: found an unknown key"},
      {"", disturbance + "covariance = { ar1 = 0.5 }", "covariance.variance: found nothing"},
      {"", disturbance + "covariance = { variance = 0.5 }", "covariance.ar1: found nothing"},
      {"", disturbance + "covariance = { x0 = 1 }", "covariance.w: found nothing"},
      {"", disturbance + "covariance = { ar1 = 0.5, variance = 1, w = 1 }",
       "covariance.w: found an u"},
      {"", disturbance + "covariance = { x = 1, w = 1 }",
       "covariance.x: found an unknown key (did"},
      {"", disturbance + "mean = 0.0", "disturbance.covariance: found nothing"},
  });
}

TEST(BadProblem, WrongTypes) {
  expect_messages({
      {horizon, "horizon = 3.0\n", "horizon: found 3.0, expected an integer"},
      {horizon, "horizon = 2.5\n", "horizon: found 2.5, expected an integer"},
      {horizon, "horizon = '3'\n", "horizon: found the text '3', expected an integer"},
      {horizon, "horizon = [3]\n", "horizon: found a list of 1, expected an integer"},
      {horizon, "horizon = true\n", "horizon: found true, expected an integer"},
      {horizon, "horizon = 2024-01-01\n", "horizon: found a date or time"},
      {horizon, "horizon = 3\nname = 5\n", "name: found 5, expected a text"},
      {horizon, "horizon = 3\nresponse = 5\n", "response: found 5, expected a table with affine"},
      {"[system]\n" + A + B, "system = [1]\n",
       "system: found a list of 1, expected a table with A"},
      {A, "A = 1\n", "system.A: found 1, expected a matrix as a list of rows"},
      {A, "A = [1, 1]\n", "system.A: found a plain list, expected a matrix as a list of rows"},
      {A, "A = 'identity'\n", "system.A: found the text 'identity'"},
      {A, "A = [[1, 1], [0, 'x']]\n", "system.A[1][1]: found the text 'x', expected a number"},
      {A, "A = [[1, 1], 3]\n", "system.A[1]: found 3, expected a row of numbers"},
      {A, "A = [[1, true], [0, 1]]\n", "system.A[0][1]: found true, expected a number"},
      {A, "A = [[1, 1], [0, 07:32:00]]\n", "system.A: found a date or time"},
      {A, "A = [[[[1]]]]\n", "system.A"},
      {Q, "Q = 1\n", "cost.Q: found 1, expected a matrix, or its diagonal"},
      {Q, "Q = { a = 1 }\n", "cost.Q: found a table"},
      {R, R + "P = 'Q'\n", "cost.P: found the text 'Q'"},
      {A, A + "d = 0\n", "system.d: found 0, expected a list of 2 numbers"},
      {"", "[response]\naffine = 1", "response.affine: found 1, expected true or false"},
      {"", "[response]\naffine = 'no'", "response.affine: found the text 'no'"},
      {"", disturbance + "white = 0", "disturbance.white: found 0, expected true or false"},
      {"", disturbance + "scale_bound = 'small'", "scale_bound: found the text 'small'"},
      {"", disturbance + "covariance = true",
       "disturbance.covariance: found true, expected a number"},
      {"", disturbance + "covariance = 1\nmean = 'zero'",
       "disturbance.mean: found the text 'zero'"},
      {"", learning + "gamma = 'auto'",
       "learning.gamma: found the text 'auto', expected a positive"},
      {"", learning + "prior = 'lqr'",
       "learning.prior: found the text 'lqr', expected a table with"},
      {"", learning + "prior = { scale = 'cv' }", "prior.scale: found the text 'cv'"},
      {"", certificate + "kind = 1", "certificate.kind: found 1, expected a text"},
      {"", certificate + "kind = ''", "certificate.kind: found the text ''"},
      {"", certificate + "delta = 'small'", "certificate.delta: found the text 'small'"},
      {"", certificate + "delta = [0.1]",
       "certificate.delta: found a list of 1, expected a number, or"},
      {"", certificate + "delta = {}",
       "certificate.delta: found a table, expected some of pac_bayes"},
  });
}

TEST(BadProblem, WrongSizes) {
  expect_messages({
      {horizon, "horizon = 0\n", "horizon: found 0, expected at least 1"},
      {horizon, "horizon = -3\n", "horizon: found -3, expected at least 1"},
      {A, "A = []\n", "system.A: found an empty list"},
      {A, "A = [[]]\n", "system.A: found an empty list"},
      {A, "A = [[1, 1], [0]]\n", "system.A[1]: found 1 numbers, expected 2 as in the first row"},
      {A, "A = [[1, 1], []]\n", "system.A[1]: found an empty list, expected a row"},
      {A, "A = [[1, 1]]\n", "system.A: found 1 x 2, expected 1 x 1"},
      {A, "A = [[[1, 1], [0, 1]], [[1, 1], [0, 1]]]\n",
       "system.A: found a list of 2 matrices, expected one matrix, or one for each of the 3 steps"},
      {A, "A = [[[1, 1], [0, 1]]]\n", "system.A: found a list of 1 matrices"},
      {A, "A = [[[1, 1], [0, 1]], [[1, 1], [0, 1]], [[1]]]\n",
       "system.A[2]: found 1 x 1, expected 2"},
      {B, "B = [0.5, 1]\n", "system.B: found a plain list"},
      {B, "B = [[0.5, 1]]\n",
       "system.B: found 1 x 2, expected 2 rows, one for each state of A, and a "
       "column for each input (transposed?)"},
      {R, R + "P = \"ricatti\"\n",
       "cost.P: found the text 'ricatti', expected a matrix, its "
       "diagonal as a list, or \"riccati\""},
      {A, A + "d = [1]\n", "system.d: found 1 numbers, expected 2"},
      {A, A + "d = [[1, 2], [1, 2]]\n", "system.d: found 2 x 2, expected 3 x 2"},
      {Q, "Q = [1, 0, 1]\n", "cost.Q: found 3 numbers, expected 2"},
      {Q, "Q = [[1]]\n", "cost.Q: found 1 x 1, expected 2 x 2"},
      {Q, "Q = [[[1]], [[1]], [[1]]]\n", "cost.Q[0]: found 1 x 1, expected 2 x 2"},
      {R, "R = [[1, 0], [0, 1]]\n", "cost.R: found 2 x 2, expected 1 x 1"},
      {R, R + "P = [1]\n", "cost.P: found 1 numbers, expected 2"},
      {"", disturbance + "covariance = [1, 2]",
       "disturbance.covariance: found a list of 2, expected a list of 8 = (T + 1) n_x, or { x0 ="},
      {"", disturbance + "covariance = [[1, 2], [2, 1]]",
       "covariance: found 2 x 2, expected 8 x 8"},
      {"", disturbance + "covariance = []", "disturbance.covariance: found an empty list"},
      {"", disturbance + "covariance = 1\nmean = [1, 2, 3]", "disturbance.mean: found a list of 3"},
      {"", disturbance + "covariance = { x0 = 1, w = [1, 2, 3] }", "covariance.w: found 3 numbers"},
      {"", disturbance + "covariance = 1\nmean = { x0 = [1], w = 1 }", "mean.x0: found 1 numbers"},
  });
}

TEST(BadProblem, WrongValues) {
  expect_messages({
      {A, "A = [[1, nan], [0, 1]]\n", "system.A[0][1]: found nan, expected a finite number"},
      {B, "B = [[inf], [1]]\n", "system.B[0][0]: found inf, expected a finite number"},
      {A, A + "d = [0, -inf]\n", "system.d[1]: found -inf, expected a finite number"},
      {Q, "Q = [[1, 0.5], [0, 1]]\n", "cost.Q[1][0]: found 0, expected 0.5 as at [0][1]"},
      {Q, "Q = [[1, 2], [2, 1]]\n", "cost.Q: found eigenvalue -"},
      {Q, "Q = [1, -1]\n", "cost.Q: found eigenvalue -1, expected a positive semidefinite matrix"},
      {R, "R = [[0]]\n", "cost.R: found eigenvalue 0, expected a positive definite matrix"},
      {R, "R = [-1]\n", "cost.R: found eigenvalue -1"},
      {R, R + "P = [-1, 1]\n", "cost.P: found eigenvalue -1"},
      {"", "[response]\nstart = 'lrq'",
       "response.start: found the text 'lrq', expected one of min-n"},
      {"", "[response]\nbasis = 'inputs'", "basis: found the text 'inputs', expected one of ortho"},
      {"", disturbance + "model = 'gausian'",
       "one of gaussian, bounded, any (did you mean 'gaussian'?)"},
      {"", disturbance + "scale_bound = 0",
       "disturbance.scale_bound: found 0, expected a positive"},
      {"", disturbance + "scale_bound = nan", "disturbance.scale_bound: found nan"},
      {"", disturbance + "radius = -1", "disturbance.radius: found -1, expected a positive number"},
      {"", disturbance + "covariance = -1", "disturbance.covariance: found variance -1"},
      {"", disturbance + "covariance = { ar1 = 1, variance = 1 }", "covariance: ar1: found 1, exp"},
      {"", disturbance + "covariance = { ar1 = 0, variance = -1 }",
       "covariance: variance: found -1"},
      {"", disturbance + "covariance = { x0 = 1, w = [[1, 2], [2, 1]] }",
       "covariance: found eigenv"},
      {"", disturbance + "covariance = 1\nmean = inf", "disturbance.mean: found inf"},
      {"", learning + "method = 'pac_bayes'",
       "expected one of start, baseline, lqr, lqg, erm, ridge, shrinkage, identified, guaranteed, "
       "pac-bayes"},
      {"", learning + "gamma = 0", "learning.gamma: found 0, expected a positive number"},
      {"", learning + "gamma = -0.5", "learning.gamma: found -0.5"},
      {"", learning + "prior = { scale = 0.0 }", "learning.prior.scale: found 0"},
      {"", learning + "prior = { center = 'lpr' }",
       "start, lqr, split, given (did you mean 'lqr'?)"},
      {"", certificate + "delta = 0",
       "certificate.delta: found 0, expected a number between 1e-10 and 1"},
      {"", certificate + "delta = 1e-11", "certificate.delta: found 1e-11"},
      {"", certificate + "delta = 1", "certificate.delta: found 1"},
      {"", certificate + "delta = { mean = 1.5 }", "certificate.delta.mean: found 1.5"},
      {"", certificate + "delta = { pac_bayes = 0.6, covariance = 0.5 }",
       "found a sum of 1.1, expec"},
  });
}

TEST(BadProblem, TreesThatAreNoProblem) {
  for (const nlohmann::json& tree : {nlohmann::json(), nlohmann::json(1), nlohmann::json::array()})
    EXPECT_TRUE(contains(input_error([&] { problem_from_json(tree); }), "problem: found"));
  EXPECT_TRUE(contains(input_error([] { problem_from_json({{"horizon", nullptr}}); }), "system: "));
  nlohmann::json tree = tree_from_toml(testing::small_problem);
  tree["horizon"] = std::uint64_t{1} << 63;
  EXPECT_TRUE(
      contains(input_error([&] { problem_from_json(tree); }), "horizon: found 92233720368"));
  tree["horizon"] = nullptr;
  EXPECT_TRUE(contains(input_error([&] { problem_from_json(tree); }), "horizon: found null"));
}

TEST(BadProblem, MessagesStartWithTheFile) {
  const testing::TempFolder folder;
  const auto message = [&](const std::string& name, const std::string& text) {
    const auto path = folder.write(name, text);
    const std::string said = input_error([&] { read_problem(path); });
    EXPECT_TRUE(said.starts_with(path.string() + ": ")) << said;
    return said;
  };
  EXPECT_TRUE(contains(message("p.toml", ""), "system: found nothing"));
  EXPECT_TRUE(contains(message("p.json", "{}"), "system: found nothing"));
  EXPECT_TRUE(contains(message("p.json", "[]"), "problem: found an empty list, expected a table"));
  const auto list = folder.write("list.json", "[]");
  EXPECT_TRUE(contains(input_error([&] { read_problem(list, 5); }), "problem: found an empty"));
  EXPECT_TRUE(
      contains(message("p.yaml", ""), "found the extension .yaml, expected .toml or .json"));
  EXPECT_TRUE(contains(message("p", ""), "found no extension"));
  EXPECT_NE(input_error([&] { read_problem(folder / "none.toml"); }), "");
}

}  // namespace
}  // namespace loopcert
