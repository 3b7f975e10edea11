#include "learning/shrinkage.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "data/moments.hpp"
#include "data/parts.hpp"
#include "learning/minimizers.hpp"
#include "loopcert/core/error.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

const std::vector<double> weights = {0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05, 0.02};
const std::vector<double> smaller = {0.01, 0.003, 0.001, 0.0003, 0.0001};  // of outputs

}  // namespace

Matrix white_moment(const MatrixView& Sigma, bool constant) {
  Vector diagonal = Sigma.diagonal();
  if (constant) diagonal(0) = 1;
  return diagonal.unaryExpr([](double v) { return v > 0 ? v : 1.0; }).asDiagonal();
}

Matrix shrunk_by_steps(const MatrixView& Sigma, const CausalPattern& pattern, double g) {
  const Sizes& s = pattern.sizes;
  const Index unseen = s.n_x - s.n_y, first = pattern.constant ? 1 : 0;
  if (s.n_w != s.n_x || unseen == 0) return shrunk_moment(Sigma, pattern.constant, s.n_w, g);
  // What only tests measure comes after all that is seen.
  std::vector<Index> order(static_cast<size_t>(first), 0);
  for (Index t = 0; t <= s.T; ++t) {
    for (Index i = 0; i < s.n_y; ++i) order.push_back(first + t * s.n_y + i);
    for (Index i = 0; i < unseen; ++i) order.push_back(first + s.d_y() + t * unseen + i);
  }
  Matrix shrunk = Sigma;
  shrunk(order, order) =
      shrunk_moment(Matrix(Sigma(order, order)), pattern.constant, s.n_w, g).eval();
  return shrunk;
}

Matrix candidate_moment(const MatrixView& Sigma, const QuadraticForm& form,
                        const std::vector<double>& g, std::size_t c) {
  const CausalPattern& pattern = form.pattern;
  if (c == 0) return white_moment(Sigma, pattern.constant);
  Matrix shrunk = shrunk_by_steps(Sigma, pattern, g.at(c));
  add_floor(form.K_0.diagonal().tail(pattern.sizes.d_w()), Sigma, shrunk);
  return shrunk;
}

Gain gain_of(const Vector& difference) {
  const auto n = static_cast<double>(difference.size());
  Gain gain;
  gain.mean = difference.mean();
  gain.standard_error =
      std::sqrt((difference.array() - gain.mean).square().sum() / (n * std::max(1.0, n - 1)));
  gain.clear = gain.mean < -(1 + 2 / n) * gain.standard_error;
  return gain;
}

ShrinkageTable cross_validate_shrinkage(const QuadraticForm& form, const Disturbances& data,
                                        Index folds,
                                        const std::function<void(Index, Index)>& progress,
                                        bool outputs) {
  check_at_least("trajectories for cross-validation", data.n(), 2);
  if (data.w.isZero(0.0)) throw InputError("data: all entries are zero: there is nothing to learn");
  const bool constant = form.pattern.constant;
  ShrinkageTable table;
  table.folds = std::min(folds, data.n());
  table.g = {1};
  if (constant) table.g.push_back(1);  // white around the mean
  table.g.insert(table.g.end(), weights.begin(), weights.end());
  if (outputs) table.g.insert(table.g.end(), smaller.begin(), smaller.end());
  const auto count = static_cast<Index>(table.g.size());

  Matrix difference(data.n(), count);  // held-out cost of each trajectory minus LQR's
  for (Index fold = 0; fold < table.folds; ++fold) {
    const auto [inside, outside] = fold_rows(data.n(), table.folds, fold);
    const Matrix train = moment_matrix(sample_moments(select_rows(data, outside)), constant);
    const Matrix rows = extended_rows(select_rows(data, inside), constant);
    Vector reference;
    for (Index c = 0; c < count; ++c) {
      const Matrix Sigma = candidate_moment(train, form, table.g, static_cast<size_t>(c));
      const Vector cost = trajectory_costs(form, rows, minimize_risk(form, Sigma).Z);
      if (c == 0) reference = cost;
      for (size_t i = 0; i < inside.size(); ++i)
        difference(inside[i], c) = cost(static_cast<Index>(i)) - reference(static_cast<Index>(i));
      if (progress) progress(fold * count + c + 1, table.folds * count);
    }
  }
  for (Index c = 0; c < count; ++c) {
    const Gain gain = gain_of(difference.col(c));
    table.difference.push_back(gain.mean);
    table.standard_error.push_back(gain.standard_error);
    if (gain.mean < table.difference[table.best]) table.best = static_cast<size_t>(c);
  }
  table.each = std::move(difference);
  return table;
}

}  // namespace loopcert
