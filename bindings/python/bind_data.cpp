// Room data: recorded disturbances.
#include "bind.hpp"
#include "data/parts.hpp"
#include "loopcert/data/disturbances.hpp"

namespace loopcert::python {

void bind_data(py::module_& module) {
  py::class_<Disturbances>(
      module, "Disturbances",
      "Trajectories of disturbances, one per row: (x_0, w_0, …, w_{T-1}), n x d_w with\n"
      "d_w = (T + 1) n_x. The numbers are copied once, here; `w` is a read-only view of them.")
      .def(py::init([](Matrix w) { return Disturbances{std::move(w)}; }), py::arg("w"))
      .def(py::init<const Disturbances&>(), py::arg("data"), "A copy, with the logs it came from.")
      .def_property_readonly(
          "w", [](const Disturbances& data) -> const Matrix& { return data.w; },
          py::return_value_policy::reference_internal, "The trajectories, n x d_w; read-only.")
      .def_property_readonly(
          "logs",
          [](const Disturbances& data) -> py::object {
            if (!data.from_logs()) return py::none();
            return py::make_tuple(data.logs.x, data.logs.u);
          },
          "States and inputs, n rows each, that they were computed from; None without logs.")
      .def_property_readonly("n", &Disturbances::n, "Number of trajectories.")
      .def("__len__", &Disturbances::n)
      .def("__repr__",
           [](const Disturbances& data) {
             return "Disturbances(" + std::to_string(data.n()) + " trajectories of " +
                    std::to_string(data.w.cols()) + " numbers)";
           })
      .def(py::pickle(
          [](const Disturbances& data) { return py::make_tuple(data.w, data.logs.x, data.logs.u); },
          [](const py::tuple& state) {
            return Disturbances{state[0].cast<Matrix>(),
                                {state[1].cast<Matrix>(), state[2].cast<Matrix>()}};
          }));
  module.def(
      "split_first",
      [](const Disturbances& data, double fraction) {
        Split split = split_first(data, fraction);
        return std::pair(std::move(split.learning.data), std::move(split.certifying.data));
      },
      py::arg("data"), py::arg("fraction"), Released(),
      "The first part of the rows for training, the rest for certification.");
}

}  // namespace loopcert::python
