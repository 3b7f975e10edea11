// The makers of envelopes.inc, and what several of them share.
#pragma once

#include "certificate/envelope.hpp"
#include "certificate/premises.hpp"

namespace loopcert {

#define ADD(maker) EnvelopeKind maker();
#include "envelopes/envelopes.inc"

// A Gaussian law with mean zero: what every envelope here assumes.
std::optional<Missing> missing_centred_gaussian(const Premises& premises, const std::string& kind);

// More than d trajectories: what a Wishart quantile in dimension d needs.
std::optional<Missing> missing_samples(const Premises& premises, Index d, const std::string& kind);

// A Wishart quantile of zero says nothing: throws InputError.
void require_quantile(double q, Index n, const std::string& kind);

// What a hold-out kind under Sigma_hat / q is at least, as a multiple of Lhat.
double least_under(double q, const Premises& premises);

// a <= b in the Loewner order, up to 1e-12 of the diagonal of b, in units of each row.
bool loewner_below(const MatrixView& a, const MatrixView& b);

}  // namespace loopcert
