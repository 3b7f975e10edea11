#include "controller/single.hpp"

#include <fmt/format.h>

namespace loopcert {

std::string single_comment(const std::optional<double>& share) {
  if (!share)
    return " * single precision: gains, states and inputs are float. Inputs are remembered, and so "
           "is "
           "what\n * rounding did to them: no bound is given, the self-test compares.\n";
  return fmt::format(
      " * single precision: gains, states and inputs are float. Rounding changes an input by at "
      "most "
      "{:.2g}\n * of |K||x| + |k|, while no number is below 1e-37 or above 1e37 in size (rigorous, "
      "for "
      "one step\n * on given states).\n",
      *share);
}

SingleRun::SingleRun(const Controller& controller)
    : K_(controller.K.cast<float>()),
      k_(controller.k.cast<float>()),
      x_(Eigen::VectorXf::Zero(controller.sizes.d_y())),
      n_y_(controller.sizes.n_y),
      n_u_(controller.sizes.n_u) {}

Vector SingleRun::step(const VectorView& x_t) {
  x_.segment(t_ * n_y_, n_y_) = x_t.cast<float>();
  Vector u(n_u_);
  for (Index i = 0; i < n_u_; ++i) {
    const Index row = t_ * n_u_ + i;
    float sum = k_(row);
    for (Index j = 0; j < (t_ + 1) * n_y_; ++j) sum += K_(row, j) * x_(j);
    u(i) = static_cast<double>(sum);
  }
  ++t_;
  return u;
}

}  // namespace loopcert
