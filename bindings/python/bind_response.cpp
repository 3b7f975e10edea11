// Room response: closed-loop responses and the affine space of all of them.
#include "bind.hpp"
#include "loopcert/problem/problem.hpp"
#include "response/lqr.hpp"
#include "response/response.hpp"
#include "response/space.hpp"

namespace loopcert::python {

void bind_response(py::module_& module) {
  py::class_<Response>(module, "Response",
                       "A closed loop: x = Phi_x w + phi_x, u = Phi_u w + phi_u. Views, read-only.")
      .def_readonly("Phi_x", &Response::Phi_x, "d_w x d_w, unit lower triangular by blocks.")
      .def_readonly("Phi_u", &Response::Phi_u, "T n_u x d_w, block lower triangular.")
      .def_readonly("phi_x", &Response::phi_x, "d_w.")
      .def_readonly("phi_u", &Response::phi_u, "T n_u.")
      .def("__repr__",
           [](const Response& r) {
             return "Response(Phi_x " + std::to_string(r.Phi_x.rows()) + " x " +
                    std::to_string(r.Phi_x.cols()) + ", Phi_u " + std::to_string(r.Phi_u.rows()) +
                    " x " + std::to_string(r.Phi_u.cols()) + ")";
           })
      .def(py::pickle(
          [](const Response& r) { return py::make_tuple(r.Phi_x, r.Phi_u, r.phi_x, r.phi_u); },
          [](const py::tuple& s) {
            return Response{s[0].cast<Matrix>(), s[1].cast<Matrix>(), s[2].cast<Vector>(),
                            s[3].cast<Vector>()};
          }));

  py::class_<ResponseSpace>(
      module, "ResponseSpace",
      "All achievable causal responses of a problem, with coordinates Z (T n_u x d_z):\n"
      "Phi_u = Phi_u0 + T_u Z, Phi_x = F + S_x Phi_u. d_z = d_w, plus one for a constant in front\n"
      "when the response is affine or the plant has an offset.")
      .def_property_readonly(
          "T_u", [](const ResponseSpace& s) -> const Matrix& { return s.coordinates.T_u; },
          py::return_value_policy::reference_internal, "T n_u x T n_u, lower triangular.")
      .def_property_readonly(
          "Phi_u0", [](const ResponseSpace& s) -> const Matrix& { return s.coordinates.Phi_u0; },
          py::return_value_policy::reference_internal, "T n_u x d_z: the start, Z = 0.")
      .def_property_readonly(
          "P", [](const ResponseSpace& s) -> const Matrix& { return s.cost.P; },
          py::return_value_policy::reference_internal,
          "S'S: curvature of the cost in a column of Z.")
      .def_property_readonly(
          "p", [](const ResponseSpace& s) { return s.coordinates.p(); },
          "Number of free entries of Z.")
      .def_property_readonly(
          "free",
          [](const ResponseSpace& space) {
            const Vector ones = Vector::Ones(space.coordinates.p());
            return Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic>(
                unpack(space.coordinates.pattern, ones).array() != 0);
          },
          "Which entries of Z are free, T n_u x d_z of bool: the causal ones.")
      .def(
          "coordinates",
          [](const ResponseSpace& s, const Response& r) {
            return coordinates_of(s.coordinates, r);
          },
          py::arg("response"), "Z of a response: the inverse of `response`.")
      .def("__repr__", [](const ResponseSpace& space) {
        return "ResponseSpace(" + std::to_string(space.coordinates.p()) + " free entries of Z, " +
               std::to_string(space.coordinates.pattern.rows()) + " x " +
               std::to_string(space.coordinates.pattern.cols()) + ")";
      });
  module.def(
      "make_response_space",
      [](const Problem& problem) { return make_response_space(problem.system, problem.response); },
      py::arg("problem"), Released());
  module.def(
      "response_at",
      [](const Problem& problem, const ResponseSpace& space, const MatrixView& Z) {
        return response_at(problem.system, space.coordinates, Z);
      },
      py::arg("problem"), py::arg("space"), py::arg("Z"), Released());
  module.def(
      "lqr_response", [](const Problem& problem) { return lqr_response(problem.system); },
      py::arg("problem"), Released());
  bind_vectorized(module);
}

}  // namespace loopcert::python
