// The active suspension in C++: from two logged drives to a certified controller, and what it costs
// beside LQR on stretches of road that were held out. The first argument is this folder.
#include <cstdio>
#include <filesystem>

#include "loopcert/loopcert.hpp"

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const auto problem = loopcert::read_problem(folder / "problem.toml");
  const auto& system = problem.system;

  // The logs hold states and forces; the disturbances are what the model does not explain.
  const auto logs = loopcert::read_rollouts({folder / "drive-1.csv", folder / "drive-2.csv"},
                                            problem.data, system.plant);
  const auto data = loopcert::reconstruct_disturbances(system.plant, logs);
  const auto test = loopcert::read_disturbances(folder / "test.npy", problem.sizes());

  const auto run = loopcert::learn(problem, data);
  // Bounds are rounded up, a confidence down: "%.4f" could print less than was certified.
  std::printf("%d runs: certified %s at confidence %s\n", static_cast<int>(data.n()),
              loopcert::bound_text(run.certificate->value).c_str(),
              loopcert::confidence_text(run.certificate->confidence).c_str());
  if (run.improvement)
    std::printf("change from LQR at most %s\n",
                loopcert::bound_text(run.improvement->value).c_str());

  const auto lqr = loopcert::lqr_controller(problem);
  const loopcert::Vector cost = loopcert::simulate(system, run.controller, test, false).cost;
  const loopcert::Vector lqr_cost = loopcert::simulate(system, lqr, test, false).cost;
  const auto change = loopcert::cost_statistics(loopcert::Vector(cost - lqr_cost));
  std::printf("held-out cost %.4f, LQR %.4f, difference %.4f +- %.4f\n", cost.mean(),
              lqr_cost.mean(), change.mean, change.standard_error);
}
