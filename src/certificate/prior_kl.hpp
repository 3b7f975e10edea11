// KL(rho || pi) when the prior is not isotropic or the posterior not diagonal. With Lambda the
// prior's precision, b_ij the entries that xi_ij makes in the posterior's frame and
// w_ij = <b_ij, Lambda b_ij>:
//
//   KL = 1/2 sum (V_ij w_ij - 1 - log V_ij) + 1/2 <step, Lambda step> - log|det frame| + log|det
//   D|,
//
// step = mean - center, and the prior is center + D xi.
#pragma once

#include "certificate/gaussian.hpp"

namespace loopcert {

class PriorKl {
 public:
  // The caller keeps prior and pattern alive.
  PriorKl(const Prior& prior, const CausalPattern& pattern, SharedFrame frame);

  double value(const Posterior& posterior) const;
  Matrix pull(const Matrix& mean) const;              // Lambda (mean - center), causal entries
  const Matrix& weights() const { return weights_; }  // w_ij, zero off the pattern

 private:
  const Prior& prior_;
  const CausalPattern& pattern_;
  SharedFrame frame_;
  Matrix weights_;
  double log_determinants_ = 0;  // log|det D| - log|det frame|
};

// The variances with the smallest KL: 1/w_ij in the frame, zero off the pattern.
Matrix prior_variance(const Prior& prior, const CausalPattern& pattern, const SharedFrame& frame);

// The prior's precision on the causal entries.
Matrix apply_precision(const Prior& prior, const CausalPattern& pattern, const Matrix& step);

}  // namespace loopcert
