// Room sweeps: many experiments.
#include "bind.hpp"
#include "core/parallel.hpp"
#include "sweeps/sweep_run.hpp"

namespace loopcert::python {
namespace {

SweepOutcome sweep_run(const Sweep& sweep, const std::filesystem::path& folder, int threads,
                       bool resume) {
  SignalCheck signals;
  SweepRunOptions options;
  options.folder = folder;
  options.threads = threads > 0 ? threads : default_threads();
  options.resume = resume;
  std::exception_ptr raised;  // what is finished is kept first
  options.interrupted = [&] {
    try {
      if (!raised) signals();
    } catch (...) {
      raised = std::current_exception();
    }
    return static_cast<bool>(raised);
  };
  const SweepOutcome outcome = run_sweep(list_jobs(sweep), options);
  if (raised) std::rethrow_exception(raised);
  return outcome;
}

}  // namespace

void bind_sweeps(py::module_& module) {
  py::class_<Sweep>(module, "Sweep")
      .def_static("read", &read_sweep, py::arg("path"))
      .def_static(
          "from_tree",
          [](const py::object& tree) {
            return sweep_from_json(from_python(tree, ""), std::filesystem::current_path());
          },
          py::arg("tree"));
  module.def(
      "run_sweep",
      [](const Sweep& sweep, const std::filesystem::path& folder, int threads, bool resume) {
        const SweepOutcome outcome = [&] {
          const py::gil_scoped_release release;
          return sweep_run(sweep, folder, threads, resume);
        }();
        return py::make_tuple(outcome.total, outcome.computed, outcome.failed);
      },
      py::arg("sweep"), py::arg("folder"), py::arg("threads"), py::arg("resume"));
}

}  // namespace loopcert::python
