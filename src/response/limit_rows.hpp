// Limits in a closed loop: row c at its step has the value m_c + a_c'w, and a_c is affine in the
// coordinates of the response, a_c' = a_c0' + p_c'Z (docs/theory/limits.md).
#pragma once

#include "loopcert/core/types.hpp"
#include "loopcert/system/limits.hpp"
#include "response/coordinates.hpp"
#include "response/response.hpp"

namespace loopcert {

// Rows at their steps, in the order of limits_at_steps().
struct RowResponses {
  Matrix a;          // C x d_w
  Vector m;          // C
  Vector low, high;  // C
};

RowResponses row_responses(const Limits& limits, const Sizes& sizes, const Response& response);

// The same before Z is chosen, on the columns of the coordinates (the constant first, if any).
struct RowCoordinates {
  Matrix p;  // C x d_u
  Matrix a;  // C x d_z: a_c0'
};

RowCoordinates row_coordinates(const Limits& limits, const Coordinates& coordinates);

// P(value outside [low, high]) for a value of this mean and standard deviation, Gaussian. It grows
// with the deviation while the mean lies inside; 1 where it does not.
double violation(double low, double high, double mean, double deviation);

// The largest deviation at which that is at most `probability`; 0: none.
double largest_deviation(double low, double high, double mean, double probability);

// How far values get from m_c at most, for every disturbance of the set.
Vector reaches(const BoundedSet& set, const Sizes& sizes, const Matrix& a);

}  // namespace loopcert
