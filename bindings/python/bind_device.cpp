// Room device: which GPU there is, and where learning is done.
#include "bind.hpp"
#include "device/device.hpp"

namespace loopcert::python {
namespace {

py::dict gpu() {
  FoundDevice found;
  {
    const py::gil_scoped_release released;
    found = find_device();
  }
  py::dict record;
  record["found"] = found.found;
  record["name"] = found.found ? py::cast(found.name) : py::none();
  record["why"] = found.found ? py::none() : py::cast(found.why);
  record["plugin"] = found.plugin.empty() ? py::none() : py::cast(found.plugin);
  record["memory_bytes"] = found.memory_bytes;
  record["free_bytes"] = found.free_bytes;
  return record;
}

// `with DeviceChoice("cpu"):` for calls in this thread.
class Choice {
 public:
  explicit Choice(const std::string& name) : choice_(usable_device(name, "device")) {}
  void enter() { scope_.emplace(choice_); }
  void leave(const py::args&) { scope_.reset(); }

 private:
  DeviceChoice choice_;
  std::optional<DeviceScope> scope_;
};

}  // namespace

void bind_device(py::module_& module) {
  module.def("gpu", &gpu);
  module.def(
      "use_device", [](const std::string& name) { choose_device(usable_device(name, "device")); },
      py::arg("name"), Released());
  py::class_<Choice>(module, "DeviceChoice", "What learning in this thread may use, in a `with`.")
      .def(py::init<const std::string&>(), py::arg("name"))
      .def("__enter__", &Choice::enter)
      .def("__exit__", &Choice::leave);
}

}  // namespace loopcert::python
