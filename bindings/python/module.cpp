#include "bind.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace loopcert::python;
  module.doc() = "The rooms of the C++ library, one binding file each. Use the package loopcert.";
  pybind11::options options;
  bind_core(module);
  bind_device(module);
  bind_data(module);
  bind_problem(module);
  bind_response(module);
  bind_risk(module);
  bind_certificate(module);
  bind_learning(module);
  bind_controller(module);
  bind_simulation(module);
  bind_inspection(module);
  bind_measurement(module);
  bind_workflow(module);
  bind_identified(module);
  bind_verification(module);
  bind_watch(module);
  bind_planning(module);
  bind_sweeps(module);
  bind_delivery(module);
}
