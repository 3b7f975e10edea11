// Room inspection: what the data say against assumptions and model.
#include "inspection/inspection.hpp"

#include "bind.hpp"

namespace loopcert::python {

void bind_inspection(py::module_& module) {
  module.def(
      "inspect",
      [](const Problem& problem, const Disturbances& data) {
        const Inspection inspection = [&] {
          const py::gil_scoped_release release;
          return loopcert::inspect(problem, data);
        }();
        return py::make_tuple(to_python(inspection_to_json(inspection)), inspection.lags.mean,
                              inspection.lags.band, inspection.deviations);
      },
      py::arg("problem"), py::arg("data"));
  module.def("inspection_notice", &inspection_notice);
}

}  // namespace loopcert::python
