// Factorizations and roots that several rooms need and Eigen does not name.
#pragma once

#include "loopcert/core/types.hpp"

namespace loopcert {

// Symmetric square root of a positive semidefinite matrix; rounding-level negative eigenvalues are
// taken as zero.
Matrix symmetric_sqrt(const MatrixView& value);

// D^-1 value D^-1 with D^2 the size of the diagonal: rows in units of their own become comparable.
// Rows whose diagonal entry is zero become zero.
Matrix with_unit_diagonal(const MatrixView& value);

// F with F'F = value, a positive semidefinite matrix whose rows may have units of their own: the
// root of the matrix with a unit diagonal. The symmetric square root if value is diagonal.
Matrix scaled_root(const MatrixView& value);

// W with W W' = value, for rows in units of their own as well. Eigenvalues of the matrix with a
// unit diagonal that are below 1e-15 of its largest are rounding errors and are raised to that:
// no direction is lost. Throws NumericsError when an entry is not finite.
Matrix covariance_factor(const MatrixView& value);

// W with W W' = value (d x r): one column per eigenvalue above `tolerance` times the largest.
Matrix psd_factor(const MatrixView& value, double tolerance = 1e-13);

// U upper triangular with U U' = value. Throws NumericsError when `value` is not positive definite.
Matrix upper_cholesky(const MatrixView& value);

// L lower triangular with L L' = value, or an empty matrix when value is not numerically positive
// definite: some squared pivot is below `tolerance` times its diagonal entry or (if that is not 0)
// below what rounding leaves there, that is, some coordinate is determined by the ones before it.
Matrix lower_cholesky_or_empty(const MatrixView& value, double tolerance = 1e-10);

// The largest eigenvalue of a symmetric matrix; 0 for a matrix without rows.
double largest_eigenvalue(const MatrixView& value);

}  // namespace loopcert
