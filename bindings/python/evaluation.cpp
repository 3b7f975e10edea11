// Bounds at a posterior, draws from it, cumulants of a response: for readers of the paper.
#include "bind.hpp"
#include "certificate/cumulant.hpp"
#include "certificate/localized.hpp"
#include "core/check.hpp"
#include "loopcert/core/error.hpp"
#include "workflow/evaluate_run.hpp"
#include "workflow/posterior_law.hpp"

namespace loopcert::python {
namespace {

// Element by element, as NumPy's own functions.
py::object over(const py::array_t<double>& lambda, const std::function<double(double)>& f) {
  return py::vectorize([&f](double x) {
    if (!(x >= 0)) throw_input_error("lambda_", std::string(py::str(py::float_(x))), "at least 0");
    return f(x);
  })(lambda);
}

void bind_trajectory_law(py::module_& module) {
  py::class_<GaussianTrajectory>(
      module, "TrajectoryLaw",
      "The law of y = M w + m for one response and Gaussian w, by the spectrum of Sigma_y.")
      .def_readonly("s", &GaussianTrajectory::s, "Eigenvalues of Sigma_y that may be non-zero.")
      .def_readonly("mu_sq", &GaussianTrajectory::mu_sq,
                    "Squared coordinates of mu_y along the eigenvectors.")
      .def_readonly("mu_rest", &GaussianTrajectory::mu_rest,
                    "Squared mean in the null space of Sigma_y.")
      .def_property_readonly("risk", &GaussianTrajectory::risk, "L(alpha) = E |y|^2.")
      .def_property_readonly("phi", &quadratic_coefficient,
                             "||Sigma_y||_F^2 + 2 mu_y'Sigma_y mu_y.")
      .def(
          "cumulant",
          [](const GaussianTrajectory& y, const py::array_t<double>& lambda) {
            return over(lambda, [&y](double x) { return exact_gaussian_cgf(y, x); });
          },
          py::arg("lambda_"),
          "Lambda_alpha(lambda) = log E exp(lambda (L - l)), exactly; a number or an array.")
      .def(
          "quadratic_bound",
          [](const GaussianTrajectory& y, const py::array_t<double>& lambda) {
            const double phi = quadratic_coefficient(y);
            return over(lambda, [phi](double x) { return x * x * phi; });
          },
          py::arg("lambda_"), "psi(alpha, lambda) = lambda^2 phi, at or above the cumulant.")
      .def("__repr__", [](const GaussianTrajectory& y) {
        return "TrajectoryLaw(" + std::to_string(y.s.size()) + " eigenvalues, risk " +
               std::string(py::str(py::float_(y.risk()))) + ")";
      });
  module.def(
      "trajectory_law",
      [](const Problem& problem, const Response& response, const Vector& mean,
         const Matrix& covariance) {
        return response_trajectory(problem.system, response, mean, covariance);
      },
      py::arg("problem"), py::arg("response"), py::arg("mean"), py::arg("covariance"), Released());
  module.def(
      "pointwise_radius",
      [](const Problem& problem, const ResponseSpace& space, const Matrix& Z,
         const Matrix& covariance) {
        check_size("covariance", covariance, problem.sizes().d_w(), problem.sizes().d_w());
        check_positive_semidefinite("covariance", covariance);
        return pointwise_radius(problem.system, space, Z, covariance);
      },
      py::arg("problem"), py::arg("space"), py::arg("Z"), py::arg("covariance"), Released());
}

}  // namespace

void bind_evaluation(py::module_& module) {
  bind_trajectory_law(module);
  module.def(
      "stated_law",
      [](const Problem& problem) -> py::object {
        const auto& law = problem.disturbance.law;
        if (!law) return py::none();
        return py::make_tuple(law->mean, law->covariance, law_shape_name(law->shape));
      },
      py::arg("problem"), "Mean, covariance and shape of the problem's law; None without one.");
  module.def(
      "evaluate",
      [](const Problem& problem, const Posterior& posterior, const Disturbances& data,
         const std::string& kind, const std::optional<Prior>& prior,
         const std::optional<double>& lambda) {
        const Evaluation found = [&] {
          const py::gil_scoped_release release;
          return evaluate_posterior(problem, posterior, data, {kind, lambda, prior});
        }();
        return to_python(evaluation_to_json(found));
      },
      py::arg("problem"), py::arg("posterior"), py::arg("data"), py::arg("kind"), py::arg("prior"),
      py::arg("lambda_"));
  module.def(
      "draw_controllers",
      [](const Problem& problem, const Posterior& posterior, Index n, std::uint64_t seed,
         const Disturbances& seen) {
        std::vector<PosteriorDraw> draws = [&] {
          const py::gil_scoped_release release;
          return draw_controllers(problem, posterior, seed, n, seen);
        }();
        py::list found;
        for (PosteriorDraw& d : draws)
          found.append(
              py::make_tuple(std::move(d.Z), std::move(d.response), std::move(d.controller)));
        return found;
      },
      py::arg("problem"), py::arg("posterior"), py::arg("n"), py::arg("seed"), py::arg("seen"));
  module.def("lambda_end", &lambda_end, py::arg("problem"), py::arg("posterior"), Released());
  module.def(
      "global_minimum",
      [](const Problem& problem, const Disturbances& data, const std::string& kind,
         const std::optional<Prior>& prior) {
        GlobalCheck found = [&] {
          const py::gil_scoped_release release;
          return global_check(problem, data, kind, prior);
        }();
        return py::make_tuple(found.value, found.lambda, std::move(found.posterior));
      },
      py::arg("problem"), py::arg("data"), py::arg("kind"), py::arg("prior"));
}

}  // namespace loopcert::python
