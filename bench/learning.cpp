// What learning costs: many small problems on one core, the matrix products of one evaluation
// against the machine's own rate, and whole runs up to p = 984,000 on two threads. Table on stdout,
// JSON to the path given.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "learning_problem.hpp"
#include "loopcert/core/file.hpp"
#include "loopcert/core/product.hpp"
#include "loopcert/learning/pac_bayes.hpp"
#include "measure.hpp"

namespace loopcert::bench {
namespace {

using Json = nlohmann::json;
constexpr double MiB = 1 << 20;

// CPU and wall seconds of one call of `work`.
struct Time {
  double cpu = INFINITY, wall = INFINITY;

  template <class Work>
  void keep_best(const Work& work, int calls = 1) {
    const double cpu_start = cpu_seconds(), wall_start = wall_seconds();
    for (int i = 0; i < calls; ++i) work();
    cpu = std::min(cpu, (cpu_seconds() - cpu_start) / calls);
    wall = std::min(wall, (wall_seconds() - wall_start) / calls);
  }
};

constexpr Index product_size = 1500;
constexpr double product_flops = 2.0 * product_size * product_size * product_size;

// The machine's own matrix product on one thread, the best of several: flops per CPU second.
double cpu_product_rate() {
  const Matrix A = Matrix::Constant(product_size, product_size, 0.5);
  Matrix C(product_size, product_size);
  Time product;
  for (int round = 0; round < 5; ++round) product.keep_best([&] { C.noalias() = A * A; });
  return product_flops / product.cpu;
}

// --- many small problems ------------------------------------------------------------------------

// The paper's plant, one core: the mean over the seeds, in the best of several rounds.
Json measure_small(Index n) {
  constexpr std::uint64_t seeds = 50;
  constexpr int rounds = 10, calls = 2000;
  std::vector<LearningProblem> problems;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    problems.push_back(learning_problem(double_integrator(), n, seed));
  const LearningProblem& first = problems.front();
  const Posterior at{first.prior.center,
                     unpack(first.space.pattern, Vector::Constant(first.space.p(), 1e-2))};
  BoundEvaluator evaluator(first.space, first.inputs, first.prior);
  MomentGradient slopes;
  const Index d_w = first.sizes.d_w();
  const Matrix A = Matrix::Constant(d_w, d_w, 0.5);
  Matrix C;

  Team one_thread(1);
  Time learning, evaluation, product;
  int evaluations = 0, converged = 0;
  for (int round = 0; round < rounds; ++round) {
    learning.keep_best([&] {
      evaluations = converged = 0;
      for (const LearningProblem& problem : problems) {
        const PacBayesResult result = minimize_bound(problem.space, problem.inputs, problem.prior);
        evaluations += result.evaluations;
        converged += result.status == SolverStatus::converged;
      }
    });
    evaluation.keep_best([&] { evaluator.evaluate(at, &slopes); }, calls);
    product.keep_best([&] { multiply(A, A, C, one_thread); }, calls);
  }
  const double run = learning.cpu / seeds, count = static_cast<double>(evaluations) / seeds;
  fmt::print("{:>5}{:>11.3g}{:>11.1f}{:>14.1f}{:>13.0f}{:>12}\n", n, run, count,
             run / evaluation.cpu, run / product.cpu, fmt::format("{}/{}", converged, seeds));
  return {{"n", n},
          {"seeds", seeds},
          {"cpu_seconds", run},
          {"evaluations", count},
          {"run_over_evaluation", run / evaluation.cpu},
          {"run_over_product", run / product.cpu},
          {"evaluation_over_product", evaluation.cpu / product.cpu},
          {"converged", converged}};
}

// --- one evaluation -----------------------------------------------------------------------------

// Floating-point operations of the matrix products in BoundEvaluator::evaluate with a gradient:
// N'(Z U) and H Sigma_hat are full (H U follows from it); Z U, Z'(N U), V U.^2, HU KU, (V.*HU) U
// and three products by P or P.^2 have a causal factor or a causal result, hence half the
// operations.
double evaluation_flops(const Sizes& sizes) {
  const double z = static_cast<double>(sizes.d_w()), u = static_cast<double>(sizes.d_u());
  return 2 * (2 * u * z * z + 0.5 * (5 * u * z * z + 3 * u * u * z));
}

Json measure_evaluation(const Sizes& sizes, Index n) {
  constexpr int rounds = 15;
  const LearningProblem problem = learning_problem(random_system(sizes, 1), n, 1);
  PacBayesOptions few;
  few.max_iterations = 3;
  const Posterior at = minimize_bound(problem.space, problem.inputs, problem.prior, few).posterior;
  BoundEvaluator alone(problem.space, problem.inputs, problem.prior, 1);
  BoundEvaluator pair(problem.space, problem.inputs, problem.prior, 2);
  MomentGradient slopes;
  const Matrix A = Matrix::Constant(product_size, product_size, 0.5);
  Matrix C = A, D = A;

  Time product, two_products, one_thread, two_threads;
  const double load = load_average();
  for (int round = 0; round < rounds; ++round) {
    product.keep_best([&] { C.noalias() = A * A; });
    one_thread.keep_best([&] { alone.evaluate(at, &slopes); });
    two_products.keep_best([&] {
      std::jthread other([&] { D.noalias() = A * A; });
      C.noalias() = A * A;
    });
    two_threads.keep_best([&] { pair.evaluate(at, &slopes); });
  }
  const double flops = evaluation_flops(sizes);
  // CPU time on one thread; on two, what matters is when both are done.
  const double machine = product_flops / product.cpu;
  const double machine_two = 2 * product_flops / two_products.wall;
  const double one = flops / one_thread.cpu, two = flops / two_threads.wall;
  const double two_cpu = 2 * flops / two_threads.cpu;
  fmt::print("machine's product, n = {}: {:.1f} Gflop/s of CPU time, two at once {:.1f} of wall\n",
             product_size, machine / 1e9, machine_two / 1e9);
  fmt::print("one thread:  {:.1f} Gflop/s of CPU time, {:.0f} % of the machine's product\n",
             one / 1e9, 100 * one / machine);
  fmt::print("two threads: {:.1f} Gflop/s of wall time, {:.0f} % of two products at once\n",
             two / 1e9, 100 * two / machine_two);
  fmt::print("             {:.1f} Gflop/s per two CPU seconds, {:.0f} %\n", two_cpu / 1e9,
             100 * two_cpu / (2 * machine));
  return {{"n_x", sizes.n_x},
          {"n_u", sizes.n_u},
          {"T", sizes.T},
          {"n", n},
          {"p", problem.space.p()},
          {"load", load},
          {"flops", flops},
          {"product_gflops", machine / 1e9},
          {"two_products_gflops", machine_two / 1e9},
          {"one_thread_gflops", one / 1e9},
          {"one_thread_fraction", one / machine},
          {"two_threads_gflops", two / 1e9},
          {"two_threads_fraction", two / machine_two},
          {"two_threads_fraction_of_cpu_time", two_cpu / (2 * machine)}};
}

// --- whole runs ---------------------------------------------------------------------------------

struct Outcome {
  double cpu = 0;
  double bound = 0;
  double gradient_norm = 0;
  int iterations = 0;
  int evaluations = 0;
  SolverStatus status{};
};

Json measure_run(const Sizes& sizes, Index n, int threads) {
  const LearningProblem problem = learning_problem(random_system(sizes, 1), n, 1);
  const double rate = cpu_product_rate();
  const double load = load_average();
  const auto measured = measure([&] {
    PacBayesOptions options;
    options.threads = threads;
    const double start = cpu_seconds();
    const PacBayesResult r = minimize_bound(problem.space, problem.inputs, problem.prior, options);
    return Outcome{cpu_seconds() - start, r.bound.value, r.gradient_norm,
                   r.iterations,          r.evaluations, r.status};
  });
  const Outcome& o = measured.answer;
  const double d_w = static_cast<double>(sizes.d_w());
  const double products = o.cpu / (2 * d_w * d_w * d_w / rate);
  const double multiple = measured.peak_bytes / (8 * d_w * d_w);
  fmt::print("{:>7}{:>6}{:>9.2f}{:>9.2f}{:>10.0f}{:>6}{:>6}{:>9.0f}{:>9.1f}{:>10.1e}  {}\n",
             problem.space.p(), n, measured.seconds, o.cpu, products, o.iterations, o.evaluations,
             measured.peak_bytes / MiB, multiple, o.gradient_norm, solver_status_name(o.status));
  std::fflush(stdout);
  return {{"n_x", sizes.n_x},
          {"n_u", sizes.n_u},
          {"T", sizes.T},
          {"n", n},
          {"p", problem.space.p()},
          {"threads", threads},
          {"load", load},
          {"seconds", measured.seconds},
          {"cpu_seconds", o.cpu},
          {"cpu_matrix_products", products},
          {"product_gflops", rate / 1e9},
          {"iterations", o.iterations},
          {"evaluations", o.evaluations},
          {"peak_mib", measured.peak_bytes / MiB},
          {"peak_over_d_w_squared", multiple},
          {"bound", o.bound},
          {"gradient_norm", o.gradient_norm},
          {"status", solver_status_name(o.status)}};
}

void run(const std::filesystem::path& output) {
  Json json;
  fmt::print("learning at p = 110, one core, means (load {:.1f})\n", load_average());
  fmt::print("{:>5}{:>11}{:>11}{:>14}{:>13}{:>12}\n", "n", "seconds", "evals", "x evaluation",
             "x 22^3", "converged");
  for (const Index n : {10, 40, 100, 400}) json["small"].push_back(measure_small(n));

  const Sizes medium{12, 4, 50}, large{60, 20, 40};
  fmt::print("\none value and gradient at p = 61200 (load {:.1f})\n", load_average());
  json["evaluation"] = measure_evaluation(medium, 200);

  fmt::print("\nlearning on two threads (load {:.1f})\n", load_average());
  fmt::print("{:>7}{:>6}{:>9}{:>9}{:>10}{:>6}{:>6}{:>9}{:>9}{:>10}  {}\n", "p", "n", "seconds",
             "cpu", "products", "iter", "eval", "MiB", "x d_w^2", "gradient", "status");
  json["runs"].push_back(measure_run(medium, 200, 2));
  json["runs"].push_back(measure_run(large, 500, 2));
  make_directory(output.parent_path().empty() ? "." : output.parent_path());
  write_file(output, json.dump(2) + "\n");
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  try {
    loopcert::bench::run(argc > 1 ? argv[1] : "build/bench/learning.json");
  } catch (const std::exception& error) {
    fmt::print(stderr, "learning: {}\n", error.what());
    return 1;
  }
}
