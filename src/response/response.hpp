// Closed-loop responses: from coordinates and back, completed, weighted.
#pragma once

#include "loopcert/core/types.hpp"
#include "loopcert/response/response_maps.hpp"
#include "loopcert/system/cost.hpp"
#include "response/coordinates.hpp"
#include "system/plant_operator.hpp"

namespace loopcert {

// The response with coordinates Z (d_u x d_z, zero outside the pattern).
Response response_at(const System& system, const Coordinates& coordinates, const MatrixView& Z);
Response response_at(const PlantOperator& plant, const Coordinates& coordinates,
                     const MatrixView& Z);

// The coordinates of a response given by its input part; the inverse of response_at.
Matrix coordinates_of(const Coordinates& coordinates, const Response& response);

// Phi_x = F + G Phi_u and phi_x = F d + G phi_u: the unique achievable completion.
Response complete_response(const System& system, Matrix Phi_u, Vector phi_u);
Response complete_response(const PlantOperator& plant, Matrix Phi_u, Vector phi_u);

struct WeightedResponse {
  Matrix M;  // d_xu x d_w
  Vector m;  // d_xu
};

// y = M w + m  (paper, eq:weighted-response-maps), of the signals minus their reference.
WeightedResponse weighted_response(const Cost& cost, const Sizes& sizes, const Response& response);

// How far two responses are apart, as a share of the second: the largest over the columns of M and
// m, so that no unit of a state, an input or the cost enters.
double relative_distance(const System& system, const Response& found, const Response& expected);

// Largest entry of (I - Z_A) Phi_x - Z_B Phi_u - I and of (I - Z_A) phi_x - Z_B phi_u - d, relative
// to the largest entry of the response (paper, eq:sls_affine_constraint). Zero up to rounding.
double achievability_residual(const Plant& plant, const Response& response);

}  // namespace loopcert
