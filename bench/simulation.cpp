// Closed-loop simulation: steps per second of many trajectories side by side, on one thread and on
// two. Table on stdout, JSON to the path given.
#include "controller/closed_loop.hpp"
#include "exponent.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "random_problem.hpp"
#include "response/lqr.hpp"
#include "table.hpp"

namespace loopcert::bench {
namespace {

// A multiple of the batch on each of two threads, and data of some megabytes.
Index how_many(const Sizes& sizes) {
  return 128 * std::max<Index>(8, 2'000'000 / (128 * sizes.d_w()));
}

// Floating-point operations of the matrix products of one trajectory: inputs from all states so far
// (p entries of K), the plant, the two weights.
double trajectory_flops(const Sizes& sizes) {
  const double x = static_cast<double>(sizes.n_x), u = static_cast<double>(sizes.n_u);
  const double step = x * x + x * u + x * x + u * u;
  return 2 * (static_cast<double>(parameters(sizes)) + static_cast<double>(sizes.T) * step + x * x);
}

Json measure_size(const Sizes& sizes, std::vector<Timing>& timings) {
  const System system = random_system(sizes, 1);
  const Controller controller = recover_controller(lqr_response(system), sizes);
  const Index d_w = sizes.d_w(), n = how_many(sizes);
  const Law white{Vector::Zero(d_w), Matrix::Identity(d_w, d_w)};
  const Disturbances data = sample_disturbances(white, {1, 6}, n);
  const auto measure_threads = [&](int threads) {
    return measure([&] { return simulate(system, controller, data, false, threads).cost.sum(); },
                   threads);
  };
  const Measured<double> one = measure_threads(1), two = measure_threads(2);
  const double count = static_cast<double>(n), steps = count * static_cast<double>(sizes.T);
  const double flops = count * trajectory_flops(sizes);
  fmt::print("{}{:>7}{:>11.3g}{:>12.3g}{:>5.0f} %{:>12.3g}{:>5.0f} %{:>8.2f}{:>8.1f}\n",
             size_columns(sizes), n, one.time.cpu / count, steps / one.time.cpu,
             100 * one.fraction(flops), steps / two.time.wall, 100 * two.fraction(flops),
             one.time.wall / two.time.wall, one.peak_bytes / MiB);
  std::fflush(stdout);
  timings.push_back({sizes, one.time.cpu / count});
  Json json = measured_json(sizes, one);
  json.update({{"n", n},
               {"steps_per_second", steps / one.time.cpu},
               {"fraction", one.fraction(flops)},
               {"two_threads",
                {{"seconds", two.time.wall},
                 {"steps_per_second", steps / two.time.wall},
                 {"fraction", two.fraction(flops)}}}});
  return json;
}

Json run(bool quick) {
  Json json;
  std::vector<Timing> timings;
  fmt::print("closed-loop simulation\n{}{:>7}{:>11}{:>12}{:>7}{:>12}{:>7}{:>8}{:>8}\n",
             size_header(), "n", "cpu each", "steps/s, 1", "share", "steps/s, 2", "share", "1 / 2",
             "MiB");
  for (const Sizes& sizes : sizes_to_measure(quick))
    json["rows"].push_back(measure_size(sizes, timings));
  json["growth"] = print_growth({{"trajectory", timings}});
  return json;
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  return loopcert::bench::run_program(argc, argv, "simulation", loopcert::bench::run);
}
