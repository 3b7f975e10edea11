// Room inspection: what the data say against assumptions and model.
#include "loopcert/inspection/inspection.hpp"

#include "bind.hpp"
#include "logs.hpp"

namespace loopcert::python {

void bind_inspection(py::module_& module) {
  module.def(
      "inspect",
      [](const Problem& problem, const Disturbances& data, const Logs& logs) {
        const Inspection inspection = [&] {
          const py::gil_scoped_release release;
          const std::optional<Rollouts> episodes = rollouts_of(logs);
          return loopcert::inspect(problem, data, episodes ? &*episodes : nullptr);
        }();
        return py::make_tuple(to_python(inspection_to_json(inspection)), inspection.lags.mean,
                              inspection.lags.band, inspection.deviations);
      },
      py::arg("problem"), py::arg("data"), py::arg("logs") = py::none());
  module.def("inspection_notice", &inspection_notice);
}

}  // namespace loopcert::python
