// From logs of two formats to a certified controller and C code.
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "loopcert/loopcert.hpp"

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const loopcert::Problem problem = loopcert::read_problem(folder / "problem.toml");
  const loopcert::Plant& plant = problem.system.plant;

  // problem.data says which columns, variables and axes are states and inputs.
  const loopcert::Rollouts logs =
      loopcert::read_rollouts({folder / "monday.csv", folder / "tuesday.mat"}, problem.data, plant);
  const loopcert::Disturbances data = loopcert::reconstruct_disturbances(plant, logs);
  for (const auto& r : loopcert::reconstruction_residuals(logs, data, problem.sizes()))
    std::cout << "residual of the model " << r.residual << " rms\n";

  const loopcert::LearnResult run = loopcert::learn(problem, data);
  // Bounds are rounded up: other digits could claim more than was certified.
  std::cout << "certificate " << loopcert::bound_text(run.certificate->value) << " from "
            << data.n() << " episodes\n";
  if (run.improvement)
    std::cout << "change from LQR at most " << loopcert::bound_text(run.improvement->value) << "\n";

  for (const auto& file : loopcert::controller_to_c(run.controller, "cart", {}))
    std::cout << file.name << ": " << std::ranges::count(file.content, '\n') << " lines\n";
}
