#include "core/check.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/linalg.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

std::string entry_name(const std::string& name, const MatrixView& value, Index i, Index j) {
  if (value.cols() == 1) return fmt::format("{}[{}]", name, i);
  return fmt::format("{}[{}][{}]", name, i, j);
}

Vector checked_eigenvalues(const std::string& name, const MatrixView& value) {
  check_symmetric(name, value);
  return Eigen::SelfAdjointEigenSolver<Matrix>(value, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace

std::string size_text(Index rows, Index cols) { return fmt::format("{} x {}", rows, cols); }

void check_finite(const std::string& name, const MatrixView& value) {
  for (Index j = 0; j < value.cols(); ++j)
    for (Index i = 0; i < value.rows(); ++i)
      if (!std::isfinite(value(i, j)))
        throw_input_error(entry_name(name, value, i, j), number_text(value(i, j)),
                          "a finite number");
}

void check_finite(const std::string& name, double value) {
  if (!std::isfinite(value)) throw_input_error(name, number_text(value), "a finite number");
}

void check_size(const std::string& name, const MatrixView& value, Index rows, Index cols) {
  if (value.rows() != rows || value.cols() != cols)
    throw_input_error(name, size_text(value.rows(), value.cols()), size_text(rows, cols));
}

void check_positive(const std::string& name, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw_input_error(name, number_text(value), "a positive number");
}

void check_at_least(const std::string& name, Index value, Index least) {
  if (value < least)
    throw_input_error(name, std::to_string(value), fmt::format("at least {}", least));
}

void check_probability(const std::string& name, double value) {
  if (!(value > 0 && value < 1))
    throw_input_error(name, number_text(value), "a number between 0 and 1");
}

void check_symmetric(const std::string& name, const MatrixView& value) {
  check_size(name, value, value.rows(), value.rows());
  check_finite(name, value);
  const Vector units = value.diagonal().cwiseAbs().cwiseSqrt();
  for (Index j = 0; j < value.cols(); ++j)
    for (Index i = j + 1; i < value.rows(); ++i)
      if (std::abs(value(i, j) - value(j, i)) > 1e-12 * units(i) * units(j))
        throw_input_error(
            fmt::format("{}[{}][{}]", name, i, j), number_text(value(i, j)),
            fmt::format("{} as at [{}][{}]: a symmetric matrix", number_text(value(j, i)), j, i));
}

void check_positive_semidefinite(const std::string& name, const MatrixView& value) {
  const double least = checked_eigenvalues(name, value).minCoeff();
  const Vector eigenvalues = checked_eigenvalues(name, with_unit_diagonal(value));
  if (eigenvalues.minCoeff() < -1e-12 * eigenvalues.cwiseAbs().maxCoeff())
    throw_input_error(name, "eigenvalue " + number_text(std::min(least, eigenvalues.minCoeff())),
                      "a positive semidefinite matrix");
  for (Index i = 0; i < value.rows(); ++i)
    if (value(i, i) == 0 && !value.row(i).isZero(0.0))
      throw_input_error(fmt::format("{}[{}][{}]", name, i, i), "0 with other entries in its row",
                        "a positive semidefinite matrix");
}

void check_positive_definite(const std::string& name, const MatrixView& value) {
  check_symmetric(name, value);
  const Vector eigenvalues = checked_eigenvalues(name, with_unit_diagonal(value));
  if (!(value.diagonal().minCoeff() > 0) ||
      !(eigenvalues.minCoeff() > 1e-13 * eigenvalues.cwiseAbs().maxCoeff()))
    throw_input_error(name, "eigenvalue " + number_text(eigenvalues.minCoeff()),
                      "a positive definite matrix");
}

}  // namespace loopcert
