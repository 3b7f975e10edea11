// Counter-based random streams (Philox 4x64-10). A number is a pure function of (seed, cell,
// trajectory, position): no state, no order of calls, the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <span>

#include "loopcert/core/types.hpp"

namespace loopcert {

struct Stream {
  std::uint64_t seed = 0;
  std::uint64_t cell = 0;  // which experiment of a sweep; which purpose within one run
};

// The bits at `position` of trajectory `trajectory`: four 64-bit words per position.
struct RandomBits {
  std::uint64_t word[4];
};
RandomBits random_bits(const Stream& stream, std::uint64_t trajectory, std::uint64_t position);

// Uniform on (0, 1), never 0 nor 1: (top 52 bits + 1/2) / 2^52.
double uniform_from_bits(std::uint64_t bits);

// The standard normal quantile (Wichura 1988, algorithm AS 241, relative error about 1e-16).
// Our own transform: the standard library's differ between implementations.
double normal_quantile(double probability);

// out[i] = i-th independent standard normal of this trajectory.
void fill_standard_normal(const Stream& stream, std::uint64_t trajectory, std::span<double> out);
void fill_uniform(const Stream& stream, std::uint64_t trajectory, std::span<double> out);

// n x d, row i from trajectory first + i.
Matrix standard_normal_rows(const Stream& stream, std::uint64_t first, Index n, Index d);

}  // namespace loopcert
