// Room problem: plant, cost, horizon, assumptions, options; and the files that hold trajectories of
// such a problem.
#include "bind.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "loopcert/problem/problem.hpp"
#include "problem/foreign_keys.hpp"
#include "problem/problem_json.hpp"

namespace loopcert::python {
namespace {

// One matrix, or (T, rows, columns).
py::object matrices(const std::vector<Matrix>& sequence) {
  if (sequence.empty()) return py::none();
  if (sequence.size() == 1) return py::cast(sequence[0]);
  const Index rows = sequence[0].rows(), cols = sequence[0].cols();
  py::array_t<double> stacked({static_cast<Index>(sequence.size()), rows, cols});
  double* out = stacked.mutable_data();
  for (const Matrix& matrix : sequence)
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) *out++ = matrix(i, j);
  return stacked;
}

}  // namespace

void bind_problem(py::module_& module) {
  py::class_<Problem>(module, "Problem", "A problem as the library stores it.")
      .def_static(
          "from_tree",
          [](const py::object& tree) { return problem_from_json(from_python(tree, "")); },
          py::arg("tree"), "From the keys of a problem file.")
      .def_static("read", py::overload_cast<const std::filesystem::path&>(&read_problem),
                  py::arg("path"), "Reads .toml, or .json with the same keys.")
      .def("to_tree", [](const Problem& p) { return to_python(problem_to_json(p)); })
      .def(
          "replace",
          [](const Problem& p, const py::object& patch) {
            return replace_options(p, from_python(patch, ""));
          },
          py::arg("patch"), "The same problem with some options replaced.")
      .def_readonly("name", &Problem::name)
      .def_property_readonly("horizon",
                             [](const Problem& p) -> py::object {
                               if (p.model && p.model->infinite) return py::str("infinite");
                               return py::int_(p.sizes().T);
                             })
      .def_property_readonly("n_x", [](const Problem& p) { return p.sizes().n_x; })
      .def_property_readonly("n_u", [](const Problem& p) { return p.sizes().n_u; })
      .def_property_readonly("d_w", [](const Problem& p) { return p.sizes().d_w(); })
      .def_property_readonly("A", [](const Problem& p) { return matrices(p.system.plant.A); })
      .def_property_readonly("B", [](const Problem& p) { return matrices(p.system.plant.B); })
      .def_property_readonly("d",
                             [](const Problem& p) {
                               return Matrix(p.system.plant.stacked_offset()
                                                 .tail(p.sizes().T * p.sizes().n_x)
                                                 .reshaped(p.sizes().n_x, p.sizes().T)
                                                 .transpose());
                             })
      .def_property_readonly("Q", [](const Problem& p) { return matrices(p.system.cost.Q); })
      .def_property_readonly("R", [](const Problem& p) { return matrices(p.system.cost.R); })
      .def_property_readonly("P", [](const Problem& p) { return p.system.cost.P; })
      .def_property_readonly("reference",
                             [](const Problem& p) -> py::object {
                               const Matrix& r = p.system.cost.reference;
                               if (r.size() == 0) return py::none();
                               return py::cast(Matrix(r.transpose()));
                             })
      .def_property_readonly("baseline",
                             [](const Problem& p) -> std::optional<Controller> {
                               if (!p.baseline) return std::nullopt;
                               return p.baseline->controller;
                             })
      .def_property_readonly("method", [](const Problem& p) { return p.learning.method; })
      .def_property_readonly("certificate", [](const Problem& p) { return p.certificate.kind; })
      .def_property_readonly("keeps_repeated",
                             [](const Problem& p) { return p.data.keep_repeated; })
      .def_property_readonly("identifies", &Problem::identifies)
      .def_property_readonly("has_law",
                             [](const Problem& p) { return p.disturbance.law.has_value(); });
  module.def(
      "foreign_key_advice", [](const std::string& key) { return foreign_key_advice(key); },
      py::arg("key"), "What to use instead of a key of other tools, or an empty text.");
  module.def(
      "read_disturbances",
      [](const Problem& problem, const Paths& paths) {
        return read_disturbances(paths, problem.data, problem.sizes());
      },
      py::arg("problem"), py::arg("paths"), Released(),
      "Trajectories of disturbances from files, as the problem's [data] describes them.");
  module.def(
      "write_disturbances",
      [](const Problem& problem, const std::filesystem::path& path, const Disturbances& data) {
        write_disturbances(path, data, problem.sizes(), problem.data);
      },
      py::arg("problem"), py::arg("path"), py::arg("data"), Released());
}

}  // namespace loopcert::python
