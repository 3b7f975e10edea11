// Matrices above the covariance and quantiles, each with what it rests on.
#pragma once

#include <functional>

#include "loop.hpp"

namespace verify {

// A sentence that the record must hold: a pattern, and the numbers at its {}.
struct Sentence {
  std::string pattern;
  std::vector<double> numbers;
};

struct Data {
  long n = 0;
  Mat mean{0, 0};    // 1 x d_w
  Mat second{0, 0};  // d_w x d_w, around zero
};
Data moments_of(const Table& rows);

struct Envelope {
  Mat U{0, 0};
  std::vector<Sentence> events, assumptions;  // events but the first
};
// additive | scale | relative | one-sided | white | known
Envelope make_envelope(const std::string& name, const Record& record, const Data& data);

double scale_bound(const Record& record);
Mat covariance_bound(const Record& record);
Ball covariance_radius(double scale, long d, long n, double delta);

// The largest number up to `high`, to 1e-12 of it, at which the increasing `excess` is certainly
// not above zero. It is evaluated with as many bits as that takes.
double largest_with(const std::function<Ball(double)>& excess, double high);

// P(G <= x) of a gamma variable G with shape k, a multiple of 1/2.
Ball gamma_below(double k, const Ball& x);

// lambda_min of a standard Wishart over n is below it with probability at most delta.
double wishart_floor(long d, long n, double delta);

inline const std::string scale_pattern =
    "No eigenvalue of the covariance of a trajectory exceeds {}.";
inline const std::string gaussian_zero_mean =
    "The trajectories (x_0, w_0, ..., w_{T-1}) are independent draws of one Gaussian law with mean "
    "zero, the law met after deployment.";
inline const std::string gaussian_any_mean =
    "The trajectories (x_0, w_0, ..., w_{T-1}) are independent draws of one Gaussian law, the law "
    "met after deployment.";

}  // namespace verify
