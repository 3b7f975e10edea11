// Prior and posterior of a PAC-Bayes kind (docs/theory/priors.md).
#pragma once

#include "kinds/kinds.hpp"

namespace verify {

inline const std::vector<double> grid = {1.0, 0.3, 0.1, 0.03, 0.01};

struct Learned {
  // All are d_u x (1 + d_w) with the constant's column in front.
  Mat mean, center;  // of the posterior and of the prior
  Mat V{0, 0};       // variances of the posterior
  double scale = 0;  // of the prior
  Mat unit{0, 0};    // and its variances are (scale unit_j)^2; d_w + 1 of them
  bool from_grid = false;
};

// Those of the file. The prior is one that the problem names and that no certifying data have
// touched.
Learned read_posterior(const Record& record, const Space& space, const Response& deployed);
// Beside another method: around LQR in the coordinates of the cost.
Learned portfolio_posterior(const Record& record, const Space& space, const Mat& mean);

}  // namespace verify
