// Trajectories to files, and the names of their columns.
#include <fmt/format.h>

#include "data/cut.hpp"
#include "data/formats.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "trajectory_rows.hpp"

namespace loopcert {
namespace {

std::vector<std::string> step_names(char symbol, Index first, Index steps, Index components) {
  std::vector<std::string> names;
  for (Index t = first; t < first + steps; ++t)
    for (Index i = 0; i < components; ++i) names.push_back(fmt::format("{}{}_{}", symbol, t, i));
  return names;
}

bool reads_back(const Array& array, const Matrix& w, const DataLayout& layout, const Sizes& sizes) {
  try {
    const Matrix read = cut_disturbances(disturbance_episodes(array, layout, sizes), layout, sizes);
    return read.rows() == w.rows() && read.cols() == w.cols() && read == w;
  } catch (const InputError&) {
    return false;
  }
}

// The array that read_disturbances reads in one way only, and as these rows.
Array disturbance_array(const Matrix& w, const Sizes& sizes, const DataLayout& layout) {
  Array rows = array_from_matrix(w), blocks = rows;
  blocks.shape = {w.rows(), sizes.T + 1, sizes.n_w};
  for (Array* array : {&rows, &blocks})
    if (reads_back(*array, w, layout, sizes)) return std::move(*array);
  throw InputError(fmt::format(
      "{} trajectories of {} numbers: as an array their axes could be confused: write a .csv file",
      w.rows(), w.cols()));
}

}  // namespace

std::vector<std::string> trajectory_column_names(const Sizes& sizes) {
  std::vector<std::string> names = step_names('x', 0, 1, sizes.n_w);
  const std::vector<std::string> w = step_names('w', 0, sizes.T, sizes.n_w);
  names.insert(names.end(), w.begin(), w.end());
  return names;
}

std::vector<std::string> rollout_column_names(const Sizes& sizes, const DataLayout& layout) {
  std::vector<std::string> names = step_names(layout.symbol[0], 0, sizes.T + 1, sizes.n_x);
  const std::vector<std::string> u = step_names('u', 0, sizes.T, sizes.n_u);
  names.insert(names.end(), u.begin(), u.end());
  return names;
}

void write_disturbances(const std::filesystem::path& path, const Disturbances& data,
                        const Sizes& sizes, const DataLayout& layout) {
  check_disturbances(data, sizes);
  if (!is_csv(path)) {
    write_array(path,
                at_place(path.string(), [&] { return disturbance_array(data.w, sizes, layout); }),
                layout.w_name);
    return;
  }
  Array array = array_from_matrix(data.w);
  array.columns = trajectory_column_names(sizes);
  write_array(path, array);
}

void write_rollouts(const std::filesystem::path& path, const Rollouts& rollouts, const Sizes& sizes,
                    const DataLayout& layout) {
  const ArrayFormat& format = format_of(path);
  if (format.write_named) {
    Array x = array_from_matrix(rollouts.x), u = array_from_matrix(rollouts.u);
    x.shape = {rollouts.x.rows(), sizes.T + 1, sizes.n_x};
    u.shape = {rollouts.u.rows(), sizes.T, sizes.n_u};
    format.write_named(path, {{layout.symbol, x}, {"u", u}});
    return;
  }
  Matrix rows(rollouts.x.rows(), rollouts.x.cols() + rollouts.u.cols());
  rows << rollouts.x, rollouts.u;
  Array array = array_from_matrix(rows);
  array.columns = rollout_column_names(sizes, layout);
  write_array(path, array);
}

}  // namespace loopcert
