#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "core/parallel.hpp"
#include "core/product.hpp"
#include "doctor/doctor_checks.hpp"
#include "learning/backend.hpp"

namespace loopcert::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Numbers without a pattern, the same ones every time.
Matrix filled(Index rows, Index columns) {
  return Matrix::NullaryExpr(rows, columns, [](Index i, Index j) {
    return std::sin(1.0 + 3.7 * static_cast<double>(i) + 1.3 * static_cast<double>(j));
  });
}

double seconds_of_product(Index size, Backend& device) {
  const Matrix a = filled(size, size), b = filled(size, size);
  Matrix c(size, size);
  const auto start = Clock::now();
  device.multiply(a, b, c);
  return seconds_since(start);
}

// The largest size up to 1024 whose product takes about a tenth of a second at most: a build
// without optimization is a hundred times slower.
Index fitting_size(Backend& device) {
  Index size = 128;
  while (size < 1024 && 8 * seconds_of_product(size, device) < 0.1) size *= 2;
  return size;
}

struct Rate {
  double gflops = 0;  // of the fastest product: others may be using the machine
  Index products = 0;
};

Rate measure(Index size, Backend& device) {
  const Matrix a = filled(size, size), b = filled(size, size);
  Matrix c(size, size);
  const double work = 2e-9 * static_cast<double>(size * size * size);
  Rate rate;
  const auto begin = Clock::now();
  while (rate.products < 3 || seconds_since(begin) < 0.3) {
    const auto start = Clock::now();
    device.multiply(a, b, c);
    rate.gflops = std::max(rate.gflops, work / std::max(seconds_since(start), 1e-9));
    ++rate.products;
  }
  return rate;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<size_t>(a.size())) == 0;
}

}  // namespace

Finding look_at_product_rate() {
  const int threads = default_threads();
  const std::unique_ptr<Backend> alone = cpu_backend(1), together = cpu_backend(threads);
  const Index size = fitting_size(*alone);
  const Rate one = measure(size, *alone), all = measure(size, *together);
  return {
      Verdict::ok,
      fmt::format("{:.3g} Gflop/s with 1 thread, {:.3g} with {} ({} x {}, the best of {} and {})",
                  one.gflops, all.gflops, threads, size, size, one.products, all.products),
      {{"size", size},
       {"gflops_one_thread", one.gflops},
       {"gflops_all_threads", all.gflops},
       {"threads", threads}}};
}

Finding look_at_reproducibility() {
  // Sizes that no panel width divides.
  const Matrix a = filled(301, 257), b = filled(257, 523), at = filled(257, 301);
  const int threads = std::max(2, default_threads());
  Team one(1), all(threads);
  Matrix c1, c2, d1, d2;
  multiply(a, b, c1, one);
  multiply(a, b, c2, all);
  product({at, true}, {b}, d1, false, {}, one);
  product({at, true}, {b}, d2, false, {}, all);
  const bool same = same_bits(c1, c2) && same_bits(d1, d2);
  return {same ? Verdict::ok : Verdict::problem,
          fmt::format("products with 1 and with {} threads {}", threads,
                      same ? "agree in every bit" : "differ: results depend on the threads"),
          {{"agree", same}, {"threads", threads}}};
}

}  // namespace loopcert::app
