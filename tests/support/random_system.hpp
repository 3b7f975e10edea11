// Random problems for property tests: time-varying or not, affine or not, n_u > n_x, unstable A,
// singular Q. Everything is a function of the seed.
#pragma once

#include "loopcert/core/random.hpp"
#include "loopcert/data/disturbances.hpp"
#include "loopcert/system/cost.hpp"
#include "response/space.hpp"

namespace loopcert::testing {

struct Shape {
  Index n_x = 2;
  Index n_u = 1;
  Index T = 4;
  bool time_varying = false;
  bool offset = false;      // d != 0
  bool singular_Q = false;  // rank one Q and zero terminal weight
  double growth = 0.9;      // spectral scale of A; above 1 is unstable
};

// A shape whose every feature is drawn from the seed.
Shape random_shape(std::uint64_t seed);

System random_system(const Shape& shape, std::uint64_t seed);

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed);

// A random causal Z.
Matrix random_coordinates(const CausalPattern& pattern, std::uint64_t seed);

// n trajectories with a random, well-conditioned, coloured covariance and a non-zero mean.
Disturbances random_disturbances(const Sizes& sizes, Index n, std::uint64_t seed);

// The paper's plant: double integrator, T = 10.
System double_integrator();

// Its options in words, for test messages.
std::string shape_text(const Shape& shape);

}  // namespace loopcert::testing
