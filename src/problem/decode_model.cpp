// [system] identify: which part of a plant is estimated from logs.
#include <fmt/format.h>

#include <limits>

#include "arrays.hpp"
#include "core/check.hpp"
#include "loopcert/core/error.hpp"
#include "sections.hpp"

namespace loopcert {
namespace {

constexpr Index largest_size = 10'000;  // states, inputs, lags

Index size_of(const Node& node) {
  const Index size = integer(node);
  check_at_least(node.path, size, 1);
  if (size > largest_size) refuse(node, fmt::format("at most {}", largest_size));
  return size;
}

// Row numbers count from 1, as in messages.
std::vector<Index> rows_of(const Node& node) {
  std::vector<Index> rows;
  for (const Node& item : items(node, "true, or the numbers of the unknown rows")) {
    const Index row = integer(item);
    if (row < 1) refuse(item, "a row number: the first row is 1");
    if (std::find(rows.begin(), rows.end(), row - 1) != rows.end())
      throw InputError(fmt::format("{}: row {} occurs twice", item.path, row));
    rows.push_back(row - 1);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

bool is_infinite(const Table& root) {
  const auto node = root.find("horizon");
  return node && node->value->is_string() && text(*node) == "infinite";
}

void check_lags(const Table& plant, const ModelOptions& model) {
  if (model.lags == 1) return;
  const std::string place = plant.find("lags")->path;
  if (!model.infinite) throw InputError(place + ": more than 1 only with horizon = \"infinite\"");
  if (!model.rows.empty())
    throw InputError(place +
                     ": more than 1 only with identify = true: a row that is known has none");
  if (plant.find("A") || plant.find("B"))
    throw InputError(
        place +
        ": more than 1 only without A and B: the model is one of what is measured, not "
        "of a state");
}

}  // namespace

std::optional<ModelOptions> decode_model(const Table& root, const Table& plant) {
  const std::optional<Node> identify = plant.find("identify");
  if (!identify || (identify->value->is_boolean() && !boolean(*identify))) {
    for (const char* key : {"states", "inputs", "lags", "offset"})
      if (const auto node = plant.find(key))
        throw InputError(node->path + ": only together with system.identify");
    return std::nullopt;
  }
  ModelOptions model;
  if (identify->value->is_array())
    model.rows = rows_of(*identify);
  else if (!identify->value->is_boolean())
    refuse(*identify, "true, or the numbers of the unknown rows");
  model.infinite = is_infinite(root);
  if (const auto node = plant.find("lags")) model.lags = size_of(*node);
  if (const auto node = plant.find("offset")) model.offset = boolean(*node);
  check_lags(plant, model);
  return model;
}

void decode_unknown_plant(const Table& plant, System& system, ModelOptions& model) {
  model.stated = plant.find("A").has_value();
  if (model.stated != plant.find("B").has_value())
    plant.need(model.stated ? "B" : "A", "both A and B, or none of them");
  if (!model.stated && !model.rows.empty())
    plant.need("A", "a matrix: the rows that are not identified hold exactly");
  const Index T = system.plant.T;
  if (model.stated) {
    system.plant.A = matrices_of(plant.need("A", "a matrix"), T);
    system.plant.B = matrices_of(plant.need("B", "a matrix"), T);
    const std::pair<const char*, Index> sizes[] = {{"states", system.plant.A[0].rows()},
                                                   {"inputs", system.plant.B[0].cols()}};
    for (const auto& [key, size] : sizes)
      if (const auto node = plant.find(key); node && size_of(*node) != size)
        refuse(*node, fmt::format("{}, as A and B have", size));
    return;
  }
  const Index n_x = size_of(plant.need("states", "the number of measured signals"));
  const Index n_u = size_of(plant.need("inputs", "the number of inputs"));
  // Whoever computes with a plant that nobody knows gets no number.
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  system.plant.A = {Matrix::Constant(n_x, n_x, nothing)};
  system.plant.B = {Matrix::Constant(n_x, n_u, nothing)};
}

nlohmann::json model_section(const Problem& problem, nlohmann::json stated) {
  const ModelOptions& model = *problem.model;
  nlohmann::json section = model.stated ? std::move(stated) : nlohmann::json::object();
  if (!model.stated) {
    section["states"] = problem.sizes().n_x;
    section["inputs"] = problem.sizes().n_u;
  }
  section["identify"] = true;
  if (!model.rows.empty()) {
    section["identify"] = nlohmann::json::array();
    for (const Index row : model.rows) section["identify"].push_back(row + 1);
  }
  if (model.lags != 1) section["lags"] = model.lags;
  if (model.offset) section["offset"] = true;
  return section;
}

void require_known_plant(const Problem& problem, const std::string& what) {
  if (problem.identifies())
    throw InputError("system.identify: " + what +
                     " needs a plant that is known; a plant to be identified is for `learn` with "
                     "--rollouts");
}

void require_stated_plant(const Problem& problem, const std::string& what) {
  if (!problem.identifies() || (problem.model->stated && !problem.model->infinite)) return;
  if (problem.model->infinite)
    throw InputError("horizon: " + what + " needs a number of steps, and this is \"infinite\"");
  throw InputError("system.identify: " + what + " needs A and B, and they are not in the file");
}

}  // namespace loopcert
