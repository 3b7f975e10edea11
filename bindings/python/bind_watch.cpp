// Room watch: claims on deployed loops, tested while they run.
#include "bind.hpp"
#include "certificate/record_json.hpp"
#include "log_list.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/watch/watch.hpp"
#include "watch/claim.hpp"
#include "watch/plant_claim.hpp"
#include "watch/plant_watch.hpp"
#include "watch/plant_watch_file.hpp"
#include "watch/watch_c.hpp"
#include "watch/watch_file.hpp"
#include "watch/watch_record.hpp"

namespace loopcert::python {
namespace {

void bind_costs(py::module_& module) {
  py::class_<Watch>(module, "Watch")
      .def(py::init([](double claim, double alpha, double degrees) {
             return Watch(WatchClaim{claim, alpha, degrees});
           }),
           py::arg("claim"), py::arg("alpha"), py::arg("degrees"))
      .def("update", &Watch::update, py::arg("cost"))
      .def(
          "extend",
          [](Watch& watch, const Vector& costs) {
            for (const double cost : costs)
              if (watch.update(cost)) break;
            return watch.rejected();
          },
          py::arg("costs"), Released(), "Costs until the claim is rejected.")
      .def_property_readonly(
          "record",
          [](const Watch& watch) { return to_python(record_to_json(WatchRecord{watch.state()})); })
      .def(
          "save",
          [](const Watch& watch, const std::filesystem::path& path) {
            write_watch(path, {watch.state(), 0});
          },
          py::arg("path"))
      .def_static(
          "load",
          [](const std::filesystem::path& path) { return Watch::resumed(read_watch(path).state); },
          py::arg("path"))
      .def(
          "to_c",
          [](const Watch& watch, const std::string& prefix) {
            py::dict files;
            for (const CFile& file : watch_to_c(watch.state().claim, prefix, {}))
              files[py::str(file.name)] = file.content;
            return files;
          },
          py::arg("prefix"))
      .def(py::pickle([](const Watch& watch) { return watch_to_json(watch.state()).dump(); },
                      [](const std::string& text) {
                        return Watch::resumed(watch_from_json(nlohmann::json::parse(text)));
                      }));
  module.def(
      "certified_claim",
      [](const py::dict& record) {
        const nlohmann::json tree = from_python(record, "certificate");
        return claim_of(certificate_from_json(tree), "certificate").mean;
      },
      py::arg("record"), "What a certificate claims of the mean cost of an episode.");
}

void bind_steps(py::module_& module) {
  py::class_<PlantWatch>(module, "PlantWatch")
      .def(
          py::init([](const std::filesystem::path& certificate, const LogList& logs, double alpha) {
            return PlantWatch(plant_claim(certificate, logs.logs, alpha));
          }),
          py::arg("certificate"), py::arg("rollouts"), py::arg("alpha"), Released())
      .def("update", &PlantWatch::update, py::arg("y"), py::arg("u"))
      .def("restart", &PlantWatch::restart)
      .def_property_readonly(
          "record", [](const PlantWatch& watch) { return to_python(record_to_json(watch)); })
      .def(
          "save",
          [](const PlantWatch& watch, const std::filesystem::path& path) {
            write_plant_watch(path, {watch.claim(), watch.state()});
          },
          py::arg("path"))
      .def_static(
          "load",
          [](const std::filesystem::path& path) {
            const PlantWatchFile file = read_plant_watch(path);
            return PlantWatch(file.claim, file.state);
          },
          py::arg("path"));
}

}  // namespace

void bind_watch(py::module_& module) {
  bind_costs(module);
  bind_steps(module);
}

}  // namespace loopcert::python
