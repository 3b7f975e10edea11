// The cost difference of two responses as one indefinite quadratic form.
#pragma once

#include "kinds/fixed_list.hpp"

namespace loopcert {

// d(w) = |M w + m|^2 - |M_0 w + m_0|^2 = z'Dz with z = (1, w).
Matrix difference_form(const FixedSetting& setting);  // D, (1 + d_w) x (1 + d_w), symmetric

// D = D_+ - D_-, both positive semidefinite: the positive and the negative part in the metric.
// Their means over the data.
struct SignedMeans {
  double P = 0;  // mean of z'D_+z
  double N = 0;  // mean of z'D_-z
};
// Throws NumericsError when rounding hides the difference.
SignedMeans signed_means(const FixedSetting& setting, const MatrixView& D);

// Lhat + Lhat_0: rounding errors of the difference are a part of it.
double size_of_costs(const FixedSetting& setting);

// A record of functional cost-difference, without terms.
Certificate difference_certificate(const FixedSetting& setting, const std::string& kind,
                                   std::vector<Event> events, const Statement& law);

// The terms of L - L_0 <= dbar + margin, from dbar and the bound, and what rounding may have taken
// from it.
void finish_difference(Certificate& c, const FixedSetting& setting, double empirical, double bound);

}  // namespace loopcert
