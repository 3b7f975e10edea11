// Room simulation: closed loops, trajectory by trajectory.
#include "bind.hpp"
#include "controller/fit.hpp"
#include "core/parallel.hpp"
#include "loopcert/problem/problem.hpp"
#include "loopcert/simulation/rollout.hpp"
#include "simulation/simulation_json.hpp"

namespace loopcert::python {
namespace {

// Simulation with the sizes that its paths need, and what the program prints of limits.
struct SimulatedRun {
  Sizes sizes;
  Simulation simulation;
  CostStatistics statistics;
  nlohmann::json more;
};

// With `clip` the inputs are saturated.
SimulatedRun simulate_run(const Problem& problem, const Controller& controller,
                          const Disturbances& data, bool paths, bool clip) {
  check_disturbances(data, problem.sizes());
  check_fits("controller", controller, problem.sizes(), "the problem");
  SimulationOptions options{.keep_paths = paths,
                            .threads = default_threads(),
                            .limits = problem.limits ? &*problem.limits : nullptr};
  if (clip) options.clip = clip_of(problem.limits, controller);
  SimulatedRun run{
      problem.sizes(), simulate(problem.system, controller, data, options), {}, nullptr};
  run.statistics = finite_statistics(run.simulation.cost);
  if (clip)
    run.more = clip_to_json(options.clip, problem.limits, run.simulation, problem.sizes().T);
  else if (problem.limits)
    run.more = {{"violations", violations_to_json(*problem.limits, run.simulation)}};
  return run;
}

}  // namespace

void bind_simulation(py::module_& module) {
  py::class_<SimulatedRun>(module, "SimulatedRun")
      .def_property_readonly(
          "cost", [](const SimulatedRun& run) -> const Vector& { return run.simulation.cost; },
          py::return_value_policy::reference_internal)
      .def_property_readonly("x",
                             [](const py::object& self) {
                               const auto& run = self.cast<const SimulatedRun&>();
                               return three_axes(run.simulation.paths.x, run.sizes.n_x, self);
                             })
      .def_property_readonly("u",
                             [](const py::object& self) {
                               const auto& run = self.cast<const SimulatedRun&>();
                               return three_axes(run.simulation.paths.u, run.sizes.n_u, self);
                             })
      .def_property_readonly("more", [](const SimulatedRun& run) { return to_python(run.more); })
      .def_property_readonly("statistics", [](const SimulatedRun& run) {
        const CostStatistics& s = run.statistics;
        py::dict dict;
        dict["n"] = s.n;
        dict["mean"] = s.mean;
        dict["standard_error"] = s.standard_error;
        dict["standard_deviation"] = s.standard_deviation;
        dict["median"] = s.median;
        dict["minimum"] = s.minimum;
        dict["maximum"] = s.maximum;
        return dict;
      });
  module.def(
      "simulate", &simulate_run, py::arg("problem"), py::arg("controller"), py::arg("data"),
      py::arg("paths"), py::arg("clip") = false, Released(),
      "Costs of the closed loop on each trajectory; with `paths` states and inputs too, with "
      "`clip` of inputs that are saturated.");
}

}  // namespace loopcert::python
