#include "learning/path.hpp"

#include <algorithm>

namespace loopcert {

// At a minimum 1/V = data + 1/s^2, and Z is the mean of the data's Z_d and the prior's centre c
// with these weights: Z/V = data Z_d + c/s^2. Exact for a diagonal quadratic bound, else a good
// guess.
Posterior under_other_prior(const Posterior& posterior, const Prior& from, const Prior& to,
                            const CausalPattern& pattern) {
  Posterior moved = posterior;
  const double before = 1 / (from.scale * from.scale), after = 1 / (to.scale * to.scale);
  for (Index j = 0; j < pattern.cols(); ++j)
    for (Index i = pattern.first_row(j); i < pattern.rows(); ++i) {
      const double precision = 1 / posterior.variance(i, j);
      const double V = 1 / (std::max(precision - before, 0.0) + after);
      moved.variance(i, j) = V;
      moved.mean(i, j) = V * (precision * posterior.mean(i, j) - before * from.center(i, j) +
                              after * to.center(i, j));
    }
  return moved;
}

PacBayesResult BoundPath::next(const BoundInputs& inputs, const Prior& prior) {
  if (last_ && (prior.scale != last_prior_.scale || prior.center != last_prior_.center))
    last_ = under_other_prior(*last_, last_prior_, prior, form_.pattern);
  PacBayesResult result = minimize_bound(form_, inputs, prior, options_, last_ ? &*last_ : nullptr);
  last_ = result.posterior;
  last_prior_ = prior;
  return result;
}

std::vector<PacBayesResult> minimize_along(const QuadraticForm& form,
                                           const std::vector<PathPoint>& path,
                                           const PacBayesOptions& options) {
  BoundPath bounds(form, options);
  std::vector<PacBayesResult> results;
  for (const PathPoint& point : path) {
    results.push_back(bounds.next(point.inputs, point.prior));
    if (results.back().status == SolverStatus::interrupted) break;
  }
  return results;
}

}  // namespace loopcert
