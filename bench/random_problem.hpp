// Plants, costs and data of any size for the benchmarks.
#pragma once

#include <Eigen/Eigenvalues>
#include <cmath>

#include "data/moments.hpp"
#include "loopcert/core/random.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/system/cost.hpp"

namespace loopcert::bench {

// Weights between 0.1 and 10: with equal ones ridge would be done after one step.
inline Matrix random_weight(Index size, std::uint64_t seed) {
  Vector log(size);
  fill_uniform({seed, 2}, 0, {log.data(), static_cast<size_t>(size)});
  return (10.0 * (log.array() * -std::log(100.0)).exp()).matrix().asDiagonal();
}

// Spectral radius 0.95, so that every horizon means the same.
inline System random_system(const Sizes& sizes, std::uint64_t seed) {
  System system;
  Matrix A = standard_normal_rows({seed, 0}, 0, sizes.n_x, sizes.n_x);
  A *= 0.95 / A.eigenvalues().cwiseAbs().maxCoeff();
  const Matrix B = standard_normal_rows({seed, 1}, 0, sizes.n_x, sizes.n_u);
  system.plant = {sizes.T, {A}, {B / std::sqrt(static_cast<double>(sizes.n_x))}, {}};
  system.cost = {{random_weight(sizes.n_x, seed)},
                 {random_weight(sizes.n_u, seed + 1)},
                 random_weight(sizes.n_x, seed + 2)};
  return system;
}

inline Matrix white_sample_moment(const Sizes& sizes, std::uint64_t seed) {
  const Index d_w = sizes.d_w();
  const Law white{Vector::Zero(d_w), Matrix::Identity(d_w, d_w)};
  return moment_matrix(sample_moments(sample_disturbances(white, {seed, 3}, 2 * d_w)), false);
}

}  // namespace loopcert::bench
