#include "problem/plant_forms/static_gain.hpp"

#include "core/dense_solvers.hpp"
#include "problem/arrays.hpp"
#include "problem/plant_forms/plant_form.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

// den(p) G = num(p) at the point p where signals stand still: z = 1, or s = 0.
double ratio(const Json& channel, double p) {
  const auto at = [&](const char* key) {
    double value = 0;
    for (const Json& c : channel.at(key)) value = value * p + c.get<double>();
    return value;
  };
  return at("num") / at("den");
}

Matrix of_transfers(const Json& transfer, double p) {
  if (transfer.is_object()) return Matrix::Constant(1, 1, ratio(transfer, p));
  Matrix gain(std::ssize(transfer), std::ssize(transfer[0]));
  for (Index i = 0; i < gain.rows(); ++i)
    for (Index j = 0; j < gain.cols(); ++j)
      gain(i, j) = ratio(transfer[static_cast<size_t>(i)][static_cast<size_t>(j)], p);
  return gain;
}

// C (I - A)^-1 B, or -C A^-1 B in continuous time.
std::optional<Matrix> of_state_space(const Json& system, bool continuous) {
  const auto depth = [&](const char* key) { return list_depth({&system.at(key), key}); };
  if (depth("A") == 3 || depth("B") == 3 || depth("C") == 3 || system.contains("d")) return {};
  const auto matrix = [&](const char* key) { return matrix_of({&system.at(key), key}); };
  Matrix rest = -matrix("A");
  if (!continuous) rest.diagonal().array() += 1;
  const std::optional<Matrix> states = solution(rest, matrix("B"));
  if (!states) return {};
  return matrix("C") * *states;
}

}  // namespace

std::optional<Matrix> static_gain(const Plant& plant) {
  if (plant.form.empty()) return {};
  const Json system = Json::parse(plant.form);
  const bool continuous = system.value("continuous", false);
  std::optional<Matrix> gain;
  if (system.contains("C")) gain = of_state_space(system, continuous);
  if (system.contains("transfer")) gain = of_transfers(system["transfer"], continuous ? 0 : 1);
  if (system.contains("step")) gain = parameters_of({&system["step"], "step"}).back();
  if (system.contains("impulse")) {
    const std::vector<Matrix> markov = parameters_of({&system["impulse"], "impulse"});
    gain = markov[0];
    for (size_t k = 1; k < markov.size(); ++k) *gain += markov[k];
  }
  return gain && gain->allFinite() ? gain : std::nullopt;
}

}  // namespace loopcert
