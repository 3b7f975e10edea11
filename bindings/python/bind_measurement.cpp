// Room measurement: certificates from measured costs.
#include "bind.hpp"
#include "measurement/measured_record.hpp"

namespace loopcert::python {

void bind_measurement(py::module_& module) {
  py::class_<MeasureResult>(module, "MeasureResult")
      .def_property_readonly("certificate",
                             [](const MeasureResult& m) { return to_python(measured_to_json(m)); })
      .def_property_readonly("limits_certificate",
                             [](const MeasureResult& m) -> py::object {
                               if (!m.limits) return py::none();
                               return to_python(measured_limits_to_json(m));
                             })
      .def("plan", &episodes_for, py::arg("size"), Released());
  module.def(
      "measure",
      [](const Vector& costs, const std::optional<Vector>& against, const std::string& kind,
         double delta, bool gaussian, bool any_mean, std::optional<double> largest,
         std::optional<double> kurtosis, bool paired) {
        const MeasureOptions options{kind, delta, gaussian, any_mean, largest, kurtosis, paired};
        return against ? measure(costs, *against, options) : measure(costs, options);
      },
      py::arg("costs"), py::arg("against"), py::arg("kind"), py::arg("delta"), py::arg("gaussian"),
      py::arg("any_mean"), py::arg("largest"), py::arg("kurtosis"), py::arg("paired"), Released());
  module.def(
      "measure_logs",
      [](const Problem& problem, const Matrix& x, const Matrix& u, const std::string& kind,
         double delta, bool gaussian, bool any_mean, std::optional<double> largest,
         std::optional<double> kurtosis) {
        return measure(problem, Rollouts{x, u},
                       {kind, delta, gaussian, any_mean, largest, kurtosis, false});
      },
      py::arg("problem"), py::arg("x"), py::arg("u"), py::arg("kind"), py::arg("delta"),
      py::arg("gaussian"), py::arg("any_mean"), py::arg("largest"), py::arg("kurtosis"),
      Released());
  module.def("measured_kinds", &measured_kind_names);
}

}  // namespace loopcert::python
