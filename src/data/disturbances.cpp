#include "loopcert/data/disturbances.hpp"

#include <fmt/format.h>

#include "loopcert/core/check.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// At least one row and exactly `columns` finite columns. A d x n matrix is a common slip: the axes
// are never guessed, but the message says so.
void check_rows(const std::string& name, const MatrixView& rows, Index columns,
                const std::string& meaning) {
  if (rows.cols() != columns)
    throw_input_error(name,
                      fmt::format("{} columns{}", rows.cols(),
                                  rows.rows() == columns ? " (looks transposed)" : ""),
                      fmt::format("{} = {}", columns, meaning));
  check_at_least(name + " rows", rows.rows(), 1);
  check_finite(name, rows);
}

}  // namespace

void check_disturbances(const Disturbances& data, const Sizes& sizes) {
  check_rows("disturbances", data.w, sizes.d_w(),
             fmt::format("d_w = (T + 1) n_x with T = {} and n_x = {}", sizes.T, sizes.n_x));
}

Disturbances reconstruct_disturbances(const Plant& plant, const Rollouts& rollouts) {
  const Sizes s = plant.sizes();
  check_rows("rollouts x", rollouts.x, s.d_w(),
             fmt::format("(T + 1) n_x with T = {} and n_x = {}", s.T, s.n_x));
  check_rows("rollouts u", rollouts.u, s.d_u(),
             fmt::format("T n_u with T = {} and n_u = {}", s.T, s.n_u));
  if (rollouts.u.rows() != rollouts.x.rows())
    throw_input_error("rollouts u", fmt::format("{} rows", rollouts.u.rows()),
                      fmt::format("{} as in x", rollouts.x.rows()));

  Disturbances data{Matrix(rollouts.x.rows(), s.d_w())};
  data.w.leftCols(s.n_x) = rollouts.x.leftCols(s.n_x);
  for (Index t = 0; t < s.T; ++t) {
    auto w_t = data.w.middleCols((t + 1) * s.n_x, s.n_x);
    w_t = rollouts.x.middleCols((t + 1) * s.n_x, s.n_x);
    w_t.noalias() -= rollouts.x.middleCols(t * s.n_x, s.n_x) * plant.A_at(t).transpose();
    w_t.noalias() -= rollouts.u.middleCols(t * s.n_u, s.n_u) * plant.B_at(t).transpose();
    if (plant.d.size() > 0) w_t.rowwise() -= plant.d.col(t).transpose();
  }
  check_finite("disturbances", data.w);  // finite logs can still overflow here
  return data;
}

Disturbances select_rows(const Disturbances& data, const std::vector<Index>& rows) {
  for (const Index row : rows)
    if (row < 0 || row >= data.n())
      throw_input_error("row", std::to_string(row), fmt::format("0 to {}", data.n() - 1));
  return {data.w(rows, Eigen::all)};
}

}  // namespace loopcert
