// Room core: errors (with their topics), version, signals, array views.
#include <chrono>
#include <optional>

#include "bind.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/version.hpp"
#include "problem/help_topic.hpp"

namespace loopcert::python {
namespace {

std::optional<std::string> topic_of(const py::handle& error) {
  const py::tuple given = error.attr("args");
  return given.size() == 1 ? help_topic(py::str(given[0]).cast<std::string>()) : std::nullopt;
}

// The code is added where the text is asked for, so that errors which Python code raises have one.
void add_input_error(py::module_& module) {
  const auto error = py::register_exception<InputError>(module, "InputError", PyExc_ValueError);
  error.attr("__doc__") =
      "Bad input: one line that says where, what was found and what was expected, and which topic\n"
      "of the quick reference explains it, (help P3): `loopcert help P3`. `args[0]` is the line\n"
      "without the topic.";
  error.attr("help") = py::module_::import("builtins")
                           .attr("property")(py::cpp_function(
                               &topic_of, py::doc("Code of that topic, such as 'P3', or None.")));
  error.attr("__str__") = py::cpp_function(
      [](const py::handle& self) {
        const py::object plain = py::module_::import("builtins").attr("ValueError");
        const std::string said = py::str(plain.attr("__str__")(self));
        const std::optional<std::string> topic = topic_of(self);
        return topic ? said + " (help " + *topic + ")" : said;
      },
      py::is_method(error));
}

}  // namespace

void bind_core(py::module_& module) {
  module.attr("__version__") = version;
  add_input_error(module);
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
