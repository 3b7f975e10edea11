// Prior and posterior of a PAC-Bayes kind (docs/theory/priors.md).
#pragma once

#include "kinds/kinds.hpp"

namespace verify {

inline const std::vector<double> grid = {1.0, 0.3, 0.1, 0.03, 0.01};

struct Learned {
  // All are d_u x (1 + d_w) with the constant's column in front.
  Mat mean, center;                       // of the posterior and of the prior
  Gaussian posterior, prior;              // around them
  bool from_grid = false, given = false;  // the prior: its scale; by the user
};

// Those of the file. The prior is one that the problem names and that no certifying data have
// touched.
Learned read_posterior(const Record& record, const Space& space, const Response& deployed);
// Beside another method: around LQR in the coordinates of the cost.
Learned portfolio_posterior(const Record& record, const Space& space, const Mat& mean);

using Arrays = std::map<std::string, Table>;
// An array of posterior.npz with the constant's column in front, zero where Z is not free.
Mat read_array(const Arrays& arrays, const std::string& name, const Space& space);
// How the entries of posterior and prior are correlated, if they are.
void read_correlation(const Arrays& arrays, const Space& space, Gaussian& posterior);
void read_correlation(const Arrays& arrays, const Space& space, const std::string& covariance,
                      Gaussian& prior);

}  // namespace verify
