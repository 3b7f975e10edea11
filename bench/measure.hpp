// Clocks, the machine's own matrix product, and rounds in which the things to be compared take
// turns.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <thread>
#include <vector>

#include "core/product.hpp"

namespace loopcert::bench {

// CPU time of all threads of this process: unlike the clock on the wall it does not run while
// another program has the processor.
inline double cpu_seconds() {
  struct timespec time {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

inline double wall_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// Programs that want a processor, averaged over the last minute.
inline double load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : NAN;
}

// --- the machine --------------------------------------------------------------------------------

constexpr Index product_size = 1500;
constexpr double product_flops = 2.0 * product_size * product_size * product_size;

// Two ways to multiply matrices; everything is measured against the faster one.
using Way = void (*)(const Matrix& A, const Matrix& B, Matrix& C);
inline void multiply_by_eigen(const Matrix& A, const Matrix& B, Matrix& C) { C.noalias() = A * B; }
inline void multiply_by_tiles(const Matrix& A, const Matrix& B, Matrix& C) {
  Team alone(1);
  multiply(A, B, C, alone);
}

// One product on this thread, or two at once on two.
class MachineProduct {
 public:
  MachineProduct(Way way, int threads) : way_(way), threads_(threads) {}

  void operator()() const {
    static const Matrix A = Matrix::Constant(product_size, product_size, 0.5), B = A;
    static std::array<Matrix, 2> C = {A, A};
    if (threads_ == 1) return way_(A, B, C[0]);
    std::jthread other([&] { way_(A, B, C[1]); });
    way_(A, B, C[0]);
  }

 private:
  Way way_;
  int threads_;
};

// --- rounds -------------------------------------------------------------------------------------

// Seconds of one call, the best of all rounds.
struct Time {
  double cpu = INFINITY, wall = INFINITY;

  void keep_best(const std::function<void()>& work, int calls) {
    const double cpu_start = cpu_seconds(), wall_start = wall_seconds();
    for (int i = 0; i < calls; ++i) work();
    cpu = std::min(cpu, (cpu_seconds() - cpu_start) / calls);
    wall = std::min(wall, (wall_seconds() - wall_start) / calls);
  }
};

constexpr double clock_grain = 0.1;  // a turn takes that long at least: no one starts cold
constexpr double patience = 30;      // after that no further round is begun
constexpr double usual_seconds = 3;  // of all rounds together

inline Time faster(const Time& a, const Time& b) {
  return {std::min(a.cpu, b.cpu), std::min(a.wall, b.wall)};
}

// In every round each of the works has its turn: at least three rounds, and until `seconds` have
// passed.
inline std::vector<Time> take_turns(const std::vector<std::function<void()>>& works,
                                    double seconds = usual_seconds) {
  std::vector<Time> best(works.size());
  std::vector<int> calls(works.size(), 1);
  const double start = wall_seconds();
  for (size_t i = 0; i < works.size(); ++i) {
    best[i].keep_best(works[i], 1);
    calls[i] = static_cast<int>(std::clamp(std::ceil(clock_grain / best[i].cpu), 1.0, 1e5));
  }
  const auto spent = [&] { return wall_seconds() - start; };
  for (int round = 2; spent() < (round <= 3 ? patience : std::min(seconds, patience)); ++round)
    for (size_t i = 0; i < works.size(); ++i) best[i].keep_best(works[i], calls[i]);
  return best;
}

}  // namespace loopcert::bench
