// The paper's: independent entries, and the same in the eigenbasis of M_G.
#include "families_list.hpp"

namespace loopcert {

PosteriorFamily diagonal_family() {
  return {"independent entries (the paper's)",
          [](const QuadraticForm&, const BoundInputs&, const Prior&, const PacBayesOptions&,
             PacBayesResult diagonal) { return diagonal; }};
}

PosteriorFamily rotated_family() {
  return {"independent coordinates in the eigenbasis of M_G",
          [](const QuadraticForm& form, const BoundInputs& inputs, const Prior& prior,
             const PacBayesOptions& options, PacBayesResult diagonal) {
            return minimize_in_frame(form, inputs, prior, options, rotated_frame(form), diagonal);
          }};
}

}  // namespace loopcert
