// Gaussian prior and posterior on the causal coordinates Z.
#pragma once

#include <memory>
#include <string>

#include "certificate/frame.hpp"
#include "loopcert/core/random.hpp"
#include "loopcert/core/types.hpp"
#include "response/pattern.hpp"

namespace loopcert {

// A prior that is not isotropic: Z = center + scale D with independent standard normal Xi.
struct PriorShape {
  std::string covariance;  // cost | diagonal | kronecker | full
  Matrix deviation;        // diagonal: D = deviation .* Xi
  Matrix rows, columns;    // cost, kronecker: D = rows Xi columns, lower triangular; no columns: I
  Matrix full;             // full: pack(D) = full xi, p x p
};

// pi = N(center, scale^2 I) on the free entries, or of another shape. Never made from certifying
// data.
struct Prior {
  Matrix center;       // d_u x d_z, zero outside the pattern
  double scale = 1.0;  // standard deviation
  std::shared_ptr<const PriorShape> shape = nullptr;
};

// rho: the learned distribution; its mean is what is deployed. N(mean, diag(variance)), or with
// these variances in a frame.
struct Posterior {
  Matrix mean;      // d_u x d_z, zero outside the pattern
  Matrix variance;  // d_u x d_z, positive on the pattern, zero outside
  SharedFrame frame = nullptr;
};

// Throws InputError: sizes, NaN or Inf, a variance that is not positive, an entry off the pattern.
void check_prior(const Prior& prior, const CausalPattern& pattern);
void check_posterior(const Posterior& posterior, const CausalPattern& pattern);

// KL(rho || pi) = 1/2 sum (V/s^2 + (Z - Z_pi)^2/s^2 - 1 - log(V/s^2)) over the free entries of a
// diagonal posterior and an isotropic prior; of others: prior_kl.hpp.
double kl_divergence(const Posterior& posterior, const Prior& prior, const CausalPattern& pattern);

// The part of columns [first, first + count), diagonal posterior and isotropic prior.
double kl_divergence(const Posterior& posterior, const Prior& prior, const CausalPattern& pattern,
                     Index first, Index count);

// The variance of each entry of Z, whatever the frame.
Matrix marginal_variance(const Posterior& posterior);

// Sigma_rho over the free entries, p x p, and a posterior with any given one; for small p.
Matrix posterior_covariance(const Posterior& posterior, const CausalPattern& pattern);
Posterior posterior_with_covariance(const CausalPattern& pattern, const MatrixView& mean,
                                    const MatrixView& Sigma);

// Z ~ rho, draw number `index` of the stream.
Matrix sample_posterior(const Posterior& posterior, const Stream& stream, std::uint64_t index);

}  // namespace loopcert
