// Room certificate: Gaussian priors and posteriors, and the kinds there are.
#include "bind.hpp"
#include "certificate/fixed_response.hpp"
#include "certificate/gaussian.hpp"
#include "certificate/kinds.hpp"
#include "certificate/record_arrays.hpp"
#include "core/file.hpp"
#include "loopcert/core/error.hpp"
#include "response/space.hpp"

namespace loopcert::python {
namespace {

using Given = std::optional<Matrix>;

// The shape that the given matrices are of.
std::shared_ptr<const PriorShape> prior_shape(const Given& deviation, const Given& rows,
                                              const Given& columns, const Given& full) {
  if (!deviation && !rows && !columns && !full) return nullptr;
  if (deviation.has_value() + (rows || columns) + full.has_value() > 1)
    throw InputError("Prior: deviation, rows with columns, or full: one of them");
  if (columns && !rows) throw InputError("Prior: columns need rows");
  PriorShape shape{deviation ? "diagonal"
                   : rows    ? "kronecker"
                             : "full",
                   deviation.value_or(Matrix()), rows.value_or(Matrix()),
                   columns.value_or(Matrix()), full.value_or(Matrix())};
  return std::make_shared<const PriorShape>(std::move(shape));
}

}  // namespace

void bind_certificate(py::module_& module) {
  py::class_<Prior>(module, "Prior",
                    "pi = N(center, scale^2 I) on the free entries of Z, or center + scale D with\n"
                    "D = deviation * Xi, rows Xi columns, or full xi for independent standard "
                    "normal Xi.\nIt must not depend on the certification data.")
      .def(py::init([](const MatrixView& center, double scale, const Given& deviation,
                       const Given& rows, const Given& columns, const Given& full) {
             return Prior{center, scale, prior_shape(deviation, rows, columns, full)};
           }),
           py::arg("center"), py::arg("scale") = 1.0, py::arg("deviation") = py::none(),
           py::arg("rows") = py::none(), py::arg("columns") = py::none(),
           py::arg("full") = py::none())
      .def_readonly("center", &Prior::center, "T n_u x d_z, zero outside the free entries.")
      .def_readonly("scale", &Prior::scale, "Standard deviation of every free entry.")
      .def("__repr__",
           [](const Prior& prior) {
             return "Prior(center " + std::to_string(prior.center.rows()) + " x " +
                    std::to_string(prior.center.cols()) + ", scale " +
                    std::string(py::str(py::float_(prior.scale))) + ")";
           })
      .def_property_readonly(
          "covariance",
          [](const Prior& p) { return p.shape ? p.shape->covariance : std::string("isotropic"); },
          "isotropic, cost, diagonal, kronecker or full.")
      .def(py::pickle(
          [](const Prior& p) {
            const PriorShape s = p.shape ? *p.shape : PriorShape{};
            return py::make_tuple(p.center, p.scale, s.covariance, s.deviation, s.rows, s.columns,
                                  s.full);
          },
          [](const py::tuple& s) {
            Prior prior{s[0].cast<Matrix>(), s[1].cast<double>()};
            PriorShape shape{s[2].cast<std::string>(), s[3].cast<Matrix>(), s[4].cast<Matrix>(),
                             s[5].cast<Matrix>(), s[6].cast<Matrix>()};
            if (!shape.covariance.empty())
              prior.shape = std::make_shared<const PriorShape>(std::move(shape));
            return prior;
          }));
  py::class_<Posterior>(module, "Posterior",
                        "rho = N(mean, diag(variance)) on the free entries of Z, or with these\n"
                        "variances in the frame of a posterior family; its mean is what is "
                        "deployed.")
      .def(py::init([](const MatrixView& mean, const MatrixView& variance) {
             Posterior made;
             made.mean = mean;
             made.variance = variance;
             return made;
           }),
           py::arg("mean"), py::arg("variance"))
      .def_static(
          "read",
          [](const std::filesystem::path& path) {
            const std::string bytes = read_file(path, largest_record);
            return at_place(path.string(), [&] { return parse_posterior(bytes); });
          },
          py::arg("path"), "From posterior.npz of a run.")
      .def(
          "save",
          [](const Posterior& posterior, const std::filesystem::path& path) {
            write_file(path, format_posterior(posterior));
          },
          py::arg("path"), "To a file that `read` and `loopcert evaluate` take.")
      .def_readonly("mean", &Posterior::mean, "T n_u x d_z; read-only view.")
      .def_readonly("variance", &Posterior::variance, "T n_u x d_z; read-only view.")
      .def("__repr__",
           [](const Posterior& posterior) {
             return "Posterior(mean and variance " + std::to_string(posterior.mean.rows()) + " x " +
                    std::to_string(posterior.mean.cols()) + ")";
           })
      .def_property_readonly(
          "is_diagonal", [](const Posterior& p) { return p.frame == nullptr; },
          "Whether the entries of Z are independent.")
      .def(
          "covariance",
          [](const Posterior& p, const ResponseSpace& space) {
            check_posterior(p, space.coordinates.pattern);
            return posterior_covariance(p, space.coordinates.pattern);
          },
          py::arg("space"), "Sigma_rho, p x p, free entries column by column; p up to 600.")
      .def_static(
          "with_covariance",
          [](const ResponseSpace& space, const MatrixView& mean, const MatrixView& covariance) {
            return posterior_with_covariance(space.coordinates.pattern, mean, covariance);
          },
          py::arg("space"), py::arg("mean"), py::arg("covariance"),
          "N(mean, covariance) with any p x p covariance; p up to 600.")
      .def(py::pickle([](const Posterior& p) { return py::bytes(format_posterior(p)); },
                      [](const py::bytes& bytes) { return parse_posterior(std::string(bytes)); }));
  module.def(
      "kl_divergence",
      [](const Posterior& posterior, const Prior& prior, const ResponseSpace& space) {
        check_posterior(posterior, space.coordinates.pattern);
        check_prior(prior, space.coordinates.pattern);
        return kl_divergence(posterior, prior, space.coordinates.pattern);
      },
      py::arg("posterior"), py::arg("prior"), py::arg("space"),
      "KL(rho || pi); 1/2 sum (V/s^2 + (Z - Z_pi)^2/s^2 - 1 - log(V/s^2)) over the free entries "
      "of\n"
      "a diagonal posterior under an isotropic prior.");
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
