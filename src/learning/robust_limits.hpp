// The least risk among closed loops that keep limits for every disturbance of a bounded set, by
// ADMM: docs/theory/limits-robust.md has the method and the proof of its lower bound.
#pragma once

#include "learning/limited.hpp"
#include "response/limit_rows.hpp"
#include "response/quadratic_form.hpp"

namespace loopcert {

struct RobustOptions {
  double relative_gap = 1e-9;
};

// min L(Z) with reach_c(a_c) + m_c <= high_c and reach_c(a_c) - m_c <= -low_c for all rows
// a_c' = a_c0' + p_c'Z, reach as in reaches(); m_c is the entry of the constant column (0 without
// one). A result with feasible = true keeps every limit. Where Sigma is singular on what inputs may
// use, add_floor() makes it definite, and cost and lower are those of that moment.
LimitedMinimizer minimize_robustly(const QuadraticForm& cost, const RowCoordinates& rows,
                                   const Vector& low, const Vector& high, const BoundedSet& set,
                                   const MatrixView& Sigma, const RobustOptions& options = {});

}  // namespace loopcert
