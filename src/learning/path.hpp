// Neighbouring bounds, one after the other: grids of n, delta, lambda or prior scales. Each is
// minimized from the posterior of the one before, which saves evaluations and changes no minimum by
// more than the optimizer's tolerance. Deterministic; the order matters to the last digits only.
#pragma once

#include <optional>
#include <vector>

#include "learning/pac_bayes.hpp"

namespace loopcert {

// The caller keeps both alive.
struct PathPoint {
  const BoundInputs& inputs;
  const Prior& prior;
};

class BoundPath {
 public:
  explicit BoundPath(const QuadraticForm& form, PacBayesOptions options = {})
      : form_(form), options_(std::move(options)) {}

  // The first from the ordinary start, every other one from its neighbour's posterior.
  PacBayesResult next(const BoundInputs& inputs, const Prior& prior);

  // From here on somewhere else; the caller keeps it alive.
  void move_to(Backend& backend) { options_.backend = &backend; }

 private:
  const QuadraticForm& form_;
  PacBayesOptions options_;
  std::optional<Posterior> last_;
  Prior last_prior_;
};

// All of them, in order; ends after one that was interrupted.
std::vector<PacBayesResult> minimize_along(const QuadraticForm& form,
                                           const std::vector<PathPoint>& path,
                                           const PacBayesOptions& options = {});

// The posterior that the same data would give, entry by entry, had `to` been the prior in place of
// `from`: precisions are those of the data plus the prior's, means are weighted by them.
Posterior under_other_prior(const Posterior& posterior, const Prior& from, const Prior& to,
                            const CausalPattern& pattern);

}  // namespace loopcert
