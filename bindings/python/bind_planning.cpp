// Room planning: how many trajectories are enough.
#include <thread>

#include "bind.hpp"
#include "core/parallel.hpp"
#include "planning/plan.hpp"

namespace loopcert::python {
namespace {

Plan plan_run(const Problem& problem, const Disturbances& pilot, double target, double fraction,
              Index trials, Index max_n) {
  SignalCheck signals;
  const auto main_thread = std::this_thread::get_id();
  PlanOptions options;
  options.target = target;
  options.fraction = fraction;
  options.trials = trials;
  options.max_n = max_n;
  options.threads = default_threads();
  options.poll = [&] {
    if (std::this_thread::get_id() == main_thread) signals();
  };
  return make_plan(problem, pilot, options);
}

}  // namespace

void bind_planning(py::module_& module) {
  module.def(
      "plan",
      [](const Problem& problem, const Disturbances& pilot, double target, double fraction,
         Index trials, Index max_n) {
        const Plan plan = [&] {
          const py::gil_scoped_release release;
          return plan_run(problem, pilot, target, fraction, trials, max_n);
        }();
        return py::make_tuple(to_python(plan_to_json(plan)), plan_answer(plan), plan_notice(plan));
      },
      py::arg("problem"), py::arg("pilot"), py::arg("target"), py::arg("fraction"),
      py::arg("trials"), py::arg("max_n"));
}

}  // namespace loopcert::python
