#include "random_system.hpp"
#include "seed.hpp"

#include <fmt/format.h>

namespace loopcert::testing {
namespace {

Matrix random_psd(Index size, Index rank, double floor, std::uint64_t seed) {
  const Matrix root = random_matrix(size, rank, seed);
  return root * root.transpose() / static_cast<double>(rank) + floor * Matrix::Identity(size, size);
}

}  // namespace

Shape random_shape(std::uint64_t seed) {
  const RandomBits bits = random_bits(test_stream(seed, 77), 0, 0);
  const auto pick = [&](int word, std::uint64_t count) {
    return static_cast<Index>((bits.word[word] >> 20) % count);
  };
  Shape shape;
  shape.n_x = 1 + pick(0, 3);
  shape.n_u = 1 + pick(1, 4);  // often more inputs than states
  shape.T = 1 + pick(2, 6);
  shape.time_varying = bits.word[3] & 1;
  shape.offset = bits.word[3] & 2;
  shape.singular_Q = bits.word[3] & 4;
  shape.growth = (bits.word[3] & 8) ? 1.4 : 0.8;
  return shape;
}

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  return standard_normal_rows(test_stream(seed, 1234), 0, rows, cols);
}

System random_system(const Shape& s, std::uint64_t seed) {
  const Index count = s.time_varying ? s.T : 1;
  System system;
  system.plant.T = s.T;
  for (Index t = 0; t < count; ++t) {
    const auto key = seed * 1000 + static_cast<std::uint64_t>(t) * 10;
    const Matrix A = random_matrix(s.n_x, s.n_x, key + 1);
    system.plant.A.push_back(A * (s.growth / std::max(0.1, A.norm())));
    system.plant.B.push_back(random_matrix(s.n_x, s.n_u, key + 2));
    system.cost.Q.push_back(
        random_psd(s.n_x, s.singular_Q ? 1 : s.n_x, s.singular_Q ? 0.0 : 0.1, key + 3));
    system.cost.R.push_back(random_psd(s.n_u, s.n_u, 0.2, key + 4));
  }
  system.cost.P =
      s.singular_Q ? Matrix::Zero(s.n_x, s.n_x) : random_psd(s.n_x, s.n_x, 0.1, seed * 1000 + 5);
  if (s.offset) system.plant.d = 0.5 * random_matrix(s.n_x, s.T, seed * 1000 + 6);
  return system;
}

Matrix random_coordinates(const CausalPattern& pattern, std::uint64_t seed) {
  Matrix Z = random_matrix(pattern.rows(), pattern.cols(), seed);
  project_causal(pattern, Z);
  return Z;
}

Disturbances random_disturbances(const Sizes& sizes, Index n, std::uint64_t seed) {
  const Index d = sizes.d_w();
  const Matrix mix =
      Matrix::Identity(d, d) + 0.5 / std::sqrt(static_cast<double>(d)) * random_matrix(d, d, seed);
  Disturbances data{random_matrix(n, d, seed + 1) * mix};
  data.w.rowwise() += 0.3 * random_matrix(1, d, seed + 2).row(0);
  return data;
}

System double_integrator() {
  System system;
  system.plant.T = 10;
  system.plant.A = {Matrix{{1, 1}, {0, 1}}};
  system.plant.B = {Matrix{{0.5}, {1}}};
  system.cost.Q = {Matrix{{1, 0}, {0, 0.1}}};
  system.cost.R = {Matrix{{0.5}}};
  system.cost.P = Matrix{{2, 0}, {0, 0.2}};
  return system;
}

std::string shape_text(const Shape& s) {
  return fmt::format("n_x={} n_u={} T={} time_varying={} offset={} singular_Q={} growth={}", s.n_x,
                     s.n_u, s.T, s.time_varying, s.offset, s.singular_Q, s.growth);
}

}  // namespace loopcert::testing
