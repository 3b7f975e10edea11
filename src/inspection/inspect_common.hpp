// Tail probabilities and small helpers that the checks share.
#pragma once

#include <functional>
#include <string>

#include "inspection/inspection.hpp"

namespace loopcert {

double normal_two_sided(double z);
double normal_upper(double z);
double chi_squared_upper(double x, double degrees);
double chi_squared_lower(double x, double degrees);
double chi_squared_quantile(double probability, double degrees);
double student_two_sided(double t, double degrees);
double fisher_upper(double x, double degrees_above, double degrees_below);

// min(1, count p): the smallest of `count` p-values, corrected.
double corrected(double p, double count);

// (1 + #{simulated >= observed}) / (1 + R): exact when the simulated values have the law of the
// observed one. Beyond all of them the upper tail is continued as a power law fitted to its last
// tenth.
double simulated_p_value(double observed, std::vector<double> simulated);

// Skewness and kurtosis of rows with mean zero and covariance I, against Gaussian ones.
struct NormalShape {
  double kurtosis = 0;  // over what a Gaussian law gives
  double p = 1;
};
NormalShape test_normal_shape(const Matrix& all, const InspectionEffort& effort);

Verdict judge(double p, bool assumed);
std::string p_text(double p);                                 // "p = 0.03"
std::string small(double value);                              // three digits
std::string name_of(const PreparedData& data, Index column);  // "w3_1"

}  // namespace loopcert
