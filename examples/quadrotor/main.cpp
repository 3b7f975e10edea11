// The quadrotor in C++: what is certified from more and more flights, and what the controllers cost
// on flights that were held out. The first argument is this folder.
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <vector>

#include "loopcert/loopcert.hpp"

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const auto problem = loopcert::read_problem(folder / "problem.toml");
  const auto& system = problem.system;
  const auto flights = loopcert::read_disturbances(folder / "learn.npy", problem.sizes());
  const auto test = loopcert::read_disturbances(folder / "test.npy", problem.sizes());

  const auto lqr = loopcert::lqr_controller(problem);
  const loopcert::Vector lqr_cost = loopcert::simulate(system, lqr, test, false).cost;
  std::printf("LQR: held-out cost %.4f\n", lqr_cost.mean());

  for (const loopcert::Index n : {50, 100, 200}) {
    std::vector<loopcert::Index> rows(n);
    std::iota(rows.begin(), rows.end(), 0);
    const auto run = loopcert::learn(problem, loopcert::select_rows(flights, rows));
    const loopcert::Vector cost = loopcert::simulate(system, run.controller, test, false).cost;
    const auto change = loopcert::cost_statistics(loopcert::Vector(cost - lqr_cost));

    // Bounds are rounded up: "%.4f" could print less than was certified.
    std::printf("%3d flights: certified %s, held-out cost %.4f, minus LQR %.4f +- %.4f",
                static_cast<int>(n), loopcert::bound_text(run.certificate->value).c_str(),
                cost.mean(), change.mean, change.standard_error);
    if (run.improvement)
      std::printf(" (certified: at most %s)", loopcert::bound_text(run.improvement->value).c_str());
    std::printf("\n");
  }
}
