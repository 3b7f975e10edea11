#include "model/linear_model.hpp"

#include <fmt/format.h>

#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// The columns of the identity with these numbers.
Matrix columns_of_identity(Index n, const std::vector<Index>& which) {
  Matrix columns = Matrix::Zero(n, static_cast<Index>(which.size()));
  for (size_t j = 0; j < which.size(); ++j) columns(which[j], static_cast<Index>(j)) = 1;
  return columns;
}

// What holds exactly: the 1, the shift of what was measured before, and the rows that are known.
void fill_known(LinearModel& m, const Problem& problem, const std::vector<Index>& unknown) {
  const Index f = m.first(), p = m.lags;
  if (m.constant) m.A0(0, 0) = 1;
  for (Index j = 1; j < p; ++j)  // y_{t-j+1} becomes the y of j steps before
    m.A0.block(f + j * m.n_y, f + (j - 1) * m.n_y, m.n_y, m.n_y).setIdentity();
  const Index past = f + p * m.n_y;  // u_{t-1}, …
  if (p > 1) m.B0.middleRows(past, m.n_u).setIdentity();
  for (Index j = 1; j + 1 < p; ++j)
    m.A0.block(past + j * m.n_u, past + (j - 1) * m.n_u, m.n_u, m.n_u).setIdentity();
  if (unknown.size() == static_cast<size_t>(m.n_y)) return;
  const Plant& plant = problem.system.plant;
  for (Index i = 0; i < m.n_y; ++i) {
    if (problem.model->is_unknown(i)) continue;
    m.A0.row(f + i).segment(f, m.n_y) = plant.A[0].row(i);
    m.B0.row(f + i) = plant.B[0].row(i);
    if (plant.has_offset()) m.A0(f + i, 0) = plant.d(i, 0);
  }
}

}  // namespace

LinearModel model_of(const Problem& problem) {
  if (!problem.model) throw_input_error("system.identify", "nothing", "true, or rows to identify");
  const ModelOptions& options = *problem.model;
  const Sizes s = problem.sizes();
  LinearModel m;
  m.n_y = s.n_x;
  m.n_u = s.n_u;
  m.lags = options.lags;
  std::vector<Index> unknown;
  bool known_offset = false;
  for (Index i = 0; i < m.n_y; ++i) {
    if (options.is_unknown(i))
      unknown.push_back(i);
    else
      known_offset =
          known_offset || (problem.system.plant.has_offset() && problem.system.plant.d(i, 0) != 0);
  }
  m.constant = options.offset || known_offset;
  const Index n = m.first() + m.lags * m.n_y + (m.lags - 1) * m.n_u;
  m.A0 = Matrix::Zero(n, n);
  m.B0 = Matrix::Zero(n, m.n_u);
  fill_known(m, problem, unknown);
  for (Index& row : unknown) row += m.first();
  m.E = columns_of_identity(n, unknown);
  // r = (zeta, u), without the 1 where only known rows have an offset.
  const Index skipped = m.constant && !options.offset ? 1 : 0;
  m.Cr = Matrix::Identity(n + m.n_u, n + m.n_u).bottomRows(n + m.n_u - skipped);
  return m;
}

LinearModel colour_model(Index n_y, Index lags) {
  LinearModel m;
  m.n_y = n_y;
  m.lags = lags;
  const Index n = lags * n_y;
  m.A0 = Matrix::Zero(n, n);
  m.A0.bottomLeftCorner(n - n_y, n - n_y).setIdentity();
  m.B0 = Matrix::Zero(n, 0);
  m.E = Matrix::Identity(n, n_y);
  m.Cr = Matrix::Identity(n, n);
  return m;
}

Matrix states_of_log(const LinearModel& m, const LogEpisode& log) {
  const Index p = m.lags, count = log.steps() - p + 2;
  Matrix states(m.n(), std::max<Index>(count, 0));
  for (Index k = 0; k < states.cols(); ++k) {
    const Index t = k + p - 1;
    Index at = 0;
    if (m.constant) states(at++, k) = 1;
    for (Index j = 0; j < p; ++j, at += m.n_y)
      states.col(k).segment(at, m.n_y) = log.y.row(t - j).transpose();
    for (Index j = 1; j < p; ++j, at += m.n_u)
      states.col(k).segment(at, m.n_u) = log.u.row(t - j).transpose();
  }
  return states;
}

EstimatedPlant plant_at(const LinearModel& m, const Matrix& Theta) {
  const Matrix step = Theta * m.Cr;
  return {m.A0 + m.E * step.leftCols(m.n()), m.B0 + m.E * step.rightCols(m.n_u)};
}

Matrix weight_on_state(const LinearModel& m, const Matrix& Q) {
  Matrix weight = Matrix::Zero(m.n(), m.n());
  weight.block(m.first(), m.first(), m.n_y, m.n_y) = Q;
  return weight;
}

std::vector<std::string> regressor_names(const LinearModel& m, const DataLayout& layout) {
  const auto named = [](const std::vector<ColumnSpec>& columns, const char* symbol, Index i,
                        Index before) {
    const std::string name =
        columns.empty() ? fmt::format("{}{}", symbol, i) : columns[static_cast<size_t>(i)].name;
    return before == 0 ? name : fmt::format("{} {} before", name, before);
  };
  std::vector<std::string> names;
  if (m.Cr.cols() == m.Cr.rows() && m.constant) names.emplace_back("constant");
  for (Index j = 0; j < m.lags; ++j)
    for (Index i = 0; i < m.n_y; ++i) names.push_back(named(layout.states, "x", i, j));
  for (Index j = 1; j < m.lags; ++j)
    for (Index i = 0; i < m.n_u; ++i) names.push_back(named(layout.inputs, "u", i, j));
  for (Index i = 0; i < m.n_u; ++i) names.push_back(named(layout.inputs, "u", i, 0));
  return names;
}

}  // namespace loopcert
