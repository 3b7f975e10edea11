// The active suspension in C++: from two logged drives to a certified controller, and what it costs
// beside LQR on stretches of road that were held out. The first argument is this folder.
#include <cstdio>
#include <filesystem>

#include "loopcert/controller/controller.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "loopcert/experiment/learn_run.hpp"
#include "loopcert/response/lqr.hpp"
#include "loopcert/simulation/rollout.hpp"

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
  std::printf("%d runs: certified %.4f at confidence %.2f\n", static_cast<int>(run.n),
              run.certificate->value, run.certificate->confidence);
  if (run.improvement) std::printf("change against LQR at most %.4f\n", run.improvement->value);

  const auto lqr = loopcert::recover_controller(loopcert::lqr_response(system), problem.sizes());
  const loopcert::Vector cost = loopcert::simulate(system, run.controller, test, false).cost;
  const loopcert::Vector lqr_cost = loopcert::simulate(system, lqr, test, false).cost;
  const auto change = loopcert::cost_statistics(loopcert::Vector(cost - lqr_cost));
  std::printf("held-out cost %.4f, LQR %.4f, difference %.4f +- %.4f\n", cost.mean(),
              lqr_cost.mean(), change.mean, change.standard_error);
}
