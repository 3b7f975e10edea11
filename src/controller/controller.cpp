#include "loopcert/controller/controller.hpp"

#include <fmt/format.h>

#include "controller/closed_loop.hpp"
#include "controller/input_limits.hpp"
#include "core/check.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"
#include "system/stacked.hpp"

namespace loopcert {
namespace {

// K = Phi_u Phi_y^-1 and k = phi_u - K phi_y.
Controller controller_of(const Response& response, const Matrix& Phi_y, const Vector& phi_y,
                         const Sizes& sizes) {
  const Index used = sizes.T * sizes.n_y;  // x_T comes after the last input
  Controller controller;
  controller.sizes = sizes;
  controller.K = Matrix::Zero(sizes.d_u(), sizes.d_y());
  auto K = controller.K.leftCols(used);
  K = response.Phi_u.leftCols(used);
  Phi_y.topLeftCorner(used, used)
      .triangularView<Eigen::UnitLower>()
      .solveInPlace<Eigen::OnTheRight>(K);
  controller.k = response.phi_u - K * phi_y.head(used);
  return controller;
}

// y = eta + d + G u and u = K y + k, step by step.
Response output_loop(const System& system, const Controller& controller) {
  const PlantOperator plant = plant_operator(system.plant);
  const Sizes& s = plant.sizes;
  const Index d_w = s.d_w();
  Matrix Y = Matrix::Zero(s.d_y(), d_w + 1);
  Y.rightCols(d_w).leftCols(s.d_y()).setIdentity();
  if (plant.has_offset()) Y.col(0) = plant.d.head(s.d_y());
  Matrix U = Matrix::Zero(s.d_u(), d_w + 1);
  U.col(0) = controller.k;
  for (Index t = 0; t < s.T; ++t) {
    const Index seen = (t + 1) * s.n_y, given = (t + 1) * s.n_u;
    U.middleRows(t * s.n_u, s.n_u).noalias() +=
        controller.K.block(t * s.n_u, 0, s.n_u, seen) * Y.topRows(seen);
    Y.middleRows(seen, s.n_y).noalias() +=
        system.plant.G.block(seen, 0, s.n_y, given) * U.topRows(given);
  }
  return complete_response(plant, U.rightCols(d_w), U.col(0));
}

}  // namespace

Controller recover_controller(const Response& response, const Sizes& sizes) {
  return controller_of(response, response.Phi_x, response.phi_x, sizes);
}

Controller recover_controller(const Response& response, const Plant& plant) {
  if (plant.G_x.size() == 0) return recover_controller(response, plant.sizes());
  // What is measured is not what the cost weighs: y = eta + G u.
  const Sizes s = plant.sizes();
  Matrix Phi_y = plant.G * response.Phi_u.leftCols(s.d_y());
  Phi_y.diagonal().array() += 1;
  const Vector phi_y = plant.G * response.phi_u + plant.stacked_offset().head(s.d_y());
  return controller_of(response, Phi_y, phi_y, s);
}

Response closed_loop_response(const System& system, const Controller& controller) {
  if (!system.plant.has_state()) return output_loop(system, controller);
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
