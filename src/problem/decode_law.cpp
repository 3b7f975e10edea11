// The true law of the disturbance:
//   mean        number | list of d_w | { x0 = …, w = … }, each a number or a list of n_x
//   covariance  number (times I) | list of d_w (diagonal) | d_w x d_w matrix
//               | { x0 = …, w = … }, each a number, a list of n_x or an n_x x n_x matrix
//               | { ar1 = coefficient, variance = number }
#include <fmt/format.h>

#include "arrays.hpp"
#include "loopcert/core/error.hpp"
#include "sections.hpp"

namespace loopcert {
namespace {

// A list of n_x numbers could mean x_0, or every step, or both: it is not taken.
void check_count(const Node& node, const Sizes& s) {
  const auto count = static_cast<Index>(node.value->size());
  if (count != s.d_w())
    throw_input_error(node.path, fmt::format("a list of {}", count),
                      fmt::format("a list of {} = (T + 1) n_x{}", s.d_w(),
                                  count == s.n_w ? ", or { x0 = [...], w = [...] }" : ""));
}

Vector decode_mean(const Node& node, const Sizes& s) {
  if (node.value->is_object()) {
    const Table table(node, {"x0", "w"});
    const auto block = [&](const std::string& key) -> Vector {
      const Node part = table.need(key, "a number or a list");
      if (part.value->is_array()) return vector_of(part, s.n_w);
      return Vector::Constant(s.n_w, number(part));
    };
    Vector mean(s.d_w());
    mean << block("x0"), block("w").replicate(s.T, 1);
    return mean;
  }
  if (!node.value->is_array()) {
    if (!node.value->is_number()) refuse(node, "a number, a list or a table with x0 and w");
    return Vector::Constant(s.d_w(), number(node));
  }
  check_count(node, s);
  return vector_of(node);
}

Matrix decode_blocks(const Table& table, const Sizes& s) {
  const auto block = [&](const std::string& key) -> Matrix {
    const Node part = table.need(key, "a number, a list or a matrix");
    if (part.value->is_array()) return weight_of(part, s.n_w);
    return number(part) * Matrix::Identity(s.n_w, s.n_w);
  };
  Matrix covariance = Matrix::Zero(s.d_w(), s.d_w());
  covariance.topLeftCorner(s.n_w, s.n_w) = block("x0");
  const Matrix w = block("w");
  for (Index t = 1; t <= s.T; ++t) covariance.block(t * s.n_w, t * s.n_w, s.n_w, s.n_w) = w;
  return covariance;
}

Matrix decode_covariance(const Node& node, const Sizes& s) {
  if (node.value->is_object()) {
    if (!node.value->contains("ar1") && !node.value->contains("variance"))
      return decode_blocks(Table(node, {"x0", "w", "ar1", "variance"}), s);
    const Table table(node, {"ar1", "variance"});
    const double coefficient = number(table.need("ar1", "a number between -1 and 1"));
    const double variance = number(table.need("variance", "a number"));
    return at_place(node.path, [&] { return ar1_covariance(s, coefficient, variance); });
  }
  if (!node.value->is_array()) {
    if (!node.value->is_number())
      refuse(node, "a number, a list, a matrix, or a table with x0 and w or ar1 and variance");
    return number(node) * Matrix::Identity(s.d_w(), s.d_w());
  }
  if (list_depth(node) == 1) check_count(node, s);
  return weight_of(node, s.d_w());
}

}  // namespace

Matrix decode_covariance_bound(const Node& node, const Sizes& sizes) {
  Matrix bound = decode_covariance(node, sizes);
  check_law({Vector::Zero(sizes.d_w()), bound}, sizes);
  return bound;
}

Law decode_law(const Node& covariance, const std::optional<Node>& mean, const Sizes& sizes) {
  Law law;
  law.mean = mean ? decode_mean(*mean, sizes) : Vector::Zero(sizes.d_w());
  law.covariance = decode_covariance(covariance, sizes);
  check_law(law, sizes);
  return law;
}

StatedNoise decode_noise(const Node& measurement, const Table& table, const Plant& plant) {
  if (plant.has_state() || plant.C.empty())
    throw InputError(measurement.path +
                     ": needs A, B and C in [system] (and a dead time of whole steps): it is the "
                     "noise of y = C x");
  const Sizes s = plant.sizes();
  const Node covariance = table.need("covariance", "that of x_0 and of what moves the states");
  StatedNoise noise;
  noise.states =
      decode_law(covariance, table.find("mean"), state_feedback(plant.A[0].rows(), s.n_u, s.T));
  noise.measurement = decode_covariance_bound(measurement, state_feedback(s.n_y, s.n_u, s.T));
  return noise;
}

}  // namespace loopcert
