#include "loopcert/data/disturbances.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "loopcert/core/error.hpp"
#include "same_bits.hpp"
#include "system/unseen.hpp"

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
             fmt::format("d_w = (T + 1) n_x with T = {} and n_x = {}", sizes.T, sizes.n_w));
}

Disturbances reconstruct_disturbances(const Plant& plant, const Rollouts& rollouts) {
  if (plant.G_x.size() > 0 && unseen_outputs(plant) == 0)
    throw InputError("cost.of: the states are never measured, and logs do not hold them");
  const Sizes s = plant.sizes();
  check_rows("rollouts x", rollouts.x, s.d_x(),
             fmt::format("(T + 1) n_x with T = {} and n_x = {}", s.T, s.n_x));
  check_rows("rollouts u", rollouts.u, s.d_u(),
             fmt::format("T n_u with T = {} and n_u = {}", s.T, s.n_u));
  if (rollouts.u.rows() != rollouts.x.rows())
    throw_input_error("rollouts u", fmt::format("{} rows", rollouts.u.rows()),
                      fmt::format("{} as in x", rollouts.x.rows()));
  Disturbances data{model_errors(plant, rollouts), rollouts};
  check_finite("disturbances", data.w);  // finite logs can still overflow here
  return data;
}

Disturbances select_rows(const Disturbances& data, const std::vector<Index>& rows) {
  for (const Index row : rows)
    if (row < 0 || row >= data.n())
      throw_input_error("row", std::to_string(row), fmt::format("0 to {}", data.n() - 1));
  Disturbances chosen{data.w(rows, Eigen::all)};
  if (data.from_logs())
    chosen.logs = {data.logs.x(rows, Eigen::all), data.logs.u(rows, Eigen::all)};
  return chosen;
}

}  // namespace loopcert
