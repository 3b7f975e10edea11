// What a recording is, printed: disturbances, samples, fingerprints and traces of awkward episodes.
// tools/builds compiles it in several ways; each must print the same.
#include <cstdio>

#include "core/sha256.hpp"
#include "data/fingerprint.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/data/traces.hpp"

namespace {

using namespace loopcert;

std::string hash(const Matrix& numbers) {
  return sha256_hex({reinterpret_cast<const char*>(numbers.data()),
                     static_cast<size_t>(numbers.size()) * sizeof(double)});
}

// Whole numbers times powers of two and of ten: all digits are used, and no library is.
Matrix awkward(Index rows, Index cols, std::uint64_t seed) {
  Matrix numbers(rows, cols);
  std::uint64_t state = seed;
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      numbers(i, j) = (static_cast<double>(state >> 11) - 0x1p52) / 3e9 * (j % 3 == 1 ? 1e-7 : 1);
    }
  return numbers;
}

Plant awkward_plant(const Sizes& s) {
  Plant plant{s.T, {}, {}, awkward(s.n_x, s.T, 5)};
  for (Index t = 0; t < s.T; ++t) {
    plant.A.push_back(awkward(s.n_x, s.n_x, 10 + static_cast<std::uint64_t>(t)) / 7e5);
    plant.B.push_back(awkward(s.n_x, s.n_u, 50 + static_cast<std::uint64_t>(t)) / 3e4);
  }
  return plant;
}

void print_episodes(Index n, const Sizes& s) {
  const Plant plant = awkward_plant(s);
  Rollouts logs{awkward(n, s.d_w(), 1), awkward(n, s.d_u(), 2)};
  if (n > 2) logs.x.row(n - 1) = logs.x.row(0), logs.u.row(n - 1) = logs.u.row(0);
  const Disturbances data = reconstruct_disturbances(plant, logs);
  std::printf("n = %ld, %ld states, %ld steps\n", static_cast<long>(n), static_cast<long>(s.n_x),
              static_cast<long>(s.T));
  std::printf("  w %s\n  row %s\n", hash(data.w).c_str(), row_fingerprints(data).back().c_str());
  if (const auto pair = first_repeated(data))
    std::printf("  equal %ld %ld\n", static_cast<long>(pair->first),
                static_cast<long>(pair->second));
  if (const auto pair = first_copy(data, plant))
    std::printf("  copy %ld %ld\n", static_cast<long>(pair->first),
                static_cast<long>(pair->second));
  const Traces traces[] = {disturbance_traces(data, plant), log_traces(data.logs, s)};
  for (const Traces& found : traces) {
    std::string text;
    for (Index i = 0; i < found.n(); ++i) text += trace_text(found, i);
    for (const int bits : found.lost) text += ' ' + std::to_string(bits);
    for (const int bits : found.most) text += ' ' + std::to_string(bits);
    std::printf("  traces %s\n", sha256_hex(text).c_str());
  }
  Disturbances rounded = data;
  rounded.w = data.w.cast<float>().cast<double>();
  for (const Index row : known_disturbances(traces[0], rounded))
    std::printf(" %ld", static_cast<long>(row));
  std::printf("\n");
}

void print_samples(const char* name, const Matrix& covariance, LawShape shape) {
  const Law law{awkward(covariance.rows(), 1, 9) * 1e-6, covariance, shape};
  std::printf("sample of %s %s\n", name, hash(sample_disturbances(law, {3, 1}, 131, 5).w).c_str());
}

}  // namespace

int main() {
  for (const Index n : {1, 2, 7, 101}) print_episodes(n, state_feedback(3, 2, 7));
  print_episodes(13, state_feedback(1, 1, 2));
  print_episodes(6, state_feedback(9, 4, 3));
  const Sizes s = state_feedback(2, 1, 8);
  const Matrix coloured = ar1_covariance(s, 0.8, 0.1);
  Matrix singular = coloured;
  singular.bottomRows(1) = singular.row(4);
  singular.rightCols(1) = singular.col(4);
  print_samples("a diagonal law", coloured.diagonal().asDiagonal(), LawShape::gaussian);
  print_samples("a coloured law", coloured, LawShape::gaussian);
  print_samples("a singular law", singular, LawShape::gaussian);
  print_samples("a uniform law", coloured, LawShape::uniform);
}
