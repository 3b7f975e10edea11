// Which covariances a posterior may have (docs/theory/posterior-families.md). A PAC-Bayes bound
// holds for all posteriors at once: families may be compared by their bounds at no cost in delta.
#pragma once

#include <string>
#include <vector>

#include "learning/pac_bayes.hpp"

namespace loopcert {

struct PosteriorFamily {
  std::string about;  // one line for people
  // The smallest bound that was found in the family, from the one among diagonal posteriors.
  PacBayesResult (*minimize)(const QuadraticForm& form, const BoundInputs& inputs,
                             const Prior& prior, const PacBayesOptions& options,
                             PacBayesResult diagonal);
  std::string name = {};  // that of the list
};

const std::vector<PosteriorFamily>& posterior_families();
// Throws InputError, which calls the name `place`.
const PosteriorFamily& posterior_family(const std::string& name,
                                        const std::string& place = "learning.posterior");

// The smaller of the two: among diagonal posteriors, and in the family.
PacBayesResult minimize_in_family(const PosteriorFamily& family, const QuadraticForm& form,
                                  const BoundInputs& inputs, const Prior& prior,
                                  const PacBayesOptions& options, PacBayesResult diagonal);

// Frames that owe nothing to data. Rotated: the eigenbasis of M_G, that is of the trailing blocks
// of P.
SharedFrame rotated_frame(const QuadraticForm& form);
// E = C xi L with C C' = (P + kappa I)^-1 and L'L = Gamma^-1.
SharedFrame kronecker_frame(const QuadraticForm& form, double kappa, const Matrix& Gamma);

// The same posterior, or one near it, in another frame.
Posterior seen_in(const SharedFrame& frame, const Posterior& posterior,
                  const CausalPattern& pattern);

}  // namespace loopcert
