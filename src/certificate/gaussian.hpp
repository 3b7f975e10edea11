// Gaussian prior and posterior with independent entries on the causal coordinates Z.
#pragma once

#include "loopcert/core/random.hpp"
#include "loopcert/core/types.hpp"
#include "response/pattern.hpp"

namespace loopcert {

// pi = N(center, scale^2 I) on the free entries. Never made from certifying data.
struct Prior {
  Matrix center;       // d_u x d_z, zero outside the pattern
  double scale = 1.0;  // standard deviation
};

// rho = N(mean, diag(variance)): the learned distribution; its mean is what is deployed.
struct Posterior {
  Matrix mean;      // d_u x d_z, zero outside the pattern
  Matrix variance;  // d_u x d_z, positive on the pattern, zero outside
};

// Throws InputError: sizes, NaN or Inf, a variance that is not positive, an entry off the pattern.
void check_prior(const Prior& prior, const CausalPattern& pattern);
void check_posterior(const Posterior& posterior, const CausalPattern& pattern);

// KL(rho || pi) = 1/2 sum (V/s^2 + (Z - Z_pi)^2/s^2 - 1 - log(V/s^2)) over the free entries.
double kl_divergence(const Posterior& posterior, const Prior& prior, const CausalPattern& pattern);

// The part of columns [first, first + count).
double kl_divergence(const Posterior& posterior, const Prior& prior, const CausalPattern& pattern,
                     Index first, Index count);

// Z ~ rho, draw number `index` of the stream.
Matrix sample_posterior(const Posterior& posterior, const Stream& stream, std::uint64_t index);

}  // namespace loopcert
