// The few aliases that every room shares. Everything is double, column-major, dynamic.
#pragma once

#include <Eigen/Core>

namespace loopcert {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Read-only views: what functions take, so that blocks and maps pass without copies.
using MatrixView = Eigen::Ref<const Matrix>;
using VectorView = Eigen::Ref<const Vector>;

}  // namespace loopcert
