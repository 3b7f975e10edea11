// Learning runs per second on the paper's double integrator: the minimization alone, a job of a
// sweep, and whole sweeps with their results on the disk. Table on stdout, JSON to the path given.
#include <stdlib.h>

#include "core/parallel.hpp"
#include "learning/pac_bayes.hpp"
#include "learning_problem.hpp"
#include "sweeps/reproduction.hpp"
#include "sweeps/sweep_run.hpp"
#include "table.hpp"

namespace loopcert::bench {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
  TemporaryFolder() : path_((fs::temp_directory_path() / "loopcert-XXXXXX").string()) {
    if (!::mkdtemp(path_.data())) throw std::runtime_error("no temporary folder");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  fs::path path() const { return path_; }

 private:
  std::string path_;
};

const std::vector<Index> sample_sizes = {10, 40, 100, 400};

SweepJobs jobs_of(std::uint64_t seeds, Index test) {
  Sweep sweep;
  sweep.name = "throughput";
  sweep.problems = {paper_problem(false)};
  sweep.n = sample_sizes;
  sweep.methods = {{"pac-bayes", "pac-bayes", {}}};
  for (std::uint64_t seed = 0; seed < seeds; ++seed) sweep.seeds.push_back(seed);
  sweep.test = test;
  return list_jobs(sweep);
}

std::vector<LearningProblem> problems_of(std::uint64_t seeds) {
  std::vector<LearningProblem> problems;
  for (const Index n : sample_sizes)
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
      problems.push_back(learning_problem(double_integrator(), n, seed));
  return problems;
}

// All runs once, on so many threads.
struct Case {
  std::string name;
  std::function<void(int threads)> work;
};

void sweep_once(const SweepJobs& jobs, int threads) {
  const TemporaryFolder folder;
  SweepRunOptions options;
  options.folder = folder.path() / "out";
  options.threads = threads;
  const SweepOutcome outcome = run_sweep(jobs, options);
  if (!outcome.exported || outcome.failed > 0) throw std::runtime_error("the sweep failed");
}

Json measure_case(const Case& c, double runs, const Time& one, const Time& two) {
  const double peak = in_child([&] { return peak_bytes_of([&] { c.work(2); }); });
  fmt::print("{:<18}{:>12.3g}{:>15.0f}{:>16.0f}{:>8.2f}{:>8.1f}\n", c.name, 1e3 * one.cpu / runs,
             runs / one.wall, runs / two.wall, one.wall / two.wall, peak / MiB);
  return {{"name", c.name},
          {"cpu_seconds_per_run", one.cpu / runs},
          {"runs_per_second", runs / one.wall},
          {"runs_per_second_two_jobs", runs / two.wall},
          {"peak_mib", peak / MiB}};
}

Json run(bool quick) {
  const std::uint64_t seeds = quick ? 25 : 100;
  const std::vector<LearningProblem> problems = problems_of(seeds);
  const SweepJobs tested = jobs_of(seeds, 5000), hardly = jobs_of(seeds, 100);
  const Index count = static_cast<Index>(problems.size());
  const std::vector<Case> cases = {
      {"minimize_bound",
       [&](int threads) {
         parallel_for(count, threads, [&](Index i) {
           const LearningProblem& problem = problems[static_cast<size_t>(i)];
           minimize_bound(problem.space.cost, problem.inputs, problem.prior);
         });
       }},
      {"job, test 100",
       [&](int threads) {
         parallel_for(count, threads,
                      [&](Index i) { run_job(hardly, hardly.jobs[static_cast<size_t>(i)]); });
       }},
      {"sweep, test 100", [&](int threads) { sweep_once(hardly, threads); }},
      {"sweep, test 5000", [&](int threads) { sweep_once(tested, threads); }},
  };
  std::vector<std::function<void()>> works;
  for (const Case& c : cases)
    for (const int threads : {1, 2}) works.push_back([&c, threads] { c.work(threads); });
  const std::vector<Time> times = take_turns(works, quick ? 5 : 25);

  fmt::print("method pac-bayes, p = 110, n = 10, 40, 100, 400, {} runs\n", count);
  fmt::print("{:<18}{:>12}{:>15}{:>16}{:>8}{:>8}\n", "", "cpu ms/run", "runs/s, 1 job",
             "runs/s, 2 jobs", "1 / 2", "MiB");
  Json json = {{"runs", count}};
  for (size_t i = 0; i < cases.size(); ++i)
    json["rows"].push_back(
        measure_case(cases[i], static_cast<double>(count), times[2 * i], times[2 * i + 1]));
  return json;
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  return loopcert::bench::run_program(argc, argv, "sweep_throughput", loopcert::bench::run);
}
