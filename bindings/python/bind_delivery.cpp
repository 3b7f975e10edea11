// Rooms report and delivery: the files and the page of a run.
#include "bind.hpp"
#include "certificate/record_json.hpp"
#include "delivery/describe.hpp"
#include "delivery/run_files.hpp"
#include "delivery/write_measured.hpp"
#include "loopcert/delivery/words.hpp"
#include "traced_watch.hpp"
#include "workflow/reconstruction.hpp"

namespace loopcert::python {
namespace {

nlohmann::json record_of(const LearnRun& run, const py::object& reconstruction,
                         const std::vector<std::string>& notes) {
  nlohmann::json record = learn_run_to_json(run);
  if (!reconstruction.is_none())
    record["reconstruction"] = from_python(reconstruction, "reconstruction");
  std::vector<Warning> warnings = run.warnings;
  add_notes(warnings, {{}, {}, notes});
  record["warnings"] = warnings_to_json(warnings);
  return record;
}

py::dict words_of(const Certificate& c) {
  py::list terms, events;
  for (const Term& term : c.terms)
    terms.append(py::make_tuple(term_words(term).name, term_words(term).symbol, term.value));
  for (const Event& event : c.events)
    events.append(py::make_tuple(event_name(event), event.delta, event_words(event)));
  py::dict words;
  words["subject"] = subject_words(c);
  words["terms"] = terms;
  words["events"] = events;
  words["assumptions"] = assumption_words(c.assumptions);
  return words;
}

}  // namespace

void bind_delivery(py::module_& module) {
  module.def(
      "certificate_words",
      [](const py::object& record) {
        return words_of(certificate_from_json(from_python(record, "certificate")));
      },
      py::arg("record"), "What a record says in words: subject, terms, events, assumptions.");
  module.def(
      "run_record",
      [](const LearnRun& run, const py::object& reconstruction,
         const std::vector<std::string>& notes) {
        return to_python(record_of(run, reconstruction, notes));
      },
      py::arg("run"), py::arg("reconstruction"), py::arg("notes"), "run.json.");
  module.def(
      "save_run",
      [](const std::filesystem::path& path, const Problem& problem, const Disturbances& data,
         const LearnRun& run, const py::object& record) {
        const nlohmann::json tree = from_python(record, "record");
        const py::gil_scoped_release release;
        OutputFolder folder(path);
        add_learn_files(folder, problem, data, run, tree);
        folder.commit();
        return folder.names();
      },
      py::arg("folder"), py::arg("problem"), py::arg("data"), py::arg("run"), py::arg("record"),
      "Writes the files of `loopcert learn --out`; returns their names.");
  module.def(
      "save_certificate",
      [](const std::filesystem::path& path, const CertifyRun& run) {
        OutputFolder folder(path);
        add_certify_files(folder, certify_run_to_json(run), run);
        folder.commit();
        return folder.names();
      },
      py::arg("folder"), py::arg("run"), Released(),
      "Writes the files of `loopcert certify --out`; returns their names.");
  module.def(
      "save_measured",
      [](const std::filesystem::path& path, const MeasureResult& measured) {
        OutputFolder folder(path);
        add_measure_files(folder, measured);
        folder.commit();
        return folder.names();
      },
      py::arg("folder"), py::arg("measured"), Released(),
      "Writes the files of `loopcert measure --out`; returns their names.");
  module.def(
      "inspect",
      [](const Problem& problem, const Disturbances& data) {
        const Inspection inspection = [&] {
          const py::gil_scoped_release release;
          return loopcert::inspect(problem, data);
        }();
        const nlohmann::json record = inspection_to_json(inspection);
        return py::make_tuple(
            to_python(record), inspection.lags.mean, inspection.lags.band, inspection.deviations,
            report::inspection_page(describe_inspection(inspection, problem, data, record)));
      },
      py::arg("problem"), py::arg("data"));
  module.def(
      "watch_page",
      [](const CertifiedWatch& w) {
        return report::watch_page(describe_watch(w.record(), w.trace, w.before));
      },
      py::arg("watch"), "The page of `loopcert watch --page`.");
  module.def(
      "plant_watch_page",
      [](const TracedPlantWatch& w) {
        return report::watch_page(describe_watch(w.watch, w.trace, w.before));
      },
      py::arg("watch"), "The page of `loopcert watch --steps --page`.");
  module.def(
      "certified_page",
      [](const CertifyRun& run) {
        return report::run_page(
            describe_certified(run.problem, run.controller, run.data, certify_run_to_json(run)));
      },
      py::arg("run"), Released(), "The page of a certified controller.");
  module.def(
      "measured_page",
      [](const MeasureResult& measured) {
        return report::measured_page(describe_measured(measured));
      },
      py::arg("measured"), Released(), "The page of measured costs.");
  module.def(
      "sweep_page",
      [](const py::object& record) {
        return report::sweep_page(describe_sweep(from_python(record, "results")));
      },
      py::arg("record"), "The page of a sweep, from what its results.json holds.");
  module.def(
      "run_page",
      [](const Problem& problem, const Disturbances& data, const LearnRun& run,
         const py::object& record) {
        const nlohmann::json tree = from_python(record, "record");
        const py::gil_scoped_release release;
        return report::run_page(
            describe_run({tree, run.controller, problem, run.posterior, data, ""}));
      },
      py::arg("problem"), py::arg("data"), py::arg("run"), py::arg("record"),
      "The page of a run: one self-contained HTML text.");
}

}  // namespace loopcert::python
