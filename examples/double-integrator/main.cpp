// The paper's example in C++: learns by its method, prints the certificate term by term, and runs
// the controller beside LQR on held-out trajectories. The first argument is this folder.
#include <cstdio>
#include <filesystem>

#include "loopcert/data/trajectory_files.hpp"
#include "loopcert/experiment/learn_run.hpp"
#include "loopcert/simulation/rollout.hpp"

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  auto problem = loopcert::read_problem(folder / "problem.toml");
  const auto data = loopcert::read_disturbances(folder / "learn.csv", problem.sizes());
  const auto test = loopcert::read_disturbances(folder / "test.npy", problem.sizes());

  for (const char* method : {"pac-bayes", "auto"}) {
    problem.learning.method = method;
    problem.certificate.kind = problem.learning.method == "auto" ? "best" : "data-driven";
    const auto run = loopcert::learn(problem, data);
    const auto cost = loopcert::cost_statistics(
        loopcert::simulate(problem.system, run.controller, test, false).cost);

    std::printf("%s: certified %.4f at confidence %.2f, held-out cost %.4f +- %.4f\n", method,
                run.certificate->value, run.certificate->confidence, cost.mean,
                cost.standard_error);
    for (const auto& term : run.certificate->terms)
      std::printf("  %-36s %.4f\n", term.name.c_str(), term.value);
  }
}
