// The office in C++: learns from 120 days, prints the offset that was learned, and what it is worth
// on days that were held out. The first argument is this folder.
#include <cstdio>
#include <filesystem>

#include "loopcert/loopcert.hpp"

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const auto problem = loopcert::read_problem(folder / "problem.toml");
  const auto& system = problem.system;
  const auto days = loopcert::read_disturbances(folder / "learn.csv", problem.sizes());
  const auto test = loopcert::read_disturbances(folder / "test.npy", problem.sizes());

  const auto run = loopcert::learn(problem, days);
  const auto lqr = loopcert::lqr_controller(problem);
  // Bounds are rounded up, a confidence down: "%.4f" could print less than was certified.
  std::printf("certified %s at confidence %s, change from LQR at most %s\n",
              loopcert::bound_text(run.certificate->value).c_str(),
              loopcert::confidence_text(run.certificate->confidence).c_str(),
              loopcert::bound_text(run.improvement->value).c_str());
  std::printf("offset of the heat [kW], learned and LQR's\n");
  for (loopcert::Index t = 0; t < run.controller.k.size(); t += 4)
    std::printf("  %4.1f h  %7.3f  %7.3f\n", 6 + 0.5 * t, run.controller.k(t), lqr.k(t));

  const loopcert::Vector cost = loopcert::simulate(system, run.controller, test, false).cost;
  const loopcert::Vector lqr_cost = loopcert::simulate(system, lqr, test, false).cost;
  const auto change = loopcert::cost_statistics(loopcert::Vector(cost - lqr_cost));
  std::printf("held-out cost %.4f, LQR %.4f, difference %.4f +- %.4f\n", cost.mean(),
              lqr_cost.mean(), change.mean, change.standard_error);
}
