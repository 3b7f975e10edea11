#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "arrays.hpp"
#include "core/check.hpp"
#include "core/memory.hpp"
#include "loopcert/core/error.hpp"
#include "problem/plant_forms/plant_form.hpp"
#include "sections.hpp"
#include "system/markov.hpp"
#include "system/riccati.hpp"
#include "system/sampling_time.hpp"
#include "system/sound_cost.hpp"
#include "system/unseen.hpp"

namespace loopcert {
namespace {

// One vector for all steps, or a list of T: n x T.
Matrix decode_offset(const Node& node, Index n, Index T) {
  if (node.value->is_array() && list_depth(node) == 2) {
    const Matrix rows = matrix_of(node);
    check_size(node.path, rows, T, n);
    return rows.transpose();
  }
  return vector_of(node, n).replicate(1, T);
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
  if (!system.plant.has_state())
    throw InputError(node.path + ": \"riccati\" needs a state that is measured: give a matrix");
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

// Before anything whose size depends on the horizon is made.
void check_sizes(const Sizes& s, bool constant) {
  check_memory(fmt::format("horizon: {} steps of {} {} and {} inputs", s.T, s.n_x,
                           s.n_y == s.n_w ? "states" : "signals", s.n_u),
               predicted_memory(s, constant), memory_limit());
}

// C = I without a delay: the state is measured, and the plant is A and B.
bool measures_state(const Table& plant, Index T) {
  const auto delay = plant.find("delay");
  if (plant.find("test_only") || !plant.find("A") ||
      (delay && delay->value->is_number() && number(*delay) != 0))
    return false;
  const auto node = plant.find("C");
  if (!node) return true;
  if (!node->value->is_array()) refuse(*node, "a matrix");
  const Index n = matrices_of(plant.need("A", "a matrix"), T)[0].rows();
  for (const Matrix& C : matrices_of(*node, T + 1))
    if (C.rows() != n || C.cols() != n || C != Matrix::Identity(n, n)) return false;
  return true;
}

// A and B as they are, or of continuous time: then the record has those of a step.
void decode_state(const Table& plant, bool affine, System& system) {
  Plant& found = system.plant;
  const Index T = found.T;
  if (const auto delay = plant.find("delay"); delay && number(*delay) != 0)
    throw InputError(delay->path +
                     ": with a delay the state alone does not say what follows: say with "
                     "system.C what is measured");
  found.A = matrices_of(plant.need("A", "a matrix"), T);
  found.B = matrices_of(plant.need("B", "a matrix"), T);
  if (const auto dt = sampling_time(plant)) {
    check_plant(found);
    if (found.A.size() > 1 || found.B.size() > 1)
      throw InputError("system.continuous: one A and B for all steps");
    if (const auto d = plant.find("d"))
      throw InputError(d->path +
                       ": an offset of each step does not go together with system.continuous");
    const Sampled step =
        at_place("system", [&] { return sample_held(found.A[0], found.B[0], *dt, 0); });
    found.A = {step.A};
    found.B = {step.B_now};
  }
  check_sizes(state_feedback(found.A[0].rows(), found.B[0].cols(), T),
              affine || plant.find("d").has_value());
}

// The last ones of the outputs are measured in tests alone: they stay in the cost, and the
// controller does not see them.
void hide_outputs(const Node& node, Index n, Plant& plant) {
  const double hidden = number(node);  // records have 1.0 for 1
  if (!(hidden >= 1 && hidden < static_cast<double>(n)) || hidden != std::floor(hidden))
    refuse(node, fmt::format("a whole number, at least 1 and below {}, the number of outputs", n));
  const Index seen = n - static_cast<Index>(hidden);
  plant.A.clear();
  plant.B.clear();
  plant.C.clear();
  plant.G_x = std::move(plant.G);
  plant.G.resize((plant.T + 1) * seen, plant.G_x.cols());
  for (Index t = 0; t <= plant.T; ++t)
    plant.G.middleRows(t * seen, seen) = plant.G_x.middleRows(t * n, seen);
}

void decode_outputs(const Table& plant, const ChosenForm& form, const nlohmann::json& section,
                    bool affine, Plant& found) {
  const Index T = found.T;
  check_sizes({1, 1, 1, 1, T}, affine);
  const FormRead read = form.form.read(plant, T);
  check_sizes({read.n_y, read.n_y, read.n_y, read.n_u, T}, affine || plant.find("d").has_value());
  read.make(found);
  // With A, B and C it is an offset of the state; otherwise of the outputs, one step later.
  if (const auto d = plant.find("d"); d && form.key != "C")
    found.d = decode_offset(*d, read.n_y, T);
  if (const auto node = plant.find("test_only")) hide_outputs(*node, read.n_y, found);
  found.form = form_text(section);
  check_plant(found);
}

// Q weighs the outputs, or the states behind them. No log has these, so that only stated laws can
// say what they cost.
void decode_cost_of(const Node& of, Plant& plant) {
  if (choice(of, {"outputs", "states"}) == "outputs" || plant.has_state()) return;
  if (unseen_outputs(plant) > 0)
    throw InputError(of.path + ": \"states\" does not go together with system.test_only");
  if (plant.C.empty())
    throw InputError(of.path +
                     ": \"states\" needs A, B and C in [system] (and a dead time of whole steps)");
  if (plant.has_offset()) throw InputError(of.path + ": \"states\" does not go with system.d");
  const Index n = plant.A[0].rows();
  check_sizes({n, n + plant.sizes().n_y, plant.sizes().n_y, plant.sizes().n_u, plant.T}, false);
  plant.G_x = operator_of(plant.A, plant.B, {Matrix::Identity(n, n)}, plant.delay, plant.T);
  plant.d.resize(0, 0);
}

}  // namespace

System decode_system(const Table& root, bool affine, std::optional<ModelOptions>& model) {
  const Node section = root.need("system", "a table with A and B");
  const Table plant =
      Table(section, {"A", "B", "C", "d", "delay", "impulse", "step", "transfer", "G", "continuous",
                      "dt", "test_only", "identify", "states", "inputs", "lags", "offset"});
  const Table cost =
      Table(root.need("cost", "a table with Q and R"), {"Q", "R", "P", "of", "reference"});
  System system;
  model = decode_model(root, plant);
  const Index T = decode_horizon(root, model);
  system.plant.T = T;
  const std::optional<ChosenForm> form = form_of(plant);
  if (const auto node = plant.find("test_only"); node && (model || !form))
    throw InputError(node->path +
                     ": which outputs are measured in tests alone, and there are none");
  if (model) {
    for (const char* key : {"delay", "continuous", "dt"})
      if (const auto node = plant.find(key))
        throw InputError(node->path +
                         ": does not go together with system.identify, whose states "
                         "are what is measured");
    decode_unknown_plant(plant, system, *model);
    check_sizes(state_feedback(system.plant.A[0].rows(), system.plant.B[0].cols(), T),
                affine || plant.find("d").has_value());
  } else if (form && !(form->key == "C" && measures_state(plant, T))) {
    decode_outputs(plant, *form, *section.value, affine, system.plant);
  } else {
    decode_state(plant, affine, system);
  }
  const std::optional<Node> d = plant.find("d");
  if (const auto of = cost.find("of")) decode_cost_of(*of, system.plant);

  const Sizes s = system.sizes();
  if (d && system.plant.has_state()) system.plant.d = decode_offset(*d, s.n_x, s.T);
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
