#include <atomic>

#include "device/device.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

std::atomic<DeviceChoice> of_process{DeviceChoice::automatic};
thread_local std::optional<DeviceChoice> of_thread;

}  // namespace

DeviceChoice device_choice_from(const std::string& name, const std::string& place) {
  for (const DeviceChoice choice : {DeviceChoice::automatic, DeviceChoice::cpu, DeviceChoice::gpu})
    if (name == device_choice_name(choice)) return choice;
  throw_input_error(place, "'" + name + "'", "auto | cpu | gpu");
}

std::string device_choice_name(DeviceChoice choice) {
  switch (choice) {
    case DeviceChoice::cpu:
      return "cpu";
    case DeviceChoice::gpu:
      return "gpu";
    case DeviceChoice::automatic:
      break;
  }
  return "auto";
}

DeviceChoice usable_device(const std::string& name, const std::string& place) {
  const DeviceChoice choice = device_choice_from(name, place);
  if (choice == DeviceChoice::gpu)
    if (const FoundDevice gpu = find_device(); !gpu.found)
      throw InputError(place + ": no GPU: " + gpu.why);
  return choice;
}

void choose_device(DeviceChoice choice) { of_process = choice; }
DeviceScope::DeviceScope(DeviceChoice choice) : before_(of_thread) { of_thread = choice; }
DeviceScope::~DeviceScope() { of_thread = before_; }
DeviceChoice device_choice() { return of_thread.value_or(of_process.load()); }

}  // namespace loopcert
