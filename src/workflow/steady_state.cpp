#include "workflow/steady_state.hpp"

#include <fmt/format.h>

#include <Eigen/QR>

#include "core/text.hpp"
#include "problem/plant_forms/static_gain.hpp"
#include "system/riccati.hpp"

namespace loopcert {

bool SteadyState::holds() const { return residual.isZero(0.0); }

namespace {

bool is_constant(const Matrix& columns) { return (columns.colwise() - columns.col(0)).isZero(0.0); }

// Least squares of M x = wanted; nothing where that is not a solution.
std::optional<Vector> solution_of(const Matrix& M, const Vector& wanted) {
  const Vector x = M.completeOrthogonalDecomposition().solve(wanted);
  if (!((M * x - wanted).norm() <= 1e-9 * wanted.norm())) return std::nullopt;
  return x;
}

// Of outputs: x = A x + B u and C x = r, or where the form has no A, B and C, gain u = r.
std::optional<SteadyState> steady_outputs(const System& system) {
  const Plant& plant = system.plant;
  const bool varies = plant.A.size() > 1 || plant.B.size() > 1 || plant.C.size() > 1;
  const bool of_states = plant.G_x.size() > 0 && !plant.C.empty();
  if (varies || of_states || plant.has_offset() || !is_constant(system.cost.reference))
    return std::nullopt;
  const Vector r = system.cost.reference.col(0), nothing = Vector::Zero(r.size());
  if (plant.C.empty()) {
    const std::optional<Matrix> gain = static_gain(plant);
    if (!gain) return std::nullopt;
    const std::optional<Vector> u = solution_of(*gain, r);
    return u ? std::optional(SteadyState{*u, nothing}) : std::nullopt;
  }
  const Matrix &A = plant.A[0], &B = plant.B[0], &C = plant.C[0];
  const Index n = A.rows();
  Matrix M = Matrix::Zero(n + r.size(), n + B.cols());
  M.topLeftCorner(n, n) = Matrix::Identity(n, n) - A;
  M.topRightCorner(n, B.cols()) = -B;
  M.bottomLeftCorner(r.size(), n) = C;
  Vector wanted = Vector::Zero(n + r.size());
  wanted.tail(r.size()) = r;
  const std::optional<Vector> x = solution_of(M, wanted);
  return x ? std::optional(SteadyState{x->tail(B.cols()), nothing}) : std::nullopt;
}

}  // namespace

// B u = (I - A) r - d
std::optional<SteadyState> steady_state(const System& system) {
  if (!system.cost.has_reference()) return std::nullopt;
  if (!system.plant.has_state()) return steady_outputs(system);
  if (!is_time_invariant(system)) return std::nullopt;
  const Matrix &A = system.plant.A[0], &B = system.plant.B[0];
  const Vector r = system.cost.reference.col(0);
  Vector wanted = r - A * r;
  if (system.plant.d.size() > 0) wanted -= system.plant.d.col(0);
  SteadyState found;
  found.input = B.completeOrthogonalDecomposition().solve(wanted);
  found.residual = wanted - B * found.input;
  const Vector size = r.cwiseAbs() + A.cwiseAbs() * r.cwiseAbs() +
                      B.cwiseAbs() * found.input.cwiseAbs();  // rounding is relative to this
  for (Index i = 0; i < found.residual.size(); ++i)
    if (std::abs(found.residual(i)) <= 1e-12 * size(i)) found.residual(i) = 0;
  return found;
}

std::string steady_state_text(const SteadyState& found) {
  std::vector<std::string> inputs;
  for (const double u : found.input) inputs.push_back(fmt::format("{:.6g}", u));
  const std::string text = "u = " + join(inputs);
  if (found.holds()) return text + " holds it";
  Index worst = 0;
  found.residual.cwiseAbs().maxCoeff(&worst);
  return "no input holds it: with " + text +
         fmt::format(" state {} still changes by {:.4g} in a step", worst, -found.residual(worst));
}

void add_steady_state(nlohmann::json& record, const std::optional<SteadyState>& found) {
  if (!found) return;
  const auto list = [](const Vector& v) { return std::vector<double>(v.begin(), v.end()); };
  record["steady_state"] = {{"input", list(found->input)}, {"residual", list(found->residual)}};
}

}  // namespace loopcert
