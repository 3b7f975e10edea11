#include "lemmas/lemmas.hpp"

namespace verify {

Ball covariance_radius(const Ball& scale, long d, long n, double delta) {
  const Ball t = sqrt(Ball(d) / n) + sqrt(2 * log(2 / Ball(delta)) / n);
  return scale * (2 * t + t * t);
}

Ball effective_rank_radius(const Ball& scale, const Ball& trace, long n, double delta) {
  const Ball u =
      (sqrt(trace) + (0.75 + sqrt(2 * log(2 / Ball(delta)))) * sqrt(scale)) / sqrt(Ball(n));
  return u * (2 * sqrt(scale) + u);
}

Ball mean_radius(const Ball& scale, long d, long n, double delta) {
  return sqrt(scale) * (sqrt(Ball(d) / n) + sqrt(2 * log(1 / Ball(delta)) / n));
}

Ball second_moment_radius(const Ball& reach, const Ball& norm, long d, long n, double delta) {
  const Ball c = 2 * reach * log(d / Ball(delta)) / n;
  return (c + sqrt(c * c + 4 * c * norm)) / 2;
}

}  // namespace verify
