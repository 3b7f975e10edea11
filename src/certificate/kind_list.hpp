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

// Checks that the assumption was granted, or throws InputError that names the key to set.
double require_scale_bound(const Setting& setting, const std::string& kind);
// A problem file that states both an assumption and a law that breaks it gets no certificate.
void check_scale_bound_against_law(const Assumptions& assumptions);
void check_zero_mean(const Assumptions& assumptions, const std::string& kind);
void require_gaussian(const Setting& setting, const std::string& kind);
const Law& require_law(const Setting& setting, const std::string& kind);

// Sentences.
std::string gaussian_iid_sentence(bool zero_mean);
std::string scale_sentence(double scale);
std::string prior_sentence();
std::string model_sentence();

// Additive radius (paper): U = Sigma_hat + eps I on w, zero mean, spread t = eps on w.
BoundSetup data_driven_setup(const Setting& setting);

}  // namespace loopcert
