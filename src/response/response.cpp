#include "response/response.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"
#include "system/stacked.hpp"

namespace loopcert {

Response complete_response(const PlantOperator& plant, Matrix Phi_u, Vector phi_u) {
  const Index d_w = plant.sizes.d_w();
  Response response;
  response.Phi_u = std::move(Phi_u);
  response.phi_u = std::move(phi_u);
  response.Phi_x = plant.signals(Matrix::Identity(d_w, d_w), response.Phi_u);
  response.phi_x = plant.signals(plant.d, response.phi_u);
  return response;
}

Response complete_response(const System& system, Matrix Phi_u, Vector phi_u) {
  return complete_response(plant_operator(system.plant), std::move(Phi_u), std::move(phi_u));
}

Response response_at(const PlantOperator& plant, const Coordinates& c, const MatrixView& Z) {
  check_size("Z", Z, c.pattern.rows(), c.pattern.cols());
  const Matrix Phi_u = c.Phi_u0 + c.T_u.triangularView<Eigen::Lower>() * Matrix(Z);
  Vector phi_u = Vector::Zero(c.pattern.rows());
  if (c.pattern.constant) phi_u = Phi_u.col(0);
  return complete_response(plant, Phi_u.rightCols(plant.sizes.d_w()), std::move(phi_u));
}

Response response_at(const System& system, const Coordinates& coordinates, const MatrixView& Z) {
  return response_at(plant_operator(system.plant), coordinates, Z);
}

Matrix coordinates_of(const Coordinates& c, const Response& response) {
  const CausalPattern& pattern = c.pattern;
  Matrix Z(pattern.rows(), pattern.cols());
  Z.rightCols(pattern.sizes.d_w()) = response.Phi_u;
  if (pattern.constant) Z.col(0) = response.phi_u;
  const double scale = Z.cwiseAbs().maxCoeff() + c.Phi_u0.cwiseAbs().maxCoeff();
  Z -= c.Phi_u0;
  const bool offset_fits = pattern.affine || (pattern.constant ? Z.col(0).isZero(1e-9 * scale)
                                                               : response.phi_u.isZero(0.0));
  if (!offset_fits)
    throw InputError("response: has an input offset, which requires response.affine = true");
  c.T_u.triangularView<Eigen::Lower>().solveInPlace(Z);
  project_causal(pattern, Z);
  return Z;
}

WeightedResponse weighted_response(const Cost& cost, const Sizes& sizes, const Response& response) {
  WeightedResponse y;
  y.M.resize(sizes.d_xu(), response.Phi_x.cols());
  y.m.resize(sizes.d_xu());
  y.M << apply_sqrt_Q(cost, sizes, response.Phi_x), apply_sqrt_R(cost, sizes, response.Phi_u);
  y.m << apply_sqrt_Q(cost, sizes, tracking_error(cost, response.phi_x)),
      apply_sqrt_R(cost, sizes, response.phi_u);
  return y;
}

double relative_distance(const System& system, const Response& found, const Response& expected) {
  const Sizes sizes = system.sizes();
  const WeightedResponse a = weighted_response(system.cost, sizes, found);
  const WeightedResponse b = weighted_response(system.cost, sizes, expected);
  const auto share = [](double gap, double size) { return gap == 0 ? 0 : gap / size; };
  double largest = share((a.m - b.m).norm(), b.m.norm());
  for (Index j = 0; j < b.M.cols(); ++j) {
    const double here = share((a.M.col(j) - b.M.col(j)).norm(), b.M.col(j).norm());
    if (!(here <= largest)) largest = here;  // NaN stays
  }
  return largest;
}

double achievability_residual(const Plant& plant, const Response& r) {
  const Matrix linear = r.Phi_x - apply_Z_A(plant, r.Phi_x) - apply_Z_B(plant, r.Phi_u) -
                        Matrix::Identity(r.Phi_x.rows(), r.Phi_x.cols());
  const Matrix offset =
      r.phi_x - apply_Z_A(plant, r.phi_x) - apply_Z_B(plant, r.phi_u) - plant.stacked_offset();
  const double scale = std::max({1.0, r.Phi_x.cwiseAbs().maxCoeff(), r.Phi_u.cwiseAbs().maxCoeff(),
                                 r.phi_x.cwiseAbs().maxCoeff(), r.phi_u.cwiseAbs().maxCoeff()});
  return std::max(linear.cwiseAbs().maxCoeff(), offset.cwiseAbs().maxCoeff()) / scale;
}

}  // namespace loopcert
