// Room core: errors, version, signals, array views.
#include <chrono>

#include "bind.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/version.hpp"

namespace loopcert::python {

void bind_core(py::module_& module) {
  module.attr("__version__") = version;
  py::register_exception<InputError>(module, "InputError", PyExc_ValueError).attr("__doc__") =
      "Bad input: one line that says where, what was found and what was expected.";
  py::register_exception<NumericsError>(module, "NumericsError", PyExc_ArithmeticError)
      .attr("__doc__") = "Numerical failure on valid input.";
  py::register_exception<OutputError>(module, "OutputError", PyExc_OSError).attr("__doc__") =
      "A file could not be written.";
}

void SignalCheck::operator()() {
  using namespace std::chrono;
  const std::int64_t now =
      duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
  if (now - last_ < 50) return;
  last_ = now;
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

py::array three_axes(const Matrix& rows, Index components, const py::object& owner) {
  const Index n = rows.rows(), steps = components > 0 ? rows.cols() / components : 0;
  const auto size = static_cast<py::ssize_t>(sizeof(double));
  py::array_t<double> view({n, steps, components}, {size, size * n * components, size * n},
                           rows.data(), owner);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

}  // namespace loopcert::python
