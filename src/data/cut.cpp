#include "data/cut.hpp"

#include <fmt/format.h>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

std::string episode_place(size_t i) { return fmt::format("episode {}", i + 1); }

// First states of the pieces of an episode of `steps` steps.
std::vector<Index> piece_starts(size_t i, Index steps, const DataLayout& layout, Index T) {
  if (steps < T)
    throw_input_error(episode_place(i), fmt::format("{} steps", steps),
                      fmt::format("{}, the horizon", T));
  if (steps > T && layout.longer == Longer::refuse)
    throw_input_error(episode_place(i), fmt::format("{} steps", steps),
                      fmt::format("{}, the horizon (or data.longer to say how to cut)", T));
  if (layout.longer != Longer::windows) return {0};
  std::vector<Index> starts;
  for (Index start = 0; start + T <= steps; start += T + layout.gap) starts.push_back(start);
  return starts;
}

// Rows of `episode` one after the other.
Eigen::RowVectorXd flattened(const MatrixView& episode) {
  Eigen::RowVectorXd row(episode.size());
  for (Index t = 0; t < episode.rows(); ++t)
    row.segment(t * episode.cols(), episode.cols()) = episode.row(t);
  return row;
}

Matrix stacked(const std::vector<Eigen::RowVectorXd>& rows, Index columns) {
  Matrix matrix(static_cast<Index>(rows.size()), columns);
  for (size_t i = 0; i < rows.size(); ++i) matrix.row(static_cast<Index>(i)) = rows[i];
  return matrix;
}

}  // namespace

void check_counts(const Episodes& x, const Episodes& u) {
  if (u.size() != x.size())
    throw_input_error("inputs", fmt::format("{} episodes", u.size()),
                      fmt::format("{} as the states have", x.size()));
}

void check_inputs(size_t i, const Matrix& x, const Matrix& u) {
  const Index steps = x.rows() - 1;
  if (u.rows() != steps && u.rows() != steps + 1)
    throw_input_error(episode_place(i), fmt::format("{} inputs to {} states", u.rows(), steps + 1),
                      std::to_string(steps));
}

Rollouts cut_rollouts(const Episodes& x, const Episodes& u, const DataLayout& layout,
                      const Sizes& sizes) {
  check_counts(x, u);
  std::vector<Eigen::RowVectorXd> x_rows, u_rows;
  for (size_t i = 0; i < x.size(); ++i) {
    const Index steps = x[i].rows() - 1;
    check_inputs(i, x[i], u[i]);
    for (const Index start : piece_starts(i, steps, layout, sizes.T)) {
      x_rows.push_back(flattened(x[i].middleRows(start, sizes.T + 1)));
      u_rows.push_back(flattened(u[i].middleRows(start, sizes.T)));
    }
  }
  return {stacked(x_rows, sizes.d_w()), stacked(u_rows, sizes.d_u())};
}

Matrix cut_disturbances(const Episodes& w, const DataLayout& layout, const Sizes& sizes) {
  std::vector<Eigen::RowVectorXd> rows;
  for (size_t i = 0; i < w.size(); ++i) {
    if (layout.longer == Longer::windows && w[i].rows() - 1 > sizes.T)
      throw InputError(fmt::format(
          "{}: {} steps, and data.longer = \"windows\" cannot cut disturbances into pieces: only "
          "logged states (--rollouts) can be cut",
          episode_place(i), w[i].rows() - 1));
    piece_starts(i, w[i].rows() - 1, layout, sizes.T);
    rows.push_back(flattened(w[i].topRows(sizes.T + 1)));
  }
  return stacked(rows, sizes.d_w());
}

}  // namespace loopcert
