#include <algorithm>
#include <cmath>

#include "core/find_named.hpp"
#include "core/text.hpp"
#include "measurement/measured_kind.hpp"

namespace loopcert {

const std::vector<MeasuredKind>& measured_kinds() {
  static const std::vector<MeasuredKind> table = {
#define ADD(maker) maker(),
#include "kinds/measured_kinds.inc"
  };
  return table;
}

const MeasuredKind& measured_kind(const std::string& name) {
  return find_named(measured_kinds(), name, "certificate");
}

std::vector<std::string> measured_kind_names() {
  std::vector<std::string> names = {"measured-best"};
  for (const MeasuredKind& kind : measured_kinds()) names.push_back(kind.name);
  return names;
}

std::optional<Missing> missing_gaussian_loop(const MeasurePremises& premises,
                                             const std::string& kind) {
  if (premises.options.gaussian) return std::nullopt;
  return Missing{"gaussian", "nothing",
                 "that the loop is linear and its disturbances Gaussian: certificate '" + kind +
                     "' assumes it"};
}

std::optional<Missing> missing_zero_mean_loop(const MeasurePremises& premises,
                                              const std::string& kind) {
  if (const auto missing = missing_gaussian_loop(premises, kind)) return missing;
  if (!premises.options.any_mean) return std::nullopt;
  return Missing{
      "any-mean", "given",
      "disturbances of mean zero and no offset: certificate '" + kind + "' assumes both"};
}

std::optional<Missing> missing_largest(const MeasurePremises& premises, const std::string& kind) {
  const std::optional<double>& J = premises.options.largest;
  if (!J)
    return Missing{"largest", "nothing",
                   "a cost that none exceeds: certificate '" + kind + "' assumes one"};
  if (*J > 0 && std::isfinite(*J)) return std::nullopt;
  return Missing{"largest", number_text(*J), "a number above zero"};
}

Statement fixed_episodes(bool compares) { return {compares ? "costs-of-two" : "costs-fixed"}; }

Statement gaussian_loop(const MeasureOptions& options) {
  return {options.any_mean ? "linear-gaussian" : "linear-gaussian-zero-mean"};
}

Statement largest_stated(const MeasureOptions& options) {
  return {"largest-cost", {{"largest", *options.largest}}};
}

// One by one: the same bits wherever it is computed.
double mean_of(const Vector& ascending) {
  double sum = 0;
  for (const double value : ascending) sum += value;
  return sum / static_cast<double>(ascending.size());
}

Vector ascending(Vector costs) {
  std::sort(costs.begin(), costs.end());
  return costs;
}

}  // namespace loopcert
