// Gains on zeta as controllers, and as numbers of a record.
#include <fmt/format.h>

#include "core/json.hpp"
#include "core/json_fields.hpp"
#include "loopcert/core/error.hpp"
#include "workflow/identified_run.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

Matrix matrix_from_json(const json& rows, const std::string& place) {
  if (!rows.is_array() || rows.empty()) throw_input_error(place, "no rows", "a matrix");
  Matrix matrix;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> row = numbers_in(rows[i], fmt::format("{}[{}]", place, i));
    if (i == 0) matrix.resize(static_cast<Index>(rows.size()), static_cast<Index>(row.size()));
    if (static_cast<Index>(row.size()) != matrix.cols())
      throw_input_error(place, "rows of different lengths", "a matrix");
    for (size_t j = 0; j < row.size(); ++j)
      matrix(static_cast<Index>(i), static_cast<Index>(j)) = row[j];
  }
  return matrix;
}

}  // namespace

json bound_to_json(const IdentifiedBound& bound) {
  json gains = json::array();
  for (const Matrix& K : bound.gains) gains.push_back(rows_json(K));
  json tree = {{"bound", bound.bound}, {"tau", bound.tau}, {"nu", bound.nu}, {"gains", gains}};
  if (bound.P.size() > 0) {
    tree["P"] = rows_json(bound.P);
    tree["rise"] = bound.rise;
  }
  if (!bound.below.empty()) tree["below"] = bound.below;
  if (bound.reply.P.size() > 0) {
    tree["reply_gain"] = bound.reply.gain;
    tree["reply_P"] = rows_json(bound.reply.P);
    tree["cost_gain"] = bound.cost_gain.gain;
    tree["cost_P"] = rows_json(bound.cost_gain.P);
  }
  return tree;
}

IdentifiedBound bound_from_json(const json& tree) {
  IdentifiedBound bound;
  bound.bound = text_field(tree, "bound");
  if (bound.bound != "riccati" && bound.bound != "expansion" && bound.bound != "difference")
    throw_input_error("bound", "'" + bound.bound + "'", "riccati | expansion | difference");
  bound.tau = number_field(tree, "tau");
  bound.nu = number_field(tree, "nu");
  for (const json& K : list_field(tree, "gains"))
    bound.gains.push_back(matrix_from_json(K, "gains"));
  if (tree.contains("below")) bound.below = numbers_in(tree["below"], "below");
  if (tree.contains("P")) {
    bound.P = matrix_from_json(tree["P"], "P");
    bound.rise = number_field(tree, "rise");
  }
  if (tree.contains("reply_P")) {
    bound.reply = {number_field(tree, "reply_gain"), matrix_from_json(tree["reply_P"], "reply_P")};
    bound.cost_gain = {number_field(tree, "cost_gain"),
                       matrix_from_json(field(tree, "cost_P"), "cost_P")};
  }
  return bound;
}

Controller controller_of(const Problem& problem, const LinearModel& model, const Gains& gains) {
  const Sizes s = problem.sizes();
  Controller controller;
  controller.sizes = s;
  controller.K = Matrix::Zero(s.d_u(), s.d_y());
  controller.k = Vector::Zero(s.d_u());
  for (Index t = 0; t < s.T; ++t) {
    const Matrix& K = gains[static_cast<size_t>(t)];
    controller.K.block(t * s.n_u, t * s.n_y, s.n_u, s.n_y) = K.rightCols(s.n_y);
    if (model.constant) controller.k.segment(t * s.n_u, s.n_u) = K.col(0);
  }
  return controller;
}

MemoryController memory_controller_of(const LinearModel& m, const Matrix& gain) {
  MemoryController c;
  c.n_y = m.n_y;
  c.n_u = m.n_u;
  c.outputs = m.lags;
  c.inputs = m.lags - 1;
  c.k = m.constant ? Vector(gain.col(0)) : Vector(Vector::Zero(m.n_u));
  c.K = gain.middleCols(m.first(), m.lags * m.n_y);
  c.L = gain.rightCols((m.lags - 1) * m.n_u);
  return c;
}

}  // namespace loopcert
