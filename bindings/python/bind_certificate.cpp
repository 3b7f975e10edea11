// Room certificate: Gaussian priors and posteriors, and the kinds there are.
#include "bind.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/gaussian.hpp"
#include "certificate/kinds.hpp"
#include "response/space.hpp"

namespace loopcert::python {

void bind_certificate(py::module_& module) {
  py::class_<Prior>(module, "Prior",
                    "pi = N(center, scale^2 I) on the free entries of Z. It must not depend on "
                    "the\ncertification data.")
      .def(py::init([](const MatrixView& center, double scale) {
             return Prior{center, scale};
           }),
           py::arg("center"), py::arg("scale"))
      .def_readonly("center", &Prior::center, "T n_u x d_z, zero outside the free entries.")
      .def_readonly("scale", &Prior::scale, "Standard deviation of every free entry.")
      .def("__repr__",
           [](const Prior& prior) {
             return "Prior(center " + std::to_string(prior.center.rows()) + " x " +
                    std::to_string(prior.center.cols()) + ", scale " +
                    std::string(py::str(py::float_(prior.scale))) + ")";
           })
      .def(py::pickle([](const Prior& p) { return py::make_tuple(p.center, p.scale); },
                      [](const py::tuple& s) {
                        return Prior{s[0].cast<Matrix>(), s[1].cast<double>()};
                      }));
  py::class_<Posterior>(module, "Posterior",
                        "rho = N(mean, diag(variance)) on the free entries of Z; its mean is what\n"
                        "is deployed.")
      .def_readonly("mean", &Posterior::mean, "T n_u x d_z; read-only view.")
      .def_readonly("variance", &Posterior::variance, "T n_u x d_z; read-only view.")
      .def("__repr__",
           [](const Posterior& posterior) {
             return "Posterior(mean and variance " + std::to_string(posterior.mean.rows()) + " x " +
                    std::to_string(posterior.mean.cols()) + ")";
           })
      .def(py::pickle([](const Posterior& p) { return py::make_tuple(p.mean, p.variance); },
                      [](const py::tuple& s) {
                        return Posterior{s[0].cast<Matrix>(), s[1].cast<Matrix>()};
                      }));
  module.def(
      "kl_divergence",
      [](const Posterior& posterior, const Prior& prior, const ResponseSpace& space) {
        check_posterior(posterior, space.coordinates.pattern);
        check_prior(prior, space.coordinates.pattern);
        return kl_divergence(posterior, prior, space.coordinates.pattern);
      },
      py::arg("posterior"), py::arg("prior"), py::arg("space"),
      "KL(rho || pi) = 1/2 sum (V/s^2 + (Z - Z_pi)^2/s^2 - 1 - log(V/s^2)) over the free entries.");
  module.def(
      "certificate_kinds",
      [] {
        py::dict kinds;
        for (const PosteriorKind& kind : posterior_kinds()) kinds[py::str(kind.name)] = kind.about;
        for (const FixedResponseKind& kind : fixed_response_kinds())
          kinds[py::str(kind.name)] = kind.about;
        return kinds;
      },
      "Every kind of certificate with a line about it. `hold-out…` kinds have `cross…` "
      "counterparts.");
}

}  // namespace loopcert::python
