#include "controller/input_limits.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/check.hpp"
#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

double side_of(const json& value, const std::string& place, double none) {
  if (value.is_null()) return none;
  if (!value.is_number())
    throw_input_error(place, one_line(value.dump()), "a number, or null for no limit");
  return value.get<double>();
}

}  // namespace

void check_input_limits(const MatrixView& limits, Index n_u) {
  if (limits.size() == 0) return;
  check_size("input_limits", limits, n_u, 2);
  for (Index i = 0; i < n_u; ++i)
    if (!(limits(i, 0) < limits(i, 1)))
      throw_input_error(
          fmt::format("input_limits[{}]", i),
          fmt::format("[{}, {}]", number_text(limits(i, 0)), number_text(limits(i, 1))),
          "a lowest input below the highest");
}

bool has_input_limits(const Matrix& limits) {
  return limits.size() > 0 && limits.array().isFinite().any();
}

Vector clipped(const Matrix& limits, const VectorView& u) {
  Vector inside = u;
  for (Index i = 0; i < u.size(); ++i) {
    if (u(i) < limits(i, 0)) inside(i) = limits(i, 0);
    if (u(i) > limits(i, 1)) inside(i) = limits(i, 1);
  }
  return inside;
}

json input_limits_to_json(const Matrix& limits) {
  const auto side = [](double value) { return std::isfinite(value) ? json(value) : json(nullptr); };
  json pairs = json::array();
  for (Index i = 0; i < limits.rows(); ++i)
    pairs.push_back(json::array({side(limits(i, 0)), side(limits(i, 1))}));
  return pairs;
}

Matrix input_limits_of(const json& tree, Index n_u) {
  const auto found = tree.find("input_limits");
  if (found == tree.end()) return {};
  if (!found->is_array() || static_cast<Index>(found->size()) != n_u)
    throw_input_error("input_limits",
                      found->is_array() ? fmt::format("{} pairs", found->size())
                                        : std::string(found->type_name()),
                      fmt::format("{} pairs [low, high], one for each input", n_u));
  Matrix limits(n_u, 2);
  for (Index i = 0; i < n_u; ++i) {
    const json& pair = (*found)[static_cast<size_t>(i)];
    const std::string place = fmt::format("input_limits[{}]", i);
    if (!pair.is_array() || pair.size() != 2)
      throw_input_error(place, one_line(pair.dump()), "[low, high]");
    limits(i, 0) = side_of(pair[0], place, -INFINITY);
    limits(i, 1) = side_of(pair[1], place, INFINITY);
  }
  check_input_limits(limits, n_u);
  return limits;
}

}  // namespace loopcert
