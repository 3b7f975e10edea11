// Room verification: a certificate file evaluated again.
#include "bind.hpp"
#include "loopcert/verification/recheck.hpp"

namespace loopcert::python {

void bind_verification(py::module_& module) {
  module.def("problem_of_certificate", &problem_of_certificate, py::arg("certificate"));
  module.def(
      "verify",
      [](const std::filesystem::path& certificate, const Disturbances& data) {
        const Verification v = [&] {
          const py::gil_scoped_release release;
          return verify_certificate(certificate, data);
        }();
        const auto value = [&](const Certificate& c) {
          return v.agrees ? py::object(py::float_(c.value)) : py::none();
        };
        return py::make_tuple(v.agrees, v.reason, value(v.recorded), value(v.recomputed));
      },
      py::arg("certificate"), py::arg("data"));
}

}  // namespace loopcert::python
