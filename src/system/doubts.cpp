#include "system/doubts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/eigenvalues.hpp"

namespace loopcert {
namespace {

std::string complex_text(std::complex<double> value) {
  if (value.imag() == 0) return fmt::format("{:.3g}", value.real());
  return fmt::format("{:.3g} +- {:.3g}i", value.real(), std::abs(value.imag()));
}

constexpr const char* discretize =
    "discretize it for your sampling time (A = exp(A_c dt)), and B with it";

// A^n = 0 exactly: a chain of integrators in continuous time, of delays in discrete time.
bool is_nilpotent(const Matrix& A) {
  Matrix power = A;
  for (Index i = 1; i < A.rows(); ++i) power = (power * A).eval();
  return power.isZero(0.0);
}

}  // namespace

std::string continuous_time_doubt(const Plant& plant) {
  if (plant.A.size() != 1 || !plant.A[0].allFinite()) return "";
  const Matrix& A = plant.A[0];
  if (A.rows() > 1 && !A.isZero(0.0) && is_nilpotent(A))
    return std::string(
               "every eigenvalue of A is 0: likely a chain of integrators in continuous time, "
               "which is a chain of delays in discrete time; ") +
           discretize;
  const Eigen::VectorXcd values = eigenvalues_of(A);
  const double size = values.cwiseAbs().maxCoeff();
  Index left = 0, odd = -1;  // left of the imaginary axis; and outside of the unit circle as well
  for (Index i = 0; i < values.size(); ++i) {
    if (values(i).real() < -1e-9 * size) ++left;
    if (values(i).real() < -1e-9 * size && std::abs(values(i)) > 1 + 1e-9 &&
        (odd < 0 || std::abs(values(i)) > std::abs(values(odd))))
      odd = i;
  }
  if (odd >= 0)
    return fmt::format(
        "A has the eigenvalue {}, which in discrete time is an oscillation that grows from step to "
        "step: likely a continuous-time matrix; {}",
        complex_text(values(odd)), discretize);
  const bool none_right = (values.real().array() <= 1e-9 * size).all();
  if (A.rows() > 1 && left > 0 && none_right)
    return fmt::format(
        "no eigenvalue of A has a positive real part (one is {}), and those of sampled plants lie "
        "near 1: likely a continuous-time matrix; {}",
        complex_text(values(0)), discretize);
  return "";
}

std::string likely_mistake(const Plant& plant) {
  const std::string continuous = continuous_time_doubt(plant);
  if (!continuous.empty() || plant.A.size() != 1 || !plant.A[0].allFinite()) return continuous;
  const double radius = spectral_radius(plant.A[0]);
  const double growth = static_cast<double>(plant.T) * std::log10(radius);
  if (!(growth > 6)) return "";
  return fmt::format(
      "A has an eigenvalue of size {:.4g}, so over {} steps a state grows by a factor of 10^{:.0f} "
      "without feedback: likely A is a continuous-time matrix, or for a longer sampling time than "
      "yours; if it is right, use a shorter horizon, or response.start = \"lqr\"",
      radius, plant.T, growth);
}

}  // namespace loopcert
