// Room verification: a certificate file evaluated again.
#include "bind.hpp"
#include "loopcert/verification/recheck.hpp"
#include "verification/recheck_measured.hpp"

namespace loopcert::python {

namespace {

py::tuple verdict_of(const Verification& v) {
  const auto value = [&](const Certificate& c) {
    return v.agrees ? py::object(py::float_(c.value)) : py::none();
  };
  return py::make_tuple(v.agrees, v.reason, value(v.recorded), value(v.recomputed));
}

}  // namespace

void bind_verification(py::module_& module) {
  module.def("problem_of_certificate", &problem_of_certificate, py::arg("certificate"));
  module.def(
      "verify",
      [](const std::filesystem::path& certificate, const Disturbances& data) {
        const Verification v = [&] {
          const py::gil_scoped_release release;
          return verify_certificate(certificate, data);
        }();
        return verdict_of(v);
      },
      py::arg("certificate"), py::arg("data"));
  module.def(
      "verify_measured",
      [](const std::filesystem::path& certificate) {
        const Verification v = [&] {
          const py::gil_scoped_release release;
          return verify_measured(certificate);
        }();
        return verdict_of(v);
      },
      py::arg("certificate"));
}

}  // namespace loopcert::python
