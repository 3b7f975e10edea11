// Plants that are identified: logs, what they say, and the controller that comes out.
#include "bind.hpp"
#include "certificate/record_json.hpp"
#include "controller/memory_controller.hpp"
#include "core/json.hpp"
#include "delivery/describe.hpp"
#include "delivery/run_files.hpp"
#include "log_list.hpp"
#include "loopcert/core/error.hpp"
#include "workflow/identified_run.hpp"
#include "workflow/identify_run.hpp"

namespace loopcert::python {
namespace {

LogList make_logs(const std::vector<Matrix>& x, const std::vector<Matrix>& u) {
  if (x.size() != u.size())
    throw_input_error("u", std::to_string(u.size()) + " logs", "one for each of x");
  LogList list;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i].rows() != u[i].rows() + 1)
      throw_input_error(
          "log " + std::to_string(i + 1),
          std::to_string(x[i].rows()) + " rows of x and " + std::to_string(u[i].rows()) + " of u",
          "one more row of x than of u");
    list.logs.push_back({x[i], u[i]});
  }
  return list;
}

py::dict identification(const Problem& problem, const Identification& found) {
  const nlohmann::json record = identification_to_json(found);
  py::dict parts;
  parts["record"] = to_python(record);
  parts["page"] = report::identification_page(describe_identification(found, problem, record));
  parts["innovations"] = found.innovations;
  return parts;
}

void bind_logs(py::module_& module) {
  py::class_<LogList>(
      module, "Rollouts",
      "Logged states (or outputs) and inputs, log by log, for a plant that is to be "
      "identified.")
      .def(py::init(&make_logs), py::arg("x"), py::arg("u"))
      .def_property_readonly(
          "n", [](const LogList& l) { return l.logs.size(); }, "Logs.")
      .def_property_readonly(
          "x",
          [](const LogList& l) {
            std::vector<Matrix> x;
            for (const LogEpisode& log : l.logs) x.push_back(log.y);
            return x;
          },
          "(steps + 1, n_x) arrays, one for each log.")
      .def_property_readonly(
          "u",
          [](const LogList& l) {
            std::vector<Matrix> u;
            for (const LogEpisode& log : l.logs) u.push_back(log.u);
            return u;
          },
          "(steps, n_u) arrays, one for each log.")
      .def(py::pickle(
          [](const LogList& l) {
            std::vector<Matrix> x, u;
            for (const LogEpisode& log : l.logs) {
              x.push_back(log.y);
              u.push_back(log.u);
            }
            return py::make_tuple(x, u);
          },
          [](const py::tuple& state) {
            return make_logs(state[0].cast<std::vector<Matrix>>(),
                             state[1].cast<std::vector<Matrix>>());
          }));
  module.def(
      "read_logs",
      [](const Problem& problem, const Paths& paths) {
        return LogList{read_logs_of(problem, paths)};
      },
      py::arg("problem"), py::arg("paths"), Released(),
      "Logs from files, as the problem's [data] describes them.");
}

void bind_memory_controller(py::module_& module) {
  py::class_<MemoryController>(module, "MemoryController",
                               "u_t = K (y_t, …, y_{t-p+1}) + L (u_{t-1}, …, u_{t-q}) + k, for "
                               "ever. What was before the first step counts as zero.")
      .def_readonly("K", &MemoryController::K, "n_u x p n_y; read-only view.")
      .def_readonly("L", &MemoryController::L, "n_u x q n_u; read-only view.")
      .def_readonly("k", &MemoryController::k, "n_u; read-only view.")
      .def_readonly("outputs", &MemoryController::outputs, "p: measurements that it remembers.")
      .def_readonly("inputs", &MemoryController::inputs, "q: inputs that it remembers.")
      .def_readonly("n_y", &MemoryController::n_y)
      .def_readonly("n_u", &MemoryController::n_u)
      .def_readonly("provenance", &MemoryController::provenance)
      .def_property_readonly(
          "input_limits",
          [](const MemoryController& c) {
            return c.input_limits.size() > 0 ? std::optional(c.input_limits) : std::nullopt;
          },
          "n_u x 2, lowest and highest input; None without limits.")
      .def_static("read", &read_memory_controller, py::arg("path"), "controller.json.")
      .def(
          "first_steps",
          [](const MemoryController& c, Index steps) {
            if (steps < 1) throw_input_error("steps", std::to_string(steps), "at least 1");
            return first_steps(c, steps);
          },
          py::arg("steps"), "Its first steps as a Controller, from a memory of zeros.")
      .def(
          "to_c",
          [](const MemoryController& c, const std::string& prefix, bool clip, bool single) {
            py::dict files;
            for (const CFile& file : memory_controller_to_c(c, prefix, {}, clip, single))
              files[py::str(file.name)] = file.content;
            return files;
          },
          py::arg("prefix") = "controller", py::arg("clip") = false, py::arg("single") = false,
          "C99 source that runs for ever in constant memory: {file name: content}.\n"
          "With clip every input is saturated to input_limits, and counted.")
      .def(
          "to_dict",
          [](const MemoryController& c) { return to_python(memory_controller_to_json(c)); },
          "controller.json as plain Python objects.")
      .def("__repr__",
           [](const MemoryController& c) {
             return "MemoryController(" + std::to_string(c.n_y) + " outputs, " +
                    std::to_string(c.n_u) + " inputs, memory of " + std::to_string(c.outputs) +
                    " and " + std::to_string(c.inputs) + ")";
           })
      .def(py::pickle(
          [](const MemoryController& c) { return memory_controller_to_json(c).dump(); },
          [](const std::string& text) { return memory_controller_from_json(parse_json(text)); }));
  py::class_<MemoryRun>(module, "MemoryRun", "Step-by-step execution of a MemoryController.")
      .def(py::init<const MemoryController&>(), py::arg("controller"), py::keep_alive<1, 2>())
      .def(
          "step", [](MemoryRun& run, const Vector& y) { return run.step(y); }, py::arg("y"),
          "u_t for what was measured at step t = 0, 1, …")
      .def(
          "applied", [](MemoryRun& run, const Vector& u) { run.applied(u); }, py::arg("u"),
          "What the actuator did at this step, where it is not what step() returned.");
}

}  // namespace

