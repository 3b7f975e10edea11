#include "controller/memory_controller.hpp"

#include <fmt/format.h>

#include "controller/input_limits.hpp"
#include "core/check.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "core/json_fields.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

constexpr const char* memory_format = "loopcert controller 1";
constexpr std::uintmax_t largest_memory_file = std::uintmax_t{64} << 20;

json rows_to_json(const Matrix& matrix) {
  json rows = json::array();
  for (Index i = 0; i < matrix.rows(); ++i) {
    const Vector row = matrix.row(i);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

Matrix rows_from_json(const json& tree, const std::string& key, Index rows, Index cols) {
  const json& list = list_field(tree, key);
  if (static_cast<Index>(list.size()) != rows)
    throw_input_error(key, fmt::format("{} rows", list.size()), std::to_string(rows));
  // Every row's length is checked before the matrix is made: memory follows the file's own size.
  std::vector<std::vector<double>> found;
  for (Index i = 0; i < rows; ++i) {
    const std::string place = fmt::format("{}[{}]", key, i);
    found.push_back(numbers_in(list[static_cast<size_t>(i)], place));
    if (static_cast<Index>(found.back().size()) != cols)
      throw_input_error(place, fmt::format("{} entries", found.back().size()),
                        std::to_string(cols));
  }
  Matrix matrix(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      matrix(i, j) = found[static_cast<size_t>(i)][static_cast<size_t>(j)];
  return matrix;
}

// The newest in front.
void push(Vector& past, const VectorView& newest) {
  const Index keep = past.size() - newest.size();
  if (keep < 0) return;
  const Vector before = past.head(keep);
  past << newest, before;
}

}  // namespace

void check_memory_controller(const MemoryController& c) {
  check_at_least("n_x", c.n_y, 1);
  check_at_least("n_u", c.n_u, 1);
  check_at_least("memory.outputs", c.outputs, 1);
  check_at_least("memory.inputs", c.inputs, 0);
  check_size("K", c.K, c.n_u, c.outputs * c.n_y);
  check_size("L", c.L, c.n_u, c.inputs * c.n_u);
  check_size("k", c.k, c.n_u, 1);
  check_finite("K", c.K);
  check_finite("L", c.L);
  check_finite("k", c.k);
  check_input_limits(c.input_limits, c.n_u);
}

MemoryRun::MemoryRun(const MemoryController& controller)
    : controller_(controller),
      y_(Vector::Zero(controller.outputs * controller.n_y)),
      u_(Vector::Zero(controller.inputs * controller.n_u)) {}

Vector MemoryRun::step(const VectorView& y_t) {
  check_size("y", y_t, controller_.n_y, 1);
  push(y_, y_t);
  Vector u = controller_.K * y_ + controller_.L * u_ + controller_.k;
  push(u_, u);
  return u;
}

void MemoryRun::applied(const VectorView& u_t) {
  check_size("u", u_t, controller_.n_u, 1);
  if (u_.size() > 0) u_.head(u_t.size()) = u_t;
}

Controller first_steps(const MemoryController& c, Index steps) {
  Controller controller;
  controller.sizes = state_feedback(c.n_y, c.n_u, steps);
  const Sizes& s = controller.sizes;
  controller.K = Matrix::Zero(s.d_u(), s.d_y());
  controller.k = Vector::Zero(s.d_u());
  controller.provenance = c.provenance;
  controller.input_limits = c.input_limits;
  const auto run = [&](Index column) {  // u of the unit signal; none: of the zero signal
    MemoryRun steps_of(c);
    Vector u(s.d_u());
    for (Index t = 0; t < steps; ++t) {
      Vector y = Vector::Zero(s.n_y);
      if (column >= t * s.n_y && column < (t + 1) * s.n_y) y(column - t * s.n_y) = 1;
      u.segment(t * s.n_u, s.n_u) = steps_of.step(y);
    }
    return u;
  };
  controller.k = run(-1);
  for (Index j = 0; j < steps * s.n_y; ++j) {
    controller.K.col(j) = run(j) - controller.k;
    controller.K.col(j).head((j / s.n_y) * s.n_u).setZero();
  }
  return controller;
}

Matrix replies_to_clipping(const MemoryController& c, Index steps) {
  if (c.inputs == 0) return {};
  MemoryController linear = c;
  linear.k.setZero();
  Matrix replies = Matrix::Zero(steps * c.n_u, steps * c.n_u);
  for (Index i = 0; i < c.n_u; ++i) {
    // One more at step 0 than it asked for. What follows does not depend on the step it started at.
    MemoryRun run(linear);
    run.step(Vector::Zero(c.n_y));
    run.applied(Vector::Unit(c.n_u, i));
    for (Index lag = 1; lag < steps; ++lag) {
      const Vector u = run.step(Vector::Zero(c.n_y));
      for (Index t = lag; t < steps; ++t)
        replies.block(t * c.n_u, (t - lag) * c.n_u + i, c.n_u, 1) = u;
    }
  }
  return replies;
}

json memory_controller_to_json(const MemoryController& c) {
  json tree = {{"format", memory_format},
               {"horizon", "infinite"},
               {"n_x", c.n_y},
               {"n_u", c.n_u},
               {"memory", {{"outputs", c.outputs}, {"inputs", c.inputs}}},
               {"K", rows_to_json(c.K)},
               {"L", rows_to_json(c.L)},
               {"k", std::vector<double>(c.k.begin(), c.k.end())},
               {"provenance", c.provenance}};
  if (c.input_limits.size() > 0) tree["input_limits"] = input_limits_to_json(c.input_limits);
  return tree;
}

MemoryController memory_controller_from_json(const json& tree) {
  require_format(tree, memory_format);
  if (text_field(tree, "horizon") != "infinite")
    throw_input_error("horizon", "'" + text_field(tree, "horizon") + "'", "'infinite'");
  constexpr Index most = 100'000;
  MemoryController c;
  c.n_y = whole_field(tree, "n_x", 1, most);
  c.n_u = whole_field(tree, "n_u", 1, most);
  const json& memory = field(tree, "memory");
  c.outputs = whole_field(memory, "outputs", 1, most);
  c.inputs = whole_field(memory, "inputs", 0, most);
  c.K = rows_from_json(tree, "K", c.n_u, c.outputs * c.n_y);
  c.L = rows_from_json(tree, "L", c.n_u, c.inputs * c.n_u);
  const std::vector<double> k = numbers_in(field(tree, "k"), "k");
  c.k = Eigen::Map<const Vector>(k.data(), static_cast<Index>(k.size()));
  if (const auto found = tree.find("provenance"); found != tree.end() && found->is_object())
    for (const auto& [key, value] : found->items())
      c.provenance[key] = value.is_string() ? value.get<std::string>() : value.dump();
  c.input_limits = input_limits_of(tree, c.n_u);
  check_memory_controller(c);
  return c;
}

MemoryController read_memory_controller(const std::filesystem::path& path) {
  const std::string text = read_file(path, largest_memory_file);
  return at_place(path.string(), [&] { return memory_controller_from_json(parse_json(text)); });
}

bool has_memory_controller(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".npz" || extension == ".mat") return false;
  try {
    return text_at(parse_json(read_file(path, largest_memory_file)), "horizon") == "infinite";
  } catch (const InputError&) {
    return false;  // whoever reads it says why
  }
}

}  // namespace loopcert
