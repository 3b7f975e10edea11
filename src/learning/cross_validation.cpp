#include <cmath>

#include "core/check.hpp"
#include "data/moments.hpp"
#include "data/parts.hpp"
#include "learning/minimizers.hpp"
#include "risk/risk.hpp"

namespace loopcert {
namespace {

// 10^2 … 10^-4 in half decades, relative to the mean curvature: scaling the plant, the weights or
// the data scales the candidates with them.
std::vector<double> gamma_candidates(const QuadraticForm& form, const MatrixView& Sigma) {
  const double scale = form.P.diagonal().mean() * Sigma.diagonal().mean();
  std::vector<double> gamma;
  for (int half_decade = 4; half_decade >= -8; --half_decade)
    gamma.push_back(scale * std::pow(10.0, 0.5 * half_decade));
  return gamma;
}

}  // namespace

CrossValidation cross_validate_ridge(const QuadraticForm& form, const Disturbances& data,
                                     Index folds,
                                     const std::function<void(Index, Index)>& progress) {
  check_at_least("trajectories for cross-validation", data.n(), 2);
  const bool constant = form.pattern.constant;
  CrossValidation cv;
  cv.folds = std::min(folds, data.n());
  cv.gamma = gamma_candidates(form, moment_matrix(sample_moments(data), constant));
  const auto candidates = static_cast<Index>(cv.gamma.size());

  Matrix cost(cv.folds, candidates);  // held-out cost of each fold
  RidgeOptions options;
  options.relative_residual = 1e-8;  // far below the noise of a held-out cost
  for (Index fold = 0; fold < cv.folds; ++fold) {
    const FoldRows rows = fold_rows(data.n(), cv.folds, fold);
    const Matrix train = moment_matrix(sample_moments(select_rows(data, rows.outside)), constant);
    const Matrix held_out = moment_matrix(sample_moments(select_rows(data, rows.inside)), constant);
    Matrix Z = Matrix::Zero(form.pattern.rows(), form.pattern.cols());
    for (Index i = 0; i < candidates; ++i) {  // largest first: each starts from the one before
      Z = ridge(form, train, cv.gamma[static_cast<size_t>(i)], options, &Z).Z;
      cost(fold, i) = risk(form, held_out, Z);
      if (progress) progress(fold * candidates + i + 1, cv.folds * candidates);
    }
  }

  Index best = 0;
  for (Index i = 0; i < candidates; ++i) {
    const double mean = cost.col(i).mean();
    const double variance = (cost.col(i).array() - mean).square().sum();
    cv.cost.push_back(mean);
    cv.standard_error.push_back(
        std::sqrt(variance / static_cast<double>(cv.folds * std::max<Index>(1, cv.folds - 1))));
    if (mean < cv.cost[static_cast<size_t>(best)]) best = i;
  }
  cv.best_gamma = cv.gamma[static_cast<size_t>(best)];
  return cv;
}

}  // namespace loopcert
