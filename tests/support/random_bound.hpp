// A random problem with data, prior and posterior, and what the dense recomputation of its
// certificates shares: everything by definition, on tensors M_k, with infima by trisection.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "certificate/kinds.hpp"
#include "certificate/premises.hpp"
#include "dense_bound.hpp"
#include "random_system.hpp"
#include "response/space.hpp"

namespace loopcert::testing {

inline double f(double x) { return x - 0.5 * std::log(1 + 2 * x); }

struct Infimum {
  double value = 0, lambda = 0;
};

// min over lambda of (rate + psi)/lambda, quasi-convex in log lambda: from where the rate is all
// there is of it, upwards until it rises, and then by trisection.
inline Infimum infimum(double rate, const std::function<double(double)>& psi) {
  const auto value = [&](double log_lambda) {
    return (rate + psi(std::exp(log_lambda))) / std::exp(log_lambda);
  };
  double high = -60;
  while (value(high) < value(high - 1)) ++high;
  double low = high - 2;
  for (int i = 0; i < 100; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    const double at_right = value(right);
    (value(left) < at_right || !std::isfinite(at_right) ? high : low) =
        value(left) < at_right || !std::isfinite(at_right) ? right : left;
  }
  return {value(low), std::exp(low)};
}

class RandomBound : public ::testing::TestWithParam<int> {
 protected:
  explicit RandomBound(Index trajectories)
      : n(static_cast<double>(trajectories)),
        seed(static_cast<std::uint64_t>(GetParam())),
        shape(random_shape(seed)) {
    shape.T = std::min<Index>(shape.T, 3);
    shape.n_u = std::min<Index>(shape.n_u, 2);
    system = random_system(shape, seed);
    space = make_response_space(system, {.affine = seed % 2 == 0});
    data = random_disturbances(system.sizes(), trajectories, seed);
    evidence = evidence_of(data);
    d = data.w.cols();
    prior = {0.1 * random_coordinates(space.coordinates.pattern, seed + 1), 0.7};
    posterior.mean = 0.5 * random_coordinates(space.coordinates.pattern, seed + 2);
    posterior.variance = 0.2 * random_coordinates(space.coordinates.pattern, seed + 3).cwiseAbs2();
    root = random_matrix(d, d, seed + 4);
    assumptions.scale_bound = 1.3;
    form = dense_form(system, space);
    mean = pack(space.coordinates.pattern, posterior.mean);
    variance = pack(space.coordinates.pattern, posterior.variance);
  }

  Certificate evaluate(const std::string& name, const Deltas& delta) const {
    return evaluate_certificate(posterior_kind(name), {system, space, assumptions, evidence, delta},
                                prior, posterior);
  }
  // (KL + log(n/delta)) / (n - 1), the prior of scale 0.7
  double rate(double delta) const {
    const Vector shift = mean - pack(space.coordinates.pattern, prior.center);
    const Vector ratio = variance / 0.49;
    const double kl = 0.5 * (ratio.sum() + shift.squaredNorm() / 0.49 -
                             static_cast<double>(mean.size()) - ratio.array().log().sum());
    return (kl + std::log(n / delta)) / (n - 1);
  }
  double loss(const Matrix& M, Index i) const {
    Vector z = Vector::Ones(space.coordinates.pattern.cols());
    z.tail(d) = data.w.row(i);
    return (M * z).squaredNorm();
  }
  double empirical(const Matrix& M) const {
    double sum = 0;
    for (Index i = 0; i < data.n(); ++i) sum += loss(M, i);
    return sum / n;
  }

  double n;
  std::uint64_t seed;
  Shape shape;
  System system;
  ResponseSpace space;
  Disturbances data;
  Index d = 0;
  Evidence evidence;
  Prior prior;
  Posterior posterior;
  Assumptions assumptions;
  Matrix root;  // d x d, for covariances
  DenseForm form;
  Vector mean, variance;
};

}  // namespace loopcert::testing
