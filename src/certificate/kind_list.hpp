// The makers that the table in kinds.cpp lists, and what several of them share.
#pragma once

#include "loopcert/certificate/kinds.hpp"

namespace loopcert {

CertificateKind data_driven_kind();
CertificateKind data_driven_randomized_kind();
CertificateKind data_driven_rank_aware_kind();
CertificateKind data_driven_mean_kind();
CertificateKind data_driven_exact_kind();
CertificateKind bounded_kind();
CertificateKind oracle_kind();
CertificateKind oracle_randomized_kind();
CertificateKind posterior_localized_kind();

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
std::optional<Missing> missing_law(const Premises& premises, const std::string& kind);

// The first that is missing.
std::optional<Missing> first_missing(std::initializer_list<std::optional<Missing>> all);

// Sentences.
std::string gaussian_iid_sentence(bool zero_mean);
std::string scale_sentence(double scale);
std::string prior_sentence();
std::string model_sentence();

// Additive radius (paper): U = Sigma_hat + eps I on w, zero mean, spread t = eps on w.
BoundSetup data_driven_setup(const Setting& setting);
std::optional<Missing> data_driven_needs(const Premises& premises);

}  // namespace loopcert
