// Coloured disturbances: what 400 recorded trajectories are worth, from C++.
//   main FOLDER    (the folder with problem.toml)
#include <cstdio>
#include <filesystem>

#include "loopcert/controller/controller.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/data/law.hpp"
#include "loopcert/experiment/learn_run.hpp"
#include "loopcert/problem/problem.hpp"
#include "loopcert/response/lqr.hpp"
#include "loopcert/simulation/rollout.hpp"

int main(int argc, char** argv) try {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  loopcert::Problem problem = loopcert::read_problem(folder / "problem.toml");
  problem.learning.method = "auto";  // LQR, unless the data show something better
  problem.certificate.kind = "best";

  // The file states the true law. With a recording of your own:
  //   loopcert::read_disturbances("data.csv", problem.sizes())
  const loopcert::Law& law = problem.disturbance.law.value();
  const loopcert::Disturbances data = loopcert::sample_disturbances(law, {1, 0}, 400);
  const loopcert::LearnRun run = loopcert::learn(problem, data);

  // Both controllers on trajectories that nobody has seen: another stream of the same seed.
  const loopcert::Controller lqr =
      loopcert::recover_controller(loopcert::lqr_response(problem.system), problem.sizes());
  const loopcert::Disturbances fresh = loopcert::sample_disturbances(law, {1, 1}, 5000);
  const auto mean_cost = [&](const loopcert::Controller& controller) {
    return loopcert::cost_statistics(
        loopcert::simulate(problem.system, controller, fresh, false).cost);
  };
  const auto learned = mean_cost(run.controller), baseline = mean_cost(lqr);

  std::printf("certificate    %.3f at confidence %.2f (%s)\n", run.certificate->value,
              run.certificate->confidence, run.certificate->kind.c_str());
  std::printf("held-out cost  %.3f +- %.3f\n", learned.mean, learned.standard_error);
  std::printf("LQR's          %.3f +- %.3f\n", baseline.mean, baseline.standard_error);
  if (run.improvement)
    std::printf("change         %.3f at most, at confidence %.2f of its own\n",
                run.improvement->value, run.improvement->confidence);
} catch (const loopcert::InputError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
