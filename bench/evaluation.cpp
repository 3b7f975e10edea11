// What one value with gradient of the bound costs: against the machine's own matrix product, on one
// thread and on two, and in memory. Table on stdout, JSON to the path given.
#include <optional>

#include "evaluation_work.hpp"
#include "exponent.hpp"
#include "learning_problem.hpp"
#include "table.hpp"

namespace loopcert::bench {
namespace {

// The evaluation takes the same operations wherever it is.
Posterior any_posterior(const LearningProblem& problem) {
  const CausalPattern& pattern = problem.space.coordinates.pattern;
  const Index p = pattern.count();
  const Vector mean = 0.1 * standard_normal_rows({1, 5}, 0, 1, p).transpose();
  return {unpack(pattern, mean), unpack(pattern, Vector::Constant(p, 1e-2))};
}

Measured<double> measure_evaluation(const LearningProblem& problem, int threads) {
  const Posterior at = any_posterior(problem);
  std::optional<Team> team;
  std::optional<BoundEvaluator> evaluator;
  MomentGradient slopes;
  return measure(
      [&] {
        // In the child, where its memory counts; the first round takes longer and is not the best.
        if (!evaluator) {
          team.emplace(threads);
          evaluator.emplace(problem.space.cost, problem.inputs, problem.prior, *team);
        }
        return evaluator->evaluate(at, &slopes).value;
      },
      threads);
}

void print_header() {
  fmt::print("value and gradient\n{}{:>11}{:>10}{:>9}{:>7}{:>11}{:>9}{:>7}{:>7}{}\n", size_header(),
             "cpu, 1", "products", "Gflop/s", "share", "wall, 2", "Gflop/s", "share", "cpu",
             memory_header());
}

Json measure_size(const Sizes& sizes, std::vector<Timing>& timings, RateRange& rates) {
  const LearningProblem problem = learning_problem(random_system(sizes, 1), trajectories(sizes), 1);
  const Measured<double> one = measure_evaluation(problem, 1), two = measure_evaluation(problem, 2);
  const double flops = evaluation_flops(sizes);
  const double gflops_one = flops / one.time.cpu / 1e9, gflops_two = flops / two.time.wall / 1e9;
  fmt::print("{}{:>11.3g}{:>10.3g}{:>9.1f}{:>5.0f} %{:>11.3g}{:>9.1f}{:>5.0f} %{:>5.0f} %{}\n",
             size_columns(sizes), one.time.cpu, in_products(sizes, one), gflops_one,
             100 * one.fraction(flops), two.time.wall, gflops_two, 100 * two.fraction(flops),
             100 * two.cpu_fraction(flops), memory_columns({one.peak_bytes, sizes}));
  std::fflush(stdout);
  timings.push_back({sizes, one.time.cpu});
  rates.add(one);
  Json json = measured_json(sizes, one);
  json["flops"] = flops;
  json["matrix_products"] = in_products(sizes, one);
  json["gflops"] = gflops_one;
  json["fraction"] = one.fraction(flops);
  json["two_threads"] = {{"seconds", two.time.wall},
                         {"cpu_seconds", two.time.cpu},
                         {"gflops", gflops_two},
                         {"fraction", two.fraction(flops)},
                         {"fraction_of_cpu_time", two.cpu_fraction(flops)}};
  return json;
}

Json run(bool quick) {
  Json json;
  std::vector<Timing> timings;
  RateRange rates;
  print_header();
  for (const Sizes& sizes : sizes_to_measure(quick))
    json["rows"].push_back(measure_size(sizes, timings, rates));
  rates.print();
  json["growth"] = print_growth({{"evaluation", timings}});
  return json;
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  return loopcert::bench::run_program(argc, argv, "evaluation", loopcert::bench::run);
}
