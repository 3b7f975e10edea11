// Eigenvalues of matrices that are not symmetric and whose rows may have units of their own.
#pragma once

#include <Eigen/Core>

#include "loopcert/core/types.hpp"

namespace loopcert {

// D^-1 value D with D a diagonal of powers of two that brings rows and columns to like sizes: the
// eigenvalues are those of `value`, and computed from this they do not depend on units.
Matrix balanced(const MatrixView& value);

Eigen::VectorXcd eigenvalues_of(const MatrixView& value);

// The largest size of an eigenvalue; 0 for a matrix without rows.
double spectral_radius(const MatrixView& value);

}  // namespace loopcert
