// What data and assumptions say about the unknown law: a matrix above the covariance, with the
// event on which that holds and its price in delta.
#pragma once

#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "loopcert/data/moments.hpp"

namespace loopcert {

// Something that fails with probability at most delta.
struct Event {
  std::string name;
  double delta = 0;
  std::string statement;
};

// a = sqrt(d/n) + sqrt(2 log(2/delta)/n) and eps = scale (2a + a^2): with probability 1 - delta,
// ||Sigma_hat - Sigma|| <= eps for n Gaussian samples in dimension d with known mean and
// ||Sigma|| <= scale (paper, app:covariance_radius).
double covariance_radius(double scale, Index d, Index n, double delta);

// r = sqrt(scale) (sqrt(d/n) + sqrt(2 log(1/delta)/n)): with probability 1 - delta,
// ||w_bar - mu|| <= r (the norm of a Gaussian vector is Lipschitz).
double mean_radius(double scale, Index d, Index n, double delta);

}  // namespace loopcert
