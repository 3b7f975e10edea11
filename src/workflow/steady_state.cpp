#include "workflow/steady_state.hpp"

#include <fmt/format.h>

#include <Eigen/QR>

#include "core/text.hpp"
#include "system/riccati.hpp"

namespace loopcert {

bool SteadyState::holds() const { return residual.isZero(0.0); }

// B u = (I - A) r - d
std::optional<SteadyState> steady_state(const System& system) {
  if (!system.cost.has_reference() || !is_time_invariant(system)) return std::nullopt;
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