void bind_identified(py::module_& module) {
  bind_logs(module);
  bind_memory_controller(module);
  module.def(
      "identify",
      [](const Problem& problem, const LogList& logs) {
        const Identification found = [&] {
          const py::gil_scoped_release release;
          return identify(problem, logs.logs);
        }();
        return identification(problem, found);
      },
      py::arg("problem"), py::arg("logs"), "What logs say about a plant: record, page.");
  module.def(
      "identify_colour",
      [](const Problem& problem, const Disturbances& data) {
        const Identification found = [&] {
          const py::gil_scoped_release release;
          return identify_colour(problem, data);
        }();
        return identification(problem, found);
      },
      py::arg("problem"), py::arg("data"),
      "What trajectories say about the colour of a disturbance: record, page.");
  module.def(
      "inspect_logs",
      [](const Problem& problem, const LogList& logs) {
        const Identification found = [&] {
          const py::gil_scoped_release release;
          return identify(problem, logs.logs);
        }();
        const Inspection inspection = inspection_of(found);
        const nlohmann::json record = inspection_to_json(inspection);
        return py::make_tuple(
            to_python(record), inspection.lags.mean, inspection.lags.band, inspection.deviations,
            report::inspection_page(describe_innovations(inspection, found.innovations, record)));
      },
      py::arg("problem"), py::arg("logs"));
  py::class_<IdentifiedRun>(module, "IdentifiedRun", "The result of `learn_identified`.")
      .def_property_readonly("controller",
                             [](const IdentifiedRun& r) {
                               return r.endless ? py::cast(*r.endless) : py::cast(*r.controller);
                             })
      .def_property_readonly("certificate",
                             [](const IdentifiedRun& r) {
                               return to_python(certificate_to_json(r.certificate, r.inputs));
                             })
      .def_property_readonly("limits_certificate",
                             [](const IdentifiedRun& r) -> py::object {
                               if (!r.limits) return py::none();
                               return to_python(certificate_to_json(*r.limits, r.limits_inputs));
                             })
      .def_property_readonly(
          "record", [](const IdentifiedRun& r) { return to_python(identified_run_to_json(r)); });
  module.def(
      "learn_identified",
      [](const Problem& problem, const LogList& logs) {
        return run_identified(problem, logs.logs);
      },
      py::arg("problem"), py::arg("logs"), Released(),
      "A controller for a plant that is identified, with its certificate.");
  module.def(
      "identified_page",
      [](const Problem& problem, const LogList& logs, const IdentifiedRun& run) {
        return report::run_page(
            describe_identified(problem, logs.logs, run, identified_run_to_json(run)));
      },
      py::arg("problem"), py::arg("logs"), py::arg("run"), Released(),
      "The page of the run: one self-contained HTML text.");
  module.def(
      "save_identified",
      [](const std::filesystem::path& path, const Problem& problem, const LogList& logs,
         const IdentifiedRun& run) {
        OutputFolder folder(path);
        add_identified_files(folder, problem, logs.logs, run, identified_run_to_json(run));
        folder.commit();
        return folder.names();
      },
      py::arg("folder"), py::arg("problem"), py::arg("logs"), py::arg("run"), Released(),
      "Writes the files of `loopcert learn --out`; returns their names.");
}

}  // namespace loopcert::python
