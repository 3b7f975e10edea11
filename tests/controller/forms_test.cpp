// Forms of controllers, run here as an engineer would run them: one measurement after the other.
#include "controller/forms.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "input_error.hpp"
#include "random_system.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;

constexpr Index n_y = 3, n_u = 2, T = 7;
const Sizes sizes = state_feedback(n_y, n_u, T);

Matrix drawn(Index rows, Index cols, std::uint64_t stream) {
  return testing::random_matrix(rows, cols, stream);
}

Matrix number(double value) { return Matrix::Constant(1, 1, value); }

// u_t = step(t, y_t - setpoint_t) + offset for t = 0, 1, …, against K y + k.
void expect_inputs(const std::string& form, const FormValues& values,
                   const std::function<Vector(Index, const Vector&)>& step) {
  const Matrix setpoint = drawn(n_y, T, 1);
  const Vector offset = drawn(n_u, 1, 2);
  const Controller controller =
      controller_of_form(controller_form(form), values, sizes, setpoint, offset);
  const Matrix y = drawn(n_y, T + 1, 3);
  const Vector u = controller.K * y.reshaped() + controller.k;
  for (Index t = 0; t < T; ++t)
    EXPECT_LT((u.segment(t * n_u, n_u) - step(t, y.col(t) - setpoint.col(t)) - offset).norm(),
              1e-12)
        << form << " at step " << t;
}

TEST(Forms, GainActsOnTheLastMeasurement) {
  const Matrix gain = drawn(n_u, n_y, 4);
  expect_inputs("gain", {{"", gain}}, [&](Index, const Vector& y) { return Vector(gain * y); });
}

TEST(Forms, PidWithFilter) {
  const Matrix p = drawn(n_u, n_y, 4), i = drawn(n_u, n_y, 5), d = drawn(n_u, n_y, 6);
  for (const double filter : {0.0, 0.7}) {
    const double dt = 0.3;
    Vector integral = Vector::Zero(n_y), rate = Vector::Zero(n_y), last;
    expect_inputs("pid",
                  {{"p", p}, {"i", i}, {"d", d}, {"filter", number(filter)}, {"dt", number(dt)}},
                  [&](Index t, const Vector& y) {
                    const Vector e = -y;
                    integral += dt * e;
                    if (t > 0)  // filter D' + D = e', with D' = (D - D before)/dt
                      rate = (filter / dt * rate + (e - last) / dt) / (filter / dt + 1);
                    last = e;
                    return Vector(p * e + i * integral + d * rate);
                  });
  }
}

TEST(Forms, LeadLag) {
  const Matrix gain = drawn(n_u, n_y, 4);
  const double lead = 2.0, lag = 0.4, dt = 0.25;
  Vector v, last;
  expect_inputs(
      "lead-lag",
      {{"gain", gain}, {"lead", number(lead)}, {"lag", number(lag)}, {"dt", number(dt)}},
      [&](Index t, const Vector& y) {
        const Vector e = -y;
        if (t == 0) {
          v = gain * e;
        } else {  // lag (v - before)/dt + mean of v = gain (lead (e - before)/dt + mean of e)
          const Vector right =
              gain * (lead / dt * (e - last) + (e + last) / 2) + (lag / dt - 0.5) * v;
          v = right / (lag / dt + 0.5);
        }
        last = e;
        return v;
      });
}

TEST(Forms, StateSpace) {
  const Matrix A = 0.5 * drawn(4, 4, 4), B = drawn(4, n_y, 5), C = drawn(n_u, 4, 6),
               D = drawn(n_u, n_y, 7);
  for (const bool direct : {true, false}) {
    FormValues values = {{"A", A}, {"B", B}, {"C", C}};
    if (direct) values["D"] = D;
    Vector z = Vector::Zero(4);
    expect_inputs("state-space", values, [&](Index, const Vector& y) {
      Vector u = C * z;
      if (direct) u += D * y;
      z = (A * z + B * y).eval();
      return u;
    });
  }
}

// z sums what came before: u = -p y - i dt (z + y).
TEST(Forms, PiIsAStateSpaceController) {
  const Matrix p = drawn(n_u, n_y, 4), i = drawn(n_u, n_y, 5);
  const double dt = 0.1;
  const Matrix I = Matrix::Identity(n_y, n_y);
  const Controller pi = controller_of_form(controller_form("pid"),
                                           {{"p", p}, {"i", i}, {"dt", number(dt)}}, sizes, {}, {});
  const Controller same =
      controller_of_form(controller_form("state-space"),
                         {{"A", I}, {"B", I}, {"C", -dt * i}, {"D", -p - dt * i}}, sizes, {}, {});
  EXPECT_LT((pi.K - same.K).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_TRUE(pi.k.isZero(0.0));
}

TEST(Forms, RefuseWhatIsNoController) {
  const auto error = [](const std::string& form, const FormValues& values) {
    return input_error([&] { controller_of_form(controller_form(form), values, sizes, {}, {}); });
  };
  const Matrix gain = drawn(n_u, n_y, 4);
  EXPECT_TRUE(contains(error("pid", {{"p", gain}, {"dt", number(0)}}), "dt"));
  EXPECT_TRUE(contains(error("pid", {{"p", gain}, {"filter", number(-1)}}), "filter"));
  EXPECT_TRUE(
      contains(error("state-space", {{"A", gain}, {"B", gain}, {"C", gain}}), "A: found 2 x 3"));
  EXPECT_TRUE(contains(input_error([] { controller_form("lqg"); }), "gain | pid"));
}

}  // namespace
}  // namespace loopcert
