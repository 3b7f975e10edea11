// Room controller: u = K x + k.
#include "bind.hpp"
#include "controller/closed_loop.hpp"
#include "controller/controller_trees.hpp"
#include "core/check.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "loopcert/controller/after.hpp"
#include "loopcert/controller/c_code.hpp"
#include "loopcert/controller/controller.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/problem/problem.hpp"

namespace loopcert::python {
namespace {

Controller make_controller(const MatrixView& K, std::optional<Vector> k, Index horizon,
                           std::optional<Matrix> input_limits) {
  check_at_least("horizon", horizon, 1);
  Controller controller;
  controller.sizes = state_feedback(K.cols() / (horizon + 1), K.rows() / horizon, horizon);
  controller.K = K;
  controller.k = k ? std::move(*k) : Vector::Zero(K.rows());
  if (input_limits) controller.input_limits = std::move(*input_limits);
  check_controller(controller);
  return controller;
}

}  // namespace

void bind_controller(py::module_& module) {
  py::class_<Controller>(module, "Controller",
                         "u = K x + k over a finite horizon. K is T n_u x (T + 1) n_x and block "
                         "lower triangular: u_t\n"
                         "uses the states x_0, …, x_t.")
      .def(py::init(&make_controller), py::arg("K"), py::arg("k") = py::none(), py::kw_only(),
           py::arg("horizon"), py::arg("input_limits") = py::none())
      .def_readonly("K", &Controller::K, "T n_u x (T + 1) n_x; read-only view.")
      .def_readonly("k", &Controller::k, "T n_u; read-only view.")
      .def_property_readonly("horizon", [](const Controller& c) { return c.sizes.T; })
      .def_property_readonly("n_x", [](const Controller& c) { return c.sizes.n_y; })
      .def_property_readonly("n_u", [](const Controller& c) { return c.sizes.n_u; })
      .def_readonly("provenance", &Controller::provenance, "Provenance: method, data, version.")
      .def_readonly("learned_from", &Controller::learned_from,
                    "Fingerprints of its training trajectories.")
      .def_property_readonly(
          "input_limits",
          [](const Controller& c) {
            return c.input_limits.size() > 0 ? std::optional(c.input_limits) : std::nullopt;
          },
          "n_u x 2, lowest and highest input: what the actuators can do; None without limits.")
      .def_static("read", &read_controller, py::arg("path"), ".json, .npz or .mat.")
      .def(
          "save",
          [](const Controller& c, const std::filesystem::path& path) { write_controller(path, c); },
          py::arg("path"), "controller.json, or .npz or .mat by extension.")
      .def(
          "to_c",
          [](const Controller& c, const std::string& prefix, const std::string& after, bool clip,
             bool single) {
            py::dict files;
            for (const CFile& file :
                 controller_to_c(c, prefix, {}, after_from_name(after), clip, single))
              files[py::str(file.name)] = file.content;
            return files;
          },
          py::arg("prefix") = "controller", py::arg("after") = "refuse", py::arg("clip") = false,
          py::arg("single") = false,
          "C99 source: {file name: content}, with static arrays, one step function, a self-test.\n"
          "With clip every input is saturated to input_limits, and counted.")
      .def(
          "extend",
          [](const Controller& c, Index steps, const std::string& after) {
            return extend_controller(c, steps, after_from_name(after));
          },
          py::arg("steps"), py::arg("after") = "refuse",
          "The same controller over another number of steps; after the horizon it refuses,\n"
          "restarts or holds its last gains.")
      .def(
          "to_dict", [](const Controller& c) { return to_python(controller_to_json(c)); },
          "controller.json as plain Python objects.")
      .def("__repr__",
           [](const Controller& c) {
             const auto method = c.provenance.find("method");
             return "Controller(horizon " + std::to_string(c.sizes.T) + ", " +
                    std::to_string(c.sizes.n_y) + " states, " + std::to_string(c.sizes.n_u) +
                    " inputs" + (method == c.provenance.end() ? "" : ", method " + method->second) +
                    ")";
           })
      .def(py::pickle(
          [](const Controller& c) { return controller_to_json(c).dump(); },
          [](const std::string& text) { return controller_from_json(parse_json(text)); }));
  py::class_<ControllerRun>(module, "ControllerRun",
                            "Step-by-step execution; keeps the states that it has been given.")
      .def(py::init<const Controller&>(), py::arg("controller"), py::keep_alive<1, 2>())
      .def(
          "step", [](ControllerRun& run, const Vector& x) { return run.step(x); }, py::arg("x"),
          "u_t for the state x_t measured at step t = 0, 1, …")
      .def_property_readonly("time", &ControllerRun::time, "t of the next step.");
  module.def(
      "recover_controller",
      [](const Problem& problem, const Response& response) {
        return recover_controller(response, problem.system.plant);
      },
      py::arg("problem"), py::arg("response"), Released(),
      "K Phi_x = Phi_u by causal back-substitution, k = phi_u - K phi_x.");
  module.def(
      "closed_loop_response",
      [](const Problem& problem, const Controller& controller) {
        return closed_loop_response(problem.system, controller);
      },
      py::arg("problem"), py::arg("controller"), Released(),
      "The response that a controller produces: the inverse of recover_controller.");
}

}  // namespace loopcert::python
