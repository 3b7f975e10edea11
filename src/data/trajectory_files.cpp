// Arrays in files become trajectories: the axes must say so themselves, nothing is guessed.
#include <fmt/format.h>

#include <algorithm>

#include "loopcert/core/check.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/formats.hpp"

namespace loopcert {
namespace {

using Names = std::vector<std::string>;

// n x (steps size), from that or from n x steps x size.
Matrix trajectory_rows(Array array, Index steps, Index size) {
  const Index columns = steps * size;
  const auto& shape = array.shape;
  const std::string expected = fmt::format("n x {} or n x {} x {}", columns, steps, size);
  if (shape.size() == 3 && shape[1] == steps && shape[2] == size) array.shape = {shape[0], columns};
  if (shape.size() != 2) throw_input_error("shape", shape_text(shape), expected);
  if (shape[1] != columns)
    throw_input_error("shape",
                      shape_text(shape) + (shape[0] == columns ? " which looks transposed" : ""),
                      expected);
  check_at_least("rows", shape[0], 1);
  return matrix_from_array(array);
}

// A header is free text unless it speaks our own names: then it must mean what we expect.
void check_names(const Names& found, const Sizes& sizes) {
  const Names expected = trajectory_column_names(sizes);
  if (found.size() != expected.size() || found == expected) return;

  Names sorted_found = found, sorted_expected = expected;
  std::sort(sorted_found.begin(), sorted_found.end());
  std::sort(sorted_expected.begin(), sorted_expected.end());
  if (sorted_found == sorted_expected) {
    const auto at = std::mismatch(found.begin(), found.end(), expected.begin());
    throw_input_error(fmt::format("row 1, column {}", at.first - found.begin() + 1), *at.first,
                      *at.second + ": the columns are out of order");
  }

  const auto is_state = [](const std::string& name) { return name.starts_with("x0_"); };
  const auto n_x = static_cast<Index>(std::count_if(found.begin(), found.end(), is_state));
  if (n_x == 0 || sizes.d_w() % n_x != 0) return;
  const Sizes other{n_x, sizes.n_u, sizes.d_w() / n_x - 1};
  if (found == trajectory_column_names(other))
    throw_input_error("row 1", fmt::format("names for n_x = {} and T = {}", other.n_x, other.T),
                      fmt::format("n_x = {} and T = {}", sizes.n_x, sizes.T));
}

}  // namespace

Names trajectory_column_names(const Sizes& sizes) {
  Names names;
  for (Index i = 0; i < sizes.n_x; ++i) names.push_back(fmt::format("x0_{}", i));
  for (Index t = 0; t < sizes.T; ++t)
    for (Index i = 0; i < sizes.n_x; ++i) names.push_back(fmt::format("w{}_{}", t, i));
  return names;
}

Disturbances read_disturbances(const std::filesystem::path& path, const Sizes& sizes) {
  Array array = read_array(path);
  return at_place(path.string(), [&] {
    if (!array.columns.empty()) check_names(array.columns, sizes);
    Disturbances data{trajectory_rows(std::move(array), sizes.T + 1, sizes.n_x)};
    check_disturbances(data, sizes);
    return data;
  });
}

void write_disturbances(const std::filesystem::path& path, const Disturbances& data,
                        const Sizes& sizes) {
  check_disturbances(data, sizes);
  Array array = array_from_matrix(data.w);
  array.columns = trajectory_column_names(sizes);
  write_array(path, array);
}

Rollouts read_rollouts(const std::filesystem::path& x_path, const std::filesystem::path& u_path,
                       const Sizes& sizes) {
  Array x = read_array(x_path);
  Array u = read_array(u_path);
  Rollouts rollouts;
  rollouts.x = at_place(x_path.string(),
                        [&] { return trajectory_rows(std::move(x), sizes.T + 1, sizes.n_x); });
  rollouts.u =
      at_place(u_path.string(), [&] { return trajectory_rows(std::move(u), sizes.T, sizes.n_u); });
  if (rollouts.u.rows() != rollouts.x.rows())
    throw_input_error(u_path.string(), fmt::format("{} rows", rollouts.u.rows()),
                      fmt::format("{} as in {}", rollouts.x.rows(), x_path.string()));
  return rollouts;
}

}  // namespace loopcert
