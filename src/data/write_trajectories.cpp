// Trajectories to files, and the names of their columns.
#include <fmt/format.h>

#include "loopcert/data/formats.hpp"
#include "loopcert/data/trajectory_files.hpp"

namespace loopcert {

std::vector<std::string> trajectory_column_names(const Sizes& sizes) {
  std::vector<std::string> names;
  for (Index i = 0; i < sizes.n_x; ++i) names.push_back(fmt::format("x0_{}", i));
  for (Index t = 0; t < sizes.T; ++t)
    for (Index i = 0; i < sizes.n_x; ++i) names.push_back(fmt::format("w{}_{}", t, i));
  return names;
}

void write_disturbances(const std::filesystem::path& path, const Disturbances& data,
                        const Sizes& sizes) {
  check_disturbances(data, sizes);
  Array array = array_from_matrix(data.w);
  array.columns = trajectory_column_names(sizes);
  write_array(path, array);
}

void write_rollouts(const std::filesystem::path& path, const Rollouts& rollouts,
                    const Sizes& sizes) {
  const ArrayFormat& format = format_of(path);
  if (format.write_named) {
    Array x = array_from_matrix(rollouts.x), u = array_from_matrix(rollouts.u);
    x.shape = {rollouts.x.rows(), sizes.T + 1, sizes.n_x};
    u.shape = {rollouts.u.rows(), sizes.T, sizes.n_u};
    format.write_named(path, {{"x", x}, {"u", u}});
    return;
  }
  Matrix rows(rollouts.x.rows(), rollouts.x.cols() + rollouts.u.cols());
  rows << rollouts.x, rollouts.u;
  Array array = array_from_matrix(rows);
  for (Index t = 0; t <= sizes.T; ++t)
    for (Index i = 0; i < sizes.n_x; ++i) array.columns.push_back(fmt::format("x{}_{}", t, i));
  for (Index t = 0; t < sizes.T; ++t)
    for (Index i = 0; i < sizes.n_u; ++i) array.columns.push_back(fmt::format("u{}_{}", t, i));
  write_array(path, array);
}

}  // namespace loopcert
