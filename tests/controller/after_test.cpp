#include "loopcert/controller/after.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "random_system.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;

const Sizes sizes = state_feedback(2, 3, 4);

Controller random_controller() {
  Controller controller{
      sizes, testing::random_matrix(12, 10, 1), testing::random_matrix(12, 1, 2), {}, {}};
  for (Index i = 0; i < 12; ++i)
    for (Index j = (i / 3 + 1) * 2; j < 10; ++j) controller.K(i, j) = 0;
  return controller;
}

// Step t of the extended controller, by its definition.
Vector step_of(const Controller& longer, const Matrix& x, Index t) {
  const Vector past = x.leftCols(t + 1).reshaped();
  return longer.K.block(3 * t, 0, 3, 2 * (t + 1)) * past + longer.k.segment(3 * t, 3);
}

TEST(ExtendController, RestartForgetsWhatWasBefore) {
  const Controller controller = random_controller();
  const Matrix x = testing::random_matrix(2, 11, 3);  // x_t are columns
  const Controller longer = extend_controller(controller, 11, AfterHorizon::restart);
  check_controller(longer);
  for (Index begin = 0; begin < 11; begin += 4) {
    ControllerRun run(controller);
    for (Index t = begin; t < std::min<Index>(begin + 4, 11); ++t)
      EXPECT_LT((run.step(x.col(t)) - step_of(longer, x, t)).norm(), 1e-14);
  }
}

TEST(ExtendController, HoldKeepsTheLastGainsOnTheLastStates) {
  const Controller controller = random_controller();
  const Matrix x = testing::random_matrix(2, 11, 4);
  const Controller longer = extend_controller(controller, 11, AfterHorizon::hold);
  check_controller(longer);
  for (Index t = 3; t < 11; ++t) {
    const Vector last = x.middleCols(t - 3, 4).reshaped();
    const Vector u = controller.K.block(9, 0, 3, 8) * last + controller.k.tail(3);
    EXPECT_LT((u - step_of(longer, x, t)).norm(), 1e-14);
  }
}

TEST(ExtendController, AgreesWithTheControllerInsideTheHorizon) {
  const Controller controller = random_controller();
  for (const AfterHorizon after :
       {AfterHorizon::refuse, AfterHorizon::restart, AfterHorizon::hold}) {
    const Controller same = extend_controller(controller, 4, after);
    EXPECT_EQ(same.K, controller.K);
    EXPECT_EQ(same.k, controller.k);
    const Controller cut = extend_controller(controller, 2, after);
    EXPECT_EQ(cut.K, controller.K.topLeftCorner(6, 6));
    EXPECT_EQ(cut.k, controller.k.head(6));
  }
}

TEST(ExtendController, RefusesMoreStepsWhenToldSo) {
  EXPECT_TRUE(
      contains(input_error([] { extend_controller(random_controller(), 5, AfterHorizon::refuse); }),
               "steps: found 5, expected at most 4, the controller's horizon"));
  EXPECT_TRUE(contains(
      input_error([] { extend_controller(random_controller(), 0, AfterHorizon::hold); }), "steps"));
}

}  // namespace
}  // namespace loopcert
