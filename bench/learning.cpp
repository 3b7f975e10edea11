// What learning costs: many small problems on one core, then whole runs on two threads up to two
// million parameters. Table on stdout, JSON to the path given.
#include "core/product.hpp"
#include "exponent.hpp"
#include "learning/pac_bayes.hpp"
#include "learning_problem.hpp"
#include "table.hpp"

namespace loopcert::bench {
namespace {

// --- many small problems ------------------------------------------------------------------------

// The paper's plant, one core: the mean over the seeds, in the best of several rounds.
Json measure_small(Index n) {
  constexpr std::uint64_t seeds = 50;
  std::vector<LearningProblem> problems;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    problems.push_back(learning_problem(double_integrator(), n, seed));
  const LearningProblem& first = problems.front();
  const Posterior at{
      first.prior.center,
      unpack(first.space.coordinates.pattern, Vector::Constant(first.space.coordinates.p(), 1e-2))};
  Team one_thread(1);
  BoundEvaluator evaluator(first.space.cost, first.inputs, first.prior, one_thread);
  MomentGradient slopes;
  const Index d_w = first.sizes.d_w();
  const Matrix A = Matrix::Constant(d_w, d_w, 0.5);
  Matrix C;

  int evaluations = 0, converged = 0;
  const auto learn_all = [&] {
    evaluations = converged = 0;
    for (const LearningProblem& problem : problems) {
      const PacBayesResult result =
          minimize_bound(problem.space.cost, problem.inputs, problem.prior);
      evaluations += result.evaluations;
      converged += result.status == SolverStatus::converged;
    }
  };
  const std::vector<Time> best = take_turns({learn_all, [&] { evaluator.evaluate(at, &slopes); },
                                             [&] { multiply(A, A, C, one_thread); }});
  const double run = best[0].cpu / seeds, evaluation = best[1].cpu, product = best[2].cpu;
  const double count = static_cast<double>(evaluations) / seeds;
  fmt::print("{:>5}{:>11.3g}{:>11.1f}{:>14.1f}{:>13.0f}{:>12}\n", n, run, count, run / evaluation,
             run / product, fmt::format("{}/{}", converged, seeds));
  return {{"n", n},
          {"seeds", seeds},
          {"cpu_seconds", run},
          {"evaluations", count},
          {"run_over_evaluation", run / evaluation},
          {"run_over_product", run / product},
          {"evaluation_over_product", evaluation / product},
          {"converged", converged}};
}

// --- whole runs ---------------------------------------------------------------------------------

constexpr double gradient_tolerance = 1e-6;
constexpr int threads = 2;

struct Outcome {
  double bound = 0;
  double gradient_norm = 0;  // relative
  int iterations = 0;
  int evaluations = 0;
  SolverStatus status{};
};

Outcome run_learn(const LearningProblem& problem) {
  PacBayesOptions options;
  const std::unique_ptr<Backend> backend = cpu_backend(threads);
  options.backend = backend.get();
  options.gradient_tolerance = gradient_tolerance;
  const PacBayesResult r =
      minimize_bound(problem.space.cost, problem.inputs, problem.prior, options);
  return {r.bound.value, r.gradient_norm, r.iterations, r.evaluations, r.status};
}

Json measure_run(const Sizes& sizes, std::vector<Timing>& timings) {
  const Index n = trajectories(sizes);
  const LearningProblem problem = learning_problem(random_system(sizes, 1), n, 1);
  const Measured<Outcome> m = measure([&] { return run_learn(problem); }, threads);
  const Outcome& o = m.answer;
  fmt::print("{}{:>5}{:>10.3g}{:>10.3g}{:>9.0f}{:>5}{:>5}{}{:>9.1e}  {}\n", size_columns(sizes), n,
             m.time.wall, m.time.cpu, in_products(sizes, m), o.iterations, o.evaluations,
             memory_columns({m.peak_bytes, sizes}), o.gradient_norm, solver_status_name(o.status));
  std::fflush(stdout);
  timings.push_back({sizes, m.time.cpu});
  Json json = measured_json(sizes, m);
  json.update({{"n", n},
               {"matrix_products", in_products(sizes, m)},
               {"iterations", o.iterations},
               {"evaluations", o.evaluations},
               {"bound", o.bound},
               {"gradient_norm", o.gradient_norm},
               {"status", solver_status_name(o.status)}});
  return json;
}

Json run(bool quick) {
  Json json;
  fmt::print("learning at p = 110, one core, means\n");
  fmt::print("{:>5}{:>11}{:>11}{:>14}{:>13}{:>12}\n", "n", "seconds", "evals", "x evaluation",
             "x 22^3", "converged");
  for (const Index n : {10, 40, 100, 400}) json["small"].push_back(measure_small(n));

  fmt::print("\nwhole runs on two threads\n");
  fmt::print("{}{:>5}{:>10}{:>10}{:>9}{:>5}{:>5}{}{:>9}  {}\n", size_header(), "n", "wall", "cpu",
             "products", "iter", "eval", memory_header(), "gradient", "status");
  json["gradient_tolerance"] = gradient_tolerance;
  std::vector<Timing> timings;
  for (const Sizes& sizes : sizes_to_measure(quick))
    json["rows"].push_back(measure_run(sizes, timings));
  json["growth"] = print_growth({{"learning", timings}});
  return json;
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  return loopcert::bench::run_program(argc, argv, "learning", loopcert::bench::run);
}
