// The paper's example in C++: learns by its method, prints the certificate term by term, and runs
// the controller beside LQR on held-out trajectories. The first argument is this folder.
#include <cstdio>
#include <filesystem>

#include "loopcert/loopcert.hpp"

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

    // Bounds are rounded up, a confidence down: "%.4f" could print less than was certified.
    std::printf("%s: certified %s at confidence %s, held-out cost %.4f +- %.4f\n", method,
                loopcert::bound_text(run.certificate->value).c_str(),
                loopcert::confidence_text(run.certificate->confidence).c_str(), cost.mean,
                cost.standard_error);
    for (const auto& term : run.certificate->terms)
      std::printf("  %-36s %s\n", loopcert::term_words(term).name.c_str(),
                  loopcert::bound_text(term.value).c_str());
  }
}
