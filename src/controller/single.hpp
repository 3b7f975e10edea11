// A controller in single precision: how far rounding can move an input, and how far it did.
#pragma once

#include <optional>
#include <string>

#include "loopcert/controller/controller.hpp"

namespace loopcert {

// Rigorous: an input differs from that of u = K x + k by at most this share of |K||x| + |k|, as
// long as no number is below 1e-37 or above 1e37 in size (gamma_n of n roundings, u = 2^-24).
double single_share(const Controller& controller);

// The lines of a header that say so. Nothing: inputs are remembered, and so are their errors.
std::string single_comment(const std::optional<double>& share);

// Step by step in float, as exported C code computes it.
class SingleRun {
 public:
  explicit SingleRun(const Controller& controller);
  Vector step(const VectorView& x_t);  // the states are rounded to float first

 private:
  Eigen::MatrixXf K_;
  Eigen::VectorXf k_, x_;
  Index n_y_, n_u_, t_ = 0;
};

}  // namespace loopcert
