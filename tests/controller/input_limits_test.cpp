// Limits of inputs in controllers: files, and controllers that remember their inputs.
#include "controller/input_limits.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "controller/controller_trees.hpp"
#include "controller/memory_controller.hpp"
#include "input_error.hpp"
#include "loopcert/controller/after.hpp"
#include "loopcert/controller/c_code.hpp"
#include "random_system.hpp"

namespace loopcert::testing {
namespace {

using nlohmann::json;

Controller two_inputs() {
  Controller controller;
  controller.sizes = state_feedback(1, 2, 2);
  controller.K = Matrix::Zero(4, 3);
  controller.k = Vector::Constant(4, 0.5);
  return controller;
}

MemoryController two_remembered() {
  return {1, 2, 2, 3, random_matrix(2, 2, 1), 0.3 * random_matrix(2, 6, 2), random_matrix(2, 1, 3)};
}

const Matrix some_limits{{-1.5, 0.1}, {-INFINITY, 2.0}};

TEST(InputLimits, AreInFilesOnlyWhereThereAreAny) {
  Controller controller = two_inputs();
  EXPECT_FALSE(controller_to_json(controller).contains("input_limits"));
  EXPECT_FALSE(controller_to_arrays(controller).contains("input_limits"));
  EXPECT_EQ(controller_from_json(controller_to_json(controller)).input_limits.size(), 0);
  controller.input_limits = some_limits;
  const json tree = controller_to_json(controller);
  EXPECT_EQ(tree["input_limits"], json::parse("[[-1.5, 0.1], [null, 2.0]]"));
  EXPECT_EQ(controller_from_json(tree).input_limits, some_limits);
  NamedArrays arrays = controller_to_arrays(controller);
  for (const double value : arrays.at("input_limits").values) EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(controller_from_arrays(arrays).input_limits, some_limits);
  arrays.erase("input_limited");  // made by hand: both sides of every input
  EXPECT_EQ(controller_from_arrays(arrays).input_limits, (Matrix{{-1.5, 0.1}, {0.0, 2.0}}));
  EXPECT_EQ(extend_controller(controller, 5, AfterHorizon::hold).input_limits, some_limits);
  const std::vector<std::string> names = controller_array_names();
  for (const char* name : {"input_limits", "input_limited"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end());
}

TEST(InputLimits, OfControllersThatRunForEver) {
  MemoryController controller = two_remembered();
  EXPECT_FALSE(memory_controller_to_json(controller).contains("input_limits"));
  controller.input_limits = some_limits;
  const json tree = memory_controller_to_json(controller);
  EXPECT_EQ(memory_controller_from_json(tree).input_limits, some_limits);
  EXPECT_EQ(first_steps(controller, 3).input_limits, some_limits);
  json wrong = tree;
  wrong["input_limits"] = {{1, 2}};
  EXPECT_TRUE(contains(input_error([&] { memory_controller_from_json(wrong); }),
                       "input_limits: found 1 pairs, expected 2 pairs"));
}

TEST(InputLimits, NameWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"7", "input_limits: found number, expected 2 pairs"},
      {"[]", "input_limits: found 0 pairs, expected 2 pairs"},
      {"[[0, 1]]", "input_limits: found 1 pairs, expected 2 pairs"},
      {"[[0, 1], [0, 1], [0, 1]]", "input_limits: found 3 pairs"},
      {"[[0, 1], [0, 1, 2]]", "input_limits[1]: found [0,1,2], expected [low, high]"},
      {"[[0, 1], 5]", "input_limits[1]: found 5, expected [low, high]"},
      {"[[0, 1], [\"a\", 1]]", "input_limits[1]: found \"a\", expected a number, or null"},
      {"[[1, 0], [0, 1]]", "input_limits[0]: found [1, 0], expected a lowest input below"},
      {"[[0, 1], [2, 2]]", "input_limits[1]: found [2, 2], expected a lowest input below"},
  };
  for (const auto& [value, message] : cases) {
    json tree = controller_to_json(two_inputs());
    tree["input_limits"] = json::parse(value);
    EXPECT_TRUE(contains(input_error([&, &t = tree] { controller_from_json(t); }), message));
  }
  Controller controller = two_inputs();
  for (const Matrix& wrong : {Matrix{{0.0, NAN}, {0.0, 1.0}}, Matrix{{INFINITY, INFINITY}, {0, 1}},
                              Matrix{{0.0, 1.0}}, Matrix(Matrix::Ones(2, 3))}) {
    controller.input_limits = wrong;
    EXPECT_TRUE(contains(input_error([&] { check_controller(controller); }), "input_limits"));
  }
  const std::vector<std::pair<Array, Array>> arrays = {
      {{{2, 2}, {0, 1, 1, 0}, {}}, {{2, 2}, {1, 1, 1, 1}, {}}},
      {{{2, 2}, {0, 1, 0, 1}, {}}, {{2, 1}, {1, 1}, {}}},
      {{{2, 3}, {0, 1, 2, 0, 1, 2}, {}}, {{2, 2}, {1, 1, 1, 1}, {}}},
      {{{1, 2}, {0, 1}, {}}, {{1, 2}, {1, 1}, {}}},
      {{{4}, {0, 1, 0, 1}, {}}, {{2, 2}, {1, 1, 1, 1}, {}}}};
  for (const auto& [limits, limited] : arrays) {
    NamedArrays named = controller_to_arrays(two_inputs());
    named["input_limits"] = limits;
    named["input_limited"] = limited;
    EXPECT_TRUE(contains(input_error([&] { controller_from_arrays(named); }), "input_limit"));
  }
}

TEST(InputLimits, Clip) {
  EXPECT_EQ(clipped(some_limits, Vector{{-2.0, -1e300}}), (Vector{{-1.5, -1e300}}));
  EXPECT_EQ(clipped(some_limits, Vector{{0.1, INFINITY}}), (Vector{{0.1, 2.0}}));
  EXPECT_TRUE(std::isnan(clipped(some_limits, Vector{{NAN, 0.0}})(0)));
  EXPECT_FALSE(has_input_limits({}));
  EXPECT_FALSE(has_input_limits(Matrix{{-INFINITY, INFINITY}}));
  EXPECT_TRUE(has_input_limits(some_limits));
}

// What was applied instead of what was computed, through the linear replies and step by step.
TEST(InputLimits, RepliesAreThoseOfTheRun) {
  const Index steps = 9;
  const MemoryController controller = two_remembered();
  const Controller first = first_steps(controller, steps);
  const Matrix replies = replies_to_clipping(controller, steps);
  const Matrix y = random_matrix(1, steps + 1, 7), applied = random_matrix(2, steps, 8);
  MemoryRun run(controller);
  Vector changes = Vector::Zero(2 * steps);
  for (Index t = 0; t < steps; ++t) {
    const Vector u = run.step(y.col(t));
    const Vector expected = first.K.middleRows(2 * t, 2) * y.reshaped() +
                            first.k.segment(2 * t, 2) + replies.middleRows(2 * t, 2) * changes;
    EXPECT_LT((u - expected).norm(), 1e-12 * (1 + u.norm()));
    run.applied(applied.col(t));
    changes.segment(2 * t, 2) = applied.col(t) - u;
  }
  EXPECT_EQ(replies_to_clipping({1, 1, 1, 0, Matrix::Ones(1, 1), Matrix(1, 0), Vector::Zero(1)}, 4)
                .size(),
            0);
}

TEST(CCode, ClipsOnlyWhenAsked) {
  Controller controller = two_inputs();
  EXPECT_TRUE(contains(
      input_error([&] { controller_to_c(controller, "c", {}, AfterHorizon::refuse, true); }),
      "input_limits: found none"));
  const auto plain = controller_to_c(controller, "c", {});
  controller.input_limits = some_limits;
  const auto same = controller_to_c(controller, "c", {});
  const auto clipping = controller_to_c(controller, "c", {}, AfterHorizon::refuse, true);
  for (size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(plain[i].content, same[i].content);
    EXPECT_EQ(plain[i].content.find("clip"), std::string::npos);
    EXPECT_NE(clipping[i].content.find("clipped"), std::string::npos);
  }
  MemoryController memory = two_remembered();
  EXPECT_TRUE(contains(input_error([&] { memory_controller_to_c(memory, "c", {}, true); }),
                       "input_limits: found none"));
  memory.input_limits = Matrix{{-INFINITY, INFINITY}, {-INFINITY, INFINITY}};
  EXPECT_TRUE(contains(input_error([&] { memory_controller_to_c(memory, "c", {}, true); }),
                       "input_limits: found none"));
}

}  // namespace
}  // namespace loopcert::testing
