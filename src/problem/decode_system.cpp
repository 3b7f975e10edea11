#include <fmt/format.h>

#include <utility>

#include "arrays.hpp"
#include "core/check.hpp"
#include "core/memory.hpp"
#include "loopcert/core/error.hpp"
#include "sections.hpp"
#include "system/riccati.hpp"
#include "system/sound_cost.hpp"

namespace loopcert {
namespace {

// One vector for all steps, or a list of T: n_x x T.
Matrix decode_offset(const Node& node, const Sizes& sizes) {
  if (node.value->is_array() && list_depth(node) == 2) {
    const Matrix rows = matrix_of(node);
    check_size(node.path, rows, sizes.T, sizes.n_x);
    return rows.transpose();
  }
  return vector_of(node, sizes.n_x).replicate(1, sizes.T);
}

// One list for all steps, or one for each of 0 … T: n_x x (T+1).
Matrix decode_reference(const Node& node, const Sizes& sizes) {
  if (node.value->is_array() && list_depth(node) == 2) {
    const Matrix rows = matrix_of(node);
    check_size(node.path, rows, sizes.T + 1, sizes.n_x);
    return rows.transpose();
  }
  return vector_of(node, sizes.n_x).replicate(1, sizes.T + 1);
}

Index decode_horizon(const Table& root, const std::optional<ModelOptions>& model) {
  const Node node = root.need("horizon", "the number of steps T");
  if (model && model->infinite) return 1;  // what a law is stated for: (x_0, w_0)
  if (node.value->is_string())
    refuse(node, "an integer, or \"infinite\" together with system.identify");
  const Index T = integer(node);
  check_at_least(node.path, T, 1);
  return T;
}

// P = "riccati": the weight that makes the last step as good as any. It is resolved here, so that
// records and checkers see a matrix.
Matrix stationary_weight(const Node& node, const System& system) {
  if (text(node) != "riccati") refuse(node, "a matrix, its diagonal as a list, or \"riccati\"");
  if (system.plant.A.size() > 1 || system.plant.B.size() > 1 || system.cost.Q.size() > 1 ||
      system.cost.R.size() > 1)
    throw InputError(node.path +
                     ": \"riccati\" needs one A, B, Q and R for all steps, and here some vary from "
                     "step to step: give a matrix");
  return at_place(node.path, [&] { return stationary_lqr(system).S; });
}

// What an identified plant cannot be.
void check_model(const ModelOptions& model, const Plant& plant, bool has_d) {
  if (plant.A.size() > 1 || plant.B.size() > 1)
    throw InputError(
        "system.identify: one A and B for all steps, and here they vary from step to "
        "step");
  for (const Index row : model.rows)
    if (row >= plant.A[0].rows())
      throw_input_error("system.identify", fmt::format("row {}", row + 1),
                        fmt::format("1 to {}", plant.A[0].rows()));
  if (!has_d) return;
  if (!model.stated) throw InputError("system.d: an offset of rows that are not in the file");
  if (!(plant.d.colwise() - plant.d.col(0)).isZero(0.0))
    throw InputError("system.d: one offset for all steps where the plant is identified");
  for (Index i = 0; i < plant.d.rows(); ++i)
    if (model.is_unknown(i) && plant.d(i, 0) != 0 && !model.offset)
      throw InputError(fmt::format(
          "system.d: row {} is identified, and so must be its offset: offset = true", i + 1));
}

}  // namespace

System decode_system(const Table& root, bool affine, std::optional<ModelOptions>& model) {
  const Table plant = Table(root.need("system", "a table with A and B"),
                            {"A", "B", "d", "identify", "states", "inputs", "lags", "offset"});
  const Table cost = Table(root.need("cost", "a table with Q and R"), {"Q", "R", "P", "reference"});
  System system;
  model = decode_model(root, plant);
  const Index T = decode_horizon(root, model);
  system.plant.T = T;
  if (model) {
    decode_unknown_plant(plant, system, *model);
  } else {
    system.plant.A = matrices_of(plant.need("A", "a matrix"), T);
    system.plant.B = matrices_of(plant.need("B", "a matrix"), T);
  }
  const std::optional<Node> d = plant.find("d");

  const Sizes s = state_feedback(system.plant.A[0].rows(), system.plant.B[0].cols(), T);
  check_memory(fmt::format("horizon: {} steps of {} states and {} inputs", T, s.n_x, s.n_u),
               predicted_memory(s, affine || d.has_value()), memory_limit());

  if (d) system.plant.d = decode_offset(*d, s);
  if (!model || model->stated) check_plant(system.plant);
  if (model) check_model(*model, system.plant, d.has_value());
  system.cost.Q = weights_of(cost.need("Q", "a matrix, or its diagonal as a list"), T, s.n_x);
  system.cost.R = weights_of(cost.need("R", "a matrix, or its diagonal as a list"), T, s.n_u);
  const std::optional<Node> P = cost.find("P");
  const bool stationary = P && P->value->is_string();
  if (P && model && model->infinite)
    throw InputError(P->path + ": an infinite horizon has no last step to weigh");
  if (stationary && model)
    throw InputError(P->path + ": \"riccati\" needs a plant that is known: give a matrix");
  system.cost.P = P && !stationary ? weight_of(*P, s.n_x) : system.cost.Q.back();
  if (const auto reference = cost.find("reference")) {
    if (model)
      refuse(*reference, "nothing where the plant is identified: states relative to the setpoint");
    system.cost.reference = decode_reference(*reference, s);
  }
  check_cost(system.cost, s);
  if (stationary) system.cost.P = stationary_weight(*P, system);
  system.cost = sound_cost(std::move(system.cost));
  return system;
}

}  // namespace loopcert
