// The makers of posterior_kinds.inc, and what several of them share.
#pragma once

#include "certificate/envelope.hpp"
#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"

namespace loopcert {

#define ADD(maker) PosteriorKind maker();
#include "kinds/posterior_kinds.inc"

// The kind under an envelope of the table.
PosteriorKind posterior_under(const EnvelopeKind& envelope);

// The w block of a d_z x d_z matrix from a d_w x d_w one; zero for the constant.
Matrix extend(const CausalPattern& pattern, const MatrixView& on_w);
// (constant, on_w) as a d_z vector; `constant` is dropped when there is no constant column.
Vector extend(const CausalPattern& pattern, double constant, const VectorView& on_w);

Event pac_bayes_event(const Setting& setting);

// What a kind may need; nothing when it is granted. A problem file that states both an assumption
// and a law that breaks it does not grant it.
std::optional<Missing> missing_gaussian(const Premises& premises, const std::string& kind);
std::optional<Missing> missing_zero_mean(const Premises& premises, const std::string& kind);
std::optional<Missing> missing_scale_bound(const Premises& premises, const std::string& kind);
std::optional<Missing> missing_radius(const Premises& premises, const std::string& kind);
std::optional<Missing> missing_covariance_bound(const Premises& premises, const std::string& kind);
std::optional<Missing> missing_law(const Premises& premises, const std::string& kind);

// The first that is missing.
std::optional<Missing> first_missing(std::initializer_list<std::optional<Missing>> all);

// What several kinds assume.
Statement gaussian_law(bool zero_mean);
Statement scale_bound(double scale);

// The numbers of the smooth bound under an envelope, zero mean: U on w, rank-aware psi, spread
// t_j = Sigma_hat_jj - floor_j.
BoundSetup envelope_setup(const Setting& setting, const Envelope& envelope);
Envelope make_envelope(const EnvelopeKind& kind, const Setting& setting);

// Additive radius (paper): the envelope Sigma_hat + eps I, quadratic psi, spread t = eps on w.
BoundSetup data_driven_setup(const Setting& setting);
std::optional<Missing> data_driven_needs(const Premises& premises);
// The same from any such envelope and its radius, with the rank-aware psi.
BoundSetup radius_setup(const Setting& setting, const Envelope& envelope, double eps);

// ||w|| <= W: granted, and not refuted by the data (throws InputError).
void check_radius(const Setting& setting);
// With z = w, or z = (1, w), and v = D^-1 z: ||v||^2 <= reach.
struct BoundedReach {
  double reach = 0;  // W^2, or 2 W^2
  Vector D_squared;  // d_z: ones, and 1/W^2 for the constant
};
BoundedReach bounded_reach(const CausalPattern& pattern, double W);
Statement radius_bound(double W);

}  // namespace loopcert
