// Summaries that plots are made of.
#pragma once

#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert::report {

// By linear interpolation between order statistics; `sorted` ascending and not empty.
double quantile(const std::vector<double>& sorted, double probability);

struct Summary {
  Index count = 0;
  double mean = 0, median = 0;
  double standard_deviation = 0;  // with 1/(count - 1); 0 for a single value
};
Summary summarize(std::vector<double> values);

// Covariance around the sample mean, with 1/n.
Matrix sample_covariance(const MatrixView& data);
// Its eigenvalues, largest first: all d of them, by way of the smaller of two Gram matrices.
Vector covariance_eigenvalues(const MatrixView& data);
Vector eigenvalues(const MatrixView& symmetric);  // largest first
inline constexpr Index most_eigenvalues = 2000;   // beyond it a page would take minutes

// The covariance over the deviations; zero where a coordinate does not vary.
Matrix sample_correlation(const MatrixView& data);

// Every coordinate minus its mean over its standard deviation, pooled and sorted; constant
// coordinates are left out.
std::vector<double> standardized(const MatrixView& data);

}  // namespace loopcert::report
