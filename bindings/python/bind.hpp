// One function per room; module.cpp calls them in the order of the rooms. Bindings convert and
// call, nothing else.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <nlohmann/json.hpp>

#include "loopcert/core/types.hpp"

namespace loopcert::python {

namespace py = pybind11;

void bind_core(py::module_& module);
void bind_device(py::module_& module);
void bind_response(py::module_& module);
void bind_data(py::module_& module);
void bind_problem(py::module_& module);
void bind_risk(py::module_& module);
void bind_certificate(py::module_& module);
void bind_controller(py::module_& module);
void bind_simulation(py::module_& module);
void bind_learning(py::module_& module);
void bind_inspection(py::module_& module);
void bind_measurement(py::module_& module);
void bind_workflow(py::module_& module);
void bind_verification(py::module_& module);
void bind_watch(py::module_& module);
void bind_planning(py::module_& module);
void bind_sweeps(py::module_& module);
void bind_delivery(py::module_& module);

// Parts of the rooms response and workflow, and what crosses rooms, in files of their own.
void bind_vectorized(py::module_& module);
void bind_evaluation(py::module_& module);
void bind_drafts(py::module_& module);
void bind_identified(py::module_& module);

// Trees of plain Python objects and JSON. Arrays become lists of lists. Throws InputError on an
// object that has no place in a tree; `place` is what the message calls the whole.
py::object to_python(const nlohmann::json& tree);
nlohmann::json from_python(const py::handle& object, const std::string& place);

// Work without the interpreter lock.
using Released = py::call_guard<py::gil_scoped_release>;

// Throws what a signal handler raised (KeyboardInterrupt). Takes the interpreter lock at most 20
// times a second: waiting for it is slow when another thread computes in Python.
class SignalCheck {
 public:
  void operator()();

 private:
  std::int64_t last_ = 0;
};

// Rows of trajectories as an array of three axes, (n, steps, components), on the same memory.
py::array three_axes(const Matrix& rows, Index components, const py::object& owner);

}  // namespace loopcert::python
