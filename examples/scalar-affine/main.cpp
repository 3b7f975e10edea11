// Disturbances with a mean: the controller gets an offset, which LQR does not have.
//   main FOLDER    (the folder with problem.toml)
#include <cstdio>
#include <filesystem>

#include "loopcert/loopcert.hpp"

int main(int argc, char** argv) try {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const loopcert::Problem problem = loopcert::read_problem(folder / "problem.toml");

  // The file states the true law; the certificates may not use it.
  const loopcert::Law& law = problem.disturbance.law.value();
  const loopcert::LearnResult run =
      loopcert::learn(problem, loopcert::sample_disturbances(law, {1, 0}, 100));
  // A bound is rounded up, a confidence down: "%.3f" could print less than was certified.
  std::printf("certificate    %s at confidence %s (%s)\n",
              loopcert::bound_text(run.certificate->value).c_str(),
              loopcert::confidence_text(run.certificate->confidence).c_str(),
              run.certificate->kind.c_str());

  const loopcert::Disturbances fresh = loopcert::sample_disturbances(law, {1, 1}, 5000);
  const loopcert::Controller lqr = loopcert::lqr_controller(problem);
  for (const loopcert::Controller* controller : {&run.controller, &lqr}) {
    const auto cost = loopcert::cost_statistics(
        loopcert::simulate(problem.system, *controller, fresh, false).cost);
    std::printf("%s  %.2f +- %.2f\n", controller == &lqr ? "LQR's        " : "held-out cost",
                cost.mean, cost.standard_error);
  }

  // Running it: one state in, one input out, from step to step.
  loopcert::ControllerRun loop(run.controller);
  const loopcert::Vector u = loop.step(loopcert::Vector::Constant(1, 2.3));
  std::printf("first input    %.3f for the state 2.3\n", u(0));
} catch (const loopcert::InputError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
