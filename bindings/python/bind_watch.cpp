// Room watch: claims on deployed loops, tested while they run.
#include "bind.hpp"
#include "certificate/record_json.hpp"
#include "log_list.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/watch/watch.hpp"
#include "traced_watch.hpp"
#include "watch/claim.hpp"
#include "watch/plant_claim.hpp"
#include "watch/plant_watch.hpp"
#include "watch/plant_watch_file.hpp"
#include "watch/watch_c.hpp"
#include "watch/watch_file.hpp"
#include "watch/watch_record.hpp"

namespace loopcert::python {
namespace {

CertifiedWatch watch_of(const WatchFile& file) {
  return {Watch::resumed(file.state), file.certified, file.state.n};
}

void bind_costs(py::module_& module) {
  py::class_<CertifiedWatch>(module, "Watch")
      .def(py::init([](double claim, double alpha, double degrees) {
             return CertifiedWatch{Watch(WatchClaim{claim, alpha, degrees}), std::nullopt};
           }),
           py::arg("claim"), py::arg("alpha"), py::arg("degrees"))
      .def(py::init([](const py::dict& record, double alpha, double degrees) {
             const nlohmann::json tree = from_python(record, "certificate");
             const CertifiedClaim claim = claim_of(certificate_from_json(tree), "certificate");
             return CertifiedWatch{Watch(WatchClaim{claim.mean, alpha, degrees}), claim};
           }),
           py::arg("certificate"), py::arg("alpha"), py::arg("degrees"))
      .def(
          "update", [](CertifiedWatch& w, double cost) { return w.update(cost); }, py::arg("cost"))
      .def(
          "extend",
          [](CertifiedWatch& w, const Vector& costs) {
            for (const double cost : costs)
              if (w.update(cost)) break;
            return w.watch.rejected();
          },
          py::arg("costs"), Released(), "Costs until the claim is rejected.")
      .def_property_readonly(
          "record", [](const CertifiedWatch& w) { return to_python(record_to_json(w.record())); })
      .def(
          "save",
          [](const CertifiedWatch& w, const std::filesystem::path& path) {
            write_watch(path, w.file());
          },
          py::arg("path"))
      .def_static(
          "load", [](const std::filesystem::path& path) { return watch_of(read_watch(path)); },
          py::arg("path"))
      .def(
          "to_c",
          [](const CertifiedWatch& w, const std::string& prefix) {
            py::dict files;
            for (const CFile& file : watch_to_c(w.watch.state().claim, prefix, {}))
              files[py::str(file.name)] = file.content;
            return files;
          },
          py::arg("prefix"))
      .def(py::pickle([](const CertifiedWatch& w) { return watch_file_to_json(w.file()).dump(); },
                      [](const std::string& text) {
                        return watch_of(watch_file_from_json(nlohmann::json::parse(text)));
                      }));
}

void bind_steps(py::module_& module) {
  py::class_<TracedPlantWatch>(module, "PlantWatch")
      .def(
          py::init([](const std::filesystem::path& certificate, const LogList& logs, double alpha) {
            return TracedPlantWatch{PlantWatch(plant_claim(certificate, logs.logs, alpha))};
          }),
          py::arg("certificate"), py::arg("rollouts"), py::arg("alpha"), Released())
      .def("update", &TracedPlantWatch::update, py::arg("y"), py::arg("u"),
           "Without u it is the last measurement of a run.")
      .def("restart", [](TracedPlantWatch& traced) { traced.watch.restart(); })
      .def_property_readonly(
          "record",
          [](const TracedPlantWatch& traced) { return to_python(record_to_json(traced.watch)); })
      .def(
          "save",
          [](const TracedPlantWatch& traced, const std::filesystem::path& path) {
            write_plant_watch(path, {traced.watch.claim(), traced.watch.state()});
          },
          py::arg("path"))
      .def_static(
          "load",
          [](const std::filesystem::path& path) {
            const PlantWatchFile file = read_plant_watch(path);
            return TracedPlantWatch{PlantWatch(file.claim, file.state), file.state.n};
          },
          py::arg("path"));
}

}  // namespace

void bind_watch(py::module_& module) {
  bind_costs(module);
  bind_steps(module);
}

}  // namespace loopcert::python
