#include "loopcert/controller/controller.hpp"

#include <fmt/format.h>

#include "controller/closed_loop.hpp"
#include "controller/input_limits.hpp"
#include "core/check.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

Controller recover_controller(const Response& response, const Sizes& sizes) {
  const Index used = sizes.T * sizes.n_y;  // x_T comes after the last input
  Controller controller;
  controller.sizes = sizes;
  controller.K = Matrix::Zero(sizes.d_u(), sizes.d_y());
  auto K = controller.K.leftCols(used);
  K = response.Phi_u.leftCols(used);
  response.Phi_x.topLeftCorner(used, used)
      .triangularView<Eigen::UnitLower>()
      .solveInPlace<Eigen::OnTheRight>(K);
  controller.k = response.phi_u - K * response.phi_x.head(used);
  return controller;
}

Response closed_loop_response(const System& system, const Controller& controller) {
  const Sizes s = system.sizes();
  const Index n_x = s.n_x, n_u = s.n_u, d_w = s.d_w();
  // Column 0 is the response to the constant 1, the others to w.
  Matrix X(d_w, d_w + 1);
  X << system.plant.stacked_offset(), Matrix::Identity(d_w, d_w);
  Matrix U = Matrix::Zero(s.d_u(), d_w + 1);
  U.col(0) = controller.k;
  for (Index t = 0; t < s.T; ++t) {
    const Index next = (t + 1) * n_x;
    auto U_t = U.block(t * n_u, 0, n_u, next + 1);
    U_t.noalias() += controller.K.block(t * n_u, 0, n_u, next) * X.block(0, 0, next, next + 1);
    X.block(next, 0, n_x, next + 1).noalias() +=
        system.plant.A_at(t) * X.block(t * n_x, 0, n_x, next + 1) + system.plant.B_at(t) * U_t;
  }
  return {X.rightCols(d_w), U.rightCols(d_w), X.col(0), U.col(0)};
}

double realization_error(const System& system, const Controller& controller,
                         const Response& response) {
  return relative_distance(system, closed_loop_response(system, controller), response);
}

void check_controller(const Controller& controller) {
  const Sizes& s = controller.sizes;
  check_at_least("horizon", s.T, 1);
  check_at_least("n_x", s.n_y, 1);
  check_at_least("n_u", s.n_u, 1);
  check_size("K", controller.K, s.d_u(), s.d_y());
  check_size("k", controller.k, s.d_u(), 1);
  check_finite("K", controller.K);
  check_finite("k", controller.k);
  check_input_limits(controller.input_limits, s.n_u);
  for (Index i = 0; i < s.d_u(); ++i)
    for (Index j = (i / s.n_u + 1) * s.n_y; j < s.d_y(); ++j)
      if (controller.K(i, j) != 0)
        throw_input_error(fmt::format("K[{}][{}]", i, j), number_text(controller.K(i, j)),
                          "0: an input must not use a later state");
}

ControllerRun::ControllerRun(const Controller& controller)
    : controller_(controller), x_(Vector::Zero(controller.sizes.d_y())) {}

Vector ControllerRun::step(const VectorView& x_t) {
  const Index n_y = controller_.sizes.n_y, n_u = controller_.sizes.n_u, T = controller_.sizes.T;
  if (t_ >= T)
    throw_input_error("controller step", std::to_string(t_), fmt::format("at most {}", T - 1));
  check_size("x", x_t, n_y, 1);
  x_.segment(t_ * n_y, n_y) = x_t;
  const Index seen = (t_ + 1) * n_y;
  Vector u = controller_.K.block(t_ * n_u, 0, n_u, seen) * x_.head(seen) +
             controller_.k.segment(t_ * n_u, n_u);
  ++t_;
  return u;
}

}  // namespace loopcert
