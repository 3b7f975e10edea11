// Coloured disturbances in C++: what LQR, ridge and auto cost on the same held-out trajectories.
// The first argument is this folder.
#include <cstdio>
#include <filesystem>

#include "loopcert/loopcert.hpp"

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  auto problem = loopcert::read_problem(folder / "problem.toml");
  problem.certificate.kind = "best";
  const auto data = loopcert::read_disturbances(folder / "learn.csv", problem.sizes());
  const auto test = loopcert::read_disturbances(folder / "test.npy", problem.sizes());

  for (const char* method : {"lqr", "ridge", "auto"}) {
    problem.learning.method = method;
    const auto run = loopcert::learn(problem, data);
    const auto cost = loopcert::cost_statistics(
        loopcert::simulate(problem.system, run.controller, test, false).cost);
    // Bounds are rounded up: "%.4f" could print less than was certified.
    std::printf("%-5s  certified %s  held-out cost %.4f +- %.4f", method,
                loopcert::bound_text(run.certificate->value).c_str(), cost.mean,
                cost.standard_error);
    if (run.improvement)
      std::printf("  change from LQR at most %s",
                  loopcert::bound_text(run.improvement->value).c_str());
    std::printf("\n");
  }
}
