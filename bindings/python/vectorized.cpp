// The paper's vectorized form as scipy.sparse and NumPy arrays.
#include "loopcert/response/vectorized.hpp"
#include "bind.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert::python {

void bind_vectorized(py::module_& module) {
  py::class_<Vectorized>(
      module, "Vectorized",
      "The paper's vectorized form: theta = (vec Phi_x, vec Phi_u, phi_x, phi_u), causal entries\n"
      "only, H theta = h, and every solution theta_0 + N alpha. Sparse matrices are those of "
      "SciPy.")
      .def_property_readonly("p", &Vectorized::p, "Length of alpha.")
      .def_readonly("affine", &Vectorized::affine, "Whether phi_x and phi_u are part of theta.")
      .def_readonly("H", &Vectorized::H, "Constraint matrix, sparse.")
      .def_readonly("h", &Vectorized::h, "Its right-hand side (vec I, d).")
      .def_readonly("selection", &Vectorized::selection,
                    "All entries of (vec Phi_x, vec Phi_u, phi_x, phi_u) from theta, sparse.")
      .def_readonly("theta_0", &Vectorized::theta_0, "The particular solution: alpha = 0.")
      .def_readonly("N", &Vectorized::N, "Basis of the kernel of H, p columns, sparse.")
      .def_readonly("S", &Vectorized::S, "M_k = S e_i e_j' for the entry (i, j) of alpha_k.")
      .def_readonly("M_0", &Vectorized::M_0, "y = M w + m at alpha = 0.")
      .def_readonly("m_0", &Vectorized::m_0, "The same.")
      .def_readonly("M_G", &Vectorized::M_G, "Gram matrix of the directions (M_k, m_k), sparse.")
      .def_readonly("start", &Vectorized::start, "The response at alpha = 0.")
      .def(
          "entry",
          [](const Vectorized& v, Index k) {
            direction(v, k);  // checks k
            return std::pair(v.row[static_cast<size_t>(k)], v.column[static_cast<size_t>(k)]);
          },
          py::arg("k"), "Row and column in Z of alpha_k.")
      .def(
          "M", [](const Vectorized& v, Index k) { return direction(v, k).M; }, py::arg("k"),
          "M_k: the change of M along alpha_k.")
      .def(
          "m", [](const Vectorized& v, Index k) { return direction(v, k).m; }, py::arg("k"),
          "m_k: the change of m along alpha_k.")
      .def(
          "alpha", [](const Vectorized& v, const MatrixView& Z) { return alpha_of_Z(v, Z); },
          py::arg("Z"), "The free entries of Z, column by column.")
      .def(
          "Z", [](const Vectorized& v, const Vector& alpha) { return Z_of(v, alpha); },
          py::arg("alpha"), "The matrix with these free entries.")
      .def(
          "theta", [](const Vectorized& v, const Response& r) { return theta_of(v, r); },
          py::arg("response"), "theta of a response.")
      .def(
          "theta", [](const Vectorized& v, const Vector& alpha) { return theta_of(v, alpha); },
          py::arg("alpha"), "theta_0 + N alpha, or theta of a response.")
      .def(
          "alpha_of",
          [](const Vectorized& v, const Response& r) { return alpha_of_theta(v, theta_of(v, r)); },
          py::arg("response"), "alpha of a response.")
      .def(
          "alpha_of",
          [](const Vectorized& v, const Vector& theta) { return alpha_of_theta(v, theta); },
          py::arg("theta"), "alpha of a theta (the nearest, in least squares) or a response.")
      .def(
          "response",
          [](const Vectorized& v, const Vector& alpha) {
            return response_of(v, theta_of(v, alpha));
          },
          py::arg("alpha"), "The closed loop of alpha.")
      .def(
          "loss",
          [](const Vectorized& v, const MatrixView& second, const std::optional<Vector>& mean) {
            const LossInAlpha loss =
                loss_in_alpha(v, mean ? *mean : Vector::Zero(v.sizes.d_w()), second);
            return py::make_tuple(loss.G, loss.g, loss.c);
          },
          py::arg("second"), py::arg("mean") = py::none(),
          "(G, g, c) with E l(alpha, w) = alpha'G alpha + 2 g'alpha + c, for E ww' = second and\n"
          "E w = mean (zero when left out).")
      .def("__repr__", [](const Vectorized& v) {
        return "Vectorized(H " + std::to_string(v.H.rows()) + " x " + std::to_string(v.H.cols()) +
               ", N " + std::to_string(v.N.rows()) + " x " + std::to_string(v.N.cols()) + ")";
      });
  module.def(
      "make_vectorized",
      [](const Problem& problem) { return vectorized(problem.system, problem.response); },
      py::arg("problem"), Released());
}

}  // namespace loopcert::python
