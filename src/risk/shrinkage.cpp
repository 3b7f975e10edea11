#include "loopcert/risk/shrinkage.hpp"

#include <cmath>

#include "loopcert/core/check.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/moments.hpp"
#include "loopcert/data/parts.hpp"
#include "loopcert/risk/minimizers.hpp"
#include "loopcert/risk/risk.hpp"

namespace loopcert {
namespace {

const std::vector<double> weights = {0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05, 0.02};

}  // namespace

Matrix shrunk_moment(const MatrixView& Sigma, bool constant, double g) {
  const Index first = constant ? 1 : 0, d_w = Sigma.rows() - first;
  const Vector mean = constant ? Vector(Sigma.col(0).tail(d_w)) : Vector::Zero(d_w);
  Matrix shrunk = Sigma;
  auto block = shrunk.bottomRightCorner(d_w, d_w);
  const Matrix C = block - mean * mean.transpose();
  block = (1 - g) * C + mean * mean.transpose();
  block.diagonal().array() += g * C.diagonal().mean();
  return shrunk;
}

Matrix white_moment(const MatrixView& Sigma, bool constant) {
  const Index d_w = Sigma.rows() - (constant ? 1 : 0);
  Vector diagonal = Vector::Ones(Sigma.rows());
  diagonal.tail(d_w).setConstant(Sigma.diagonal().tail(d_w).mean());
  return diagonal.asDiagonal();
}

Matrix candidate_moment(const MatrixView& Sigma, bool constant, const std::vector<double>& g,
                        std::size_t c) {
  return c == 0 ? white_moment(Sigma, constant) : shrunk_moment(Sigma, constant, g.at(c));
}

ShrinkageTable cross_validate_shrinkage(const ResponseSpace& space, const Disturbances& data,
                                        Index folds,
                                        const std::function<void(Index, Index)>& progress) {
  check_at_least("trajectories for cross-validation", data.n(), 2);
  if (data.w.isZero(0.0)) throw InputError("data: nothing but zeros: there is nothing to learn");
  const bool constant = space.pattern.constant;
  ShrinkageTable table;
  table.folds = std::min(folds, data.n());
  table.g = {1};
  if (constant) table.g.push_back(1);  // white around the mean
  table.g.insert(table.g.end(), weights.begin(), weights.end());
  const auto count = static_cast<Index>(table.g.size());

  Matrix difference(data.n(), count);  // held-out cost of each trajectory minus LQR's
  for (Index fold = 0; fold < table.folds; ++fold) {
    const auto [inside, outside] = fold_rows(data.n(), table.folds, fold);
    const Matrix train = moment_matrix(sample_moments(select_rows(data, outside)), constant);
    const Matrix rows = extended_rows(select_rows(data, inside), constant);
    Vector reference;
    for (Index c = 0; c < count; ++c) {
      const Matrix Sigma = candidate_moment(train, constant, table.g, static_cast<size_t>(c));
      const Vector cost = trajectory_costs(space, rows, minimize_risk(space, Sigma).Z);
      if (c == 0) reference = cost;
      for (size_t i = 0; i < inside.size(); ++i)
        difference(inside[i], c) = cost(static_cast<Index>(i)) - reference(static_cast<Index>(i));
      if (progress) progress(fold * count + c + 1, table.folds * count);
    }
  }
  const auto n = static_cast<double>(data.n());
  table.margin = 1 + 10 / n;
  for (Index c = 0; c < count; ++c) {
    const double mean = difference.col(c).mean();
    const double squares = (difference.col(c).array() - mean).square().sum();
    table.difference.push_back(mean);
    table.standard_error.push_back(std::sqrt(squares / (n * (n - 1))));
    if (mean < table.difference[table.best]) table.best = static_cast<size_t>(c);
  }
  return table;
}

}  // namespace loopcert
